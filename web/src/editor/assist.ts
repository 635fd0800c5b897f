/** Hover and completion: what the engine says of a place, in the editor's terms. */
import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippet,
} from "@codemirror/autocomplete";
import { type Extension, Prec } from "@codemirror/state";
import { hoverTooltip, keymap, type Rect, type Tooltip } from "@codemirror/view";
import type { CompletionItem, PlaceInfo } from "../../../wasm/engine_api";
import { lastEntryOf } from "../app/actions";
import type { App } from "../app/app";
import { clip, element } from "./dom";
import { editorWords } from "./words";

/** What the last run of this very text computed for an instruction; null without one. */
export function valueLines(app: App, text: string, place: PlaceInfo): string[] | null {
  const results = app.state.results.peek();
  const { instruction: name, computation } = place;
  if (!name || !results || results.text !== text) return null;
  const entry = lastEntryOf(app, { name, computation });
  if (!entry || entry.dropped) return null;
  const { shape, preview } = entry.value;
  const w = editorWords.value;
  const heading = entry.iterations.length > 0 ? w.lastOf(entry.iterations) : w.heading;
  return [heading, shape, preview];
}

function hoverBox(place: PlaceInfo, value: string[] | null): HTMLElement {
  const box = element("div", "cm-doc", "");
  box.append(element("div", "cm-doc-title", place.title));
  for (const line of place.lines) box.append(element("p", "", line));
  if (value) {
    const [heading = "", shape = "", preview = ""] = value;
    const part = element("div", "cm-doc-value", "");
    part.append(element("span", "cm-doc-heading", `${heading} `), element("code", "", shape));
    part.append(element("pre", "", preview));
    box.append(part);
  }
  return box;
}

function hover(app: App): Extension {
  return hoverTooltip(
    async (view, position): Promise<Tooltip | null> => {
      const text = view.state.doc.toString();
      const place = await app.engines.typing.call("place", [text, position]).catch(() => null);
      if (!place || place.kind === "none") return null;
      const value = valueLines(app, text, place);
      if (!place.title && place.lines.length === 0 && !value) return null;
      const { from, to } = clip(place.range, view.state.doc.length);
      return { pos: from, end: to, above: true, create: () => ({ dom: hoverBox(place, value) }) };
    },
    { hoverTime: 250 },
  );
}

const completionTypes: Record<CompletionItem["kind"], string> = {
  opcode: "function",
  attribute: "property",
  name: "variable",
  type: "type",
  computation: "namespace",
  keyword: "keyword",
  word: "constant",
};

const literally = (text: string): string => text.replace(/[{}]/g, "\\$&");

/** A form in CodeMirror's notation: its stops, and the place behind it as the last one. */
export function template({ insert, stops }: Pick<CompletionItem, "insert" | "stops">): string {
  let text = "";
  let at = 0;
  stops.forEach(([begin, end], i) => {
    text += `${literally(insert.slice(at, begin))}#{${i + 1}:${literally(insert.slice(begin, end))}}`;
    at = end;
  });
  return `${text}${literally(insert.slice(at))}#{${stops.length + 1}}`;
}

function option(item: CompletionItem): Completion {
  const isPlain = item.stops.length === 0;
  return {
    label: item.label,
    type: completionTypes[item.kind],
    detail: item.detail,
    ...(isPlain && item.insert !== item.label ? { apply: item.insert } : {}),
    ...(isPlain ? {} : { apply: snippet(template(item)) }),
    ...(item.doc ? { info: () => element("div", "cm-doc", item.doc) } : {}),
  };
}

/** A description may be so much narrower than it would be on one line before it goes elsewhere. */
const LEAST_WIDTH = 300;
/** What is inside the list's box is placed from the inner edge of this border of it. */
const BORDER = 1;

/**
 * Where the description of an option goes: beside the list, or, where the window is too narrow for
 * that, above or below it, wherever there is more room. It never covers the list.
 */
function descriptionPlace(
  list: Rect,
  option: Rect,
  description: Rect,
  space: Rect,
): { style: string; class: string } {
  const left = list.left - space.left;
  const right = space.right - list.right;
  const width = Math.max(left, right);
  if (width >= Math.min(description.right - description.left, LEAST_WIDTH)) {
    const height = description.bottom - description.top;
    const top = Math.max(space.top, Math.min(option.top, space.bottom - height)) - list.top;
    return {
      style: `top:${top}px;max-width:${Math.min(400, width)}px`,
      class: `cm-completionInfo-${right >= left ? "right" : "left"}`,
    };
  }
  const above = list.top - space.top;
  const below = space.bottom - list.bottom;
  const side = above > below ? "bottom" : "top";
  return {
    style: `${side}:100%;left:${-left - BORDER}px;max-width:${space.right - space.left}px;max-height:${Math.max(above, below)}px;overflow:auto`,
    class: "",
  };
}

function completion(app: App): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult> => {
    const text = context.state.doc.toString();
    // CodeMirror asks again, where the user has typed on meanwhile, for an empty list, not for null.
    const nothing = { from: context.pos, options: [] };
    const result = await app.engines.typing.call("complete", [text, context.pos]).catch(() => null);
    if (!result || result.items.length === 0) return nothing;
    const { from, items, word } = result;
    if (from === context.pos && !context.explicit) return nothing;
    const isWord = (text: string): boolean =>
      word !== null && [...text].every((c) => /[A-Za-z0-9]/.test(c) || word.includes(c));
    return { from, options: items.map(option), validFor: isWord };
  };
  // Before the keys that indent.
  const accepting = Prec.high(keymap.of([{ key: "Tab", run: acceptCompletion }]));
  const offered = autocompletion({
    override: [source],
    icons: true,
    positionInfo: (_view, ...boxes) => descriptionPlace(...boxes),
    // Of those that match equally well, what the engine names first: an opcode before its other names.
    compareCompletions: () => 0,
  });
  return [accepting, offered];
}

export const assist = (app: App): Extension => [hover(app), completion(app)];
