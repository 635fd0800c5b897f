/** Diagnostics, hover and completion: the engine's answers as CodeMirror objects. */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { type Action, type Diagnostic as Lint, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { type EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import type { CompletionItem, Diagnostic, PlaceInfo, TextRange } from "../../../wasm/engine_api";
import type { App } from "../app/app";

/** Maximum number of diagnostics drawn: drawing takes time. */
const MAX_SHOWN = 500;

function clip(range: TextRange, length: number): { from: number; to: number } {
  const from = Math.max(0, Math.min(range[0], length));
  return { from, to: Math.max(from, Math.min(range[1], length)) };
}

function element(tag: string, className: string, text: string): HTMLElement {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

function fixActions(diagnostic: Diagnostic): Action[] {
  return diagnostic.fixes.map((fix) => ({
    name: fix.title,
    apply(view: EditorView) {
      const range = clip(fix.range, view.state.doc.length);
      view.dispatch({ changes: { ...range, insert: fix.replacement }, userEvent: "input.fix" });
    },
  }));
}

/** The message, and its notes as buttons that go to their ranges. */
function message(view: EditorView, diagnostic: Diagnostic): HTMLElement {
  const box = element("div", "cm-fault", "");
  box.append(element("div", "cm-fault-text", diagnostic.message));
  for (const note of diagnostic.notes) {
    const line = element("button", "cm-fault-note", note.message);
    line.setAttribute("type", "button");
    line.addEventListener("click", () => {
      const { from, to } = clip(note.range, view.state.doc.length);
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      view.focus();
    });
    box.append(line);
  }
  return box;
}

export function toLint(diagnostics: Diagnostic[], length: number): Lint[] {
  return diagnostics.slice(0, MAX_SHOWN).map((diagnostic) => ({
    ...clip(diagnostic.range, length),
    severity: diagnostic.severity,
    message: diagnostic.message,
    source: diagnostic.code,
    actions: fixActions(diagnostic),
    renderMessage: (view) => message(view, diagnostic),
  }));
}

export function showDiagnostics(view: EditorView, diagnostics: Diagnostic[]): void {
  view.dispatch(setDiagnostics(view.state, toLint(diagnostics, view.state.doc.length)));
}

function hoverBox(place: PlaceInfo): HTMLElement {
  const box = element("div", "cm-doc", "");
  box.append(element("div", "cm-doc-title", place.title));
  for (const line of place.lines) box.append(element("p", "", line));
  return box;
}

function hover(app: App): Extension {
  return hoverTooltip(
    async (view, position): Promise<Tooltip | null> => {
      const text = view.state.doc.toString();
      const place = await app.engines.typing.call("place", [text, position]).catch(() => null);
      if (!place || place.kind === "none" || (!place.title && place.lines.length === 0))
        return null;
      const { from, to } = clip(place.range, view.state.doc.length);
      return { pos: from, end: to, above: true, create: () => ({ dom: hoverBox(place) }) };
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

function option(item: CompletionItem): Completion {
  return {
    label: item.label,
    type: completionTypes[item.kind],
    detail: item.detail,
    ...(item.insert && item.insert !== item.label ? { apply: item.insert } : {}),
    ...(item.doc ? { info: () => element("div", "cm-doc", item.doc) } : {}),
  };
}

function completion(app: App): Extension {
  const source = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const text = context.state.doc.toString();
    const result = await app.engines.typing.call("complete", [text, context.pos]).catch(() => null);
    if (!result || context.aborted || result.items.length === 0) return null;
    const { from, items, word } = result;
    if (from === context.pos && !context.explicit) return null;
    const isWord = (text: string): boolean =>
      word !== null && [...text].every((c) => /[A-Za-z0-9]/.test(c) || word.includes(c));
    return { from, options: items.map(option), validFor: isWord };
  };
  return autocompletion({ override: [source], icons: true });
}

export function language(app: App): Extension {
  // Both dialects have line comments.
  const comments = EditorState.languageData.of(() => [{ commentTokens: { line: "//" } }]);
  return [lintGutter(), hover(app), completion(app), comments];
}
