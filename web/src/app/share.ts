/** Converts between the state and links. */
import { batch } from "@preact/signals";
import { fetchExample, findExample, knownExample } from "../examples";
import { words } from "../strings";
import { findView, views } from "../views/registry";
import { linkParams, takeParams } from "../views/view";
import {
  focusOn,
  idOf,
  loadProgram,
  notify,
  run,
  showExample,
  viewFor,
  withoutFiles,
} from "./actions";
import type { App } from "./app";
import {
  type LinkProgram,
  type LinkState,
  MAX_INFLATED,
  payloadOf,
  type ReadLink,
  readLink,
  writeLink,
} from "./link";
import { changedSettings, DEFAULT_SETTINGS, isModest, SETTINGS } from "./settings";
import { type Focus, writable } from "./state";

/** Longer programs are not written into the address bar while typing. */
export const MAX_QUIET_TEXT = 200_000;

function programOf(app: App): LinkProgram {
  const s = app.state;
  const program: LinkProgram = { src: app.editor?.text() ?? s.text.value };
  const inputs = s.inputs.value.map((input) => input.text);
  while (inputs.at(-1) === "") inputs.pop();
  if (inputs.length > 0) program.inputs = inputs;
  Object.assign(program, changedSettings(s.settings.value));
  return program;
}

/** The id of the example on the screen, if it is unchanged. */
function untouchedExample(app: App, program: LinkProgram): string | null {
  const shown = app.state.example.value;
  const example = knownExample(shown?.id ?? "");
  if (!example || shown?.text !== program.src) return null;
  const inputs = (example.inputs ?? []).join("\n") === (program.inputs ?? []).join("\n");
  const settings = SETTINGS.every(({ key }) => program[key] === undefined);
  return inputs && settings ? example.id : null;
}

/** Which execution, or which value outside the trace: "3.0@1", "input:0"; "" for the default. */
function stepText({ name, iterations, device, source }: Focus): string {
  if (!name) return typeof source === "string" && source !== "output" ? source : "";
  return `${iterations?.join(".") ?? ""}${device ? `@${device}` : ""}`;
}

function parseStep(text: string): Pick<Focus, "iterations" | "device" | "source"> {
  const step = /^(\d{1,9}(?:\.\d{1,9}){0,30})?(?:@(\d{1,6}))?$/.exec(text);
  const beside = /^(?:output@|input:|host:)\d{1,6}$/.test(text);
  return {
    iterations: step?.[1]?.split(".").map(Number) ?? null,
    device: Number(step?.[2] ?? 0),
    source: beside ? (text as Focus["source"]) : null,
  };
}

/**
 * The focus in a link: `v` is the instruction, `in` its computation, `at` which of its values, `path`
 * leads into tuples, `cell` is the element.
 */
function focusParams(focus: Focus): Record<string, string> {
  const { computation, name, path, index } = focus;
  const at = stepText(focus);
  return {
    ...(name ? { v: name } : {}),
    ...(name && computation ? { in: computation } : {}),
    ...(at ? { at } : {}),
    ...(path.length > 0 ? { path: path.join(",") } : {}),
    ...(index ? { cell: index.join(",") } : {}),
  };
}

/** The parts of a link besides the program. */
type ViewLink = Pick<LinkState, "shape" | "compare" | "params" | "texts">;

export function viewState(app: App): ViewLink {
  const s = app.state;
  const view = findView(s.view.value) ?? views[0];
  const params: Record<string, string> = { view: s.view.value };
  Object.assign(params, focusParams(s.focus.value));
  if (view) Object.assign(params, linkParams(app, view));
  if (s.title.value) params.title = s.title.value;
  const texts = view ? linkParams(app, view, true) : {};
  return {
    ...(Object.keys(texts).length > 0 ? { texts } : {}),
    ...(s.typedShape.value !== null ? { shape: s.typedShape.value } : {}),
    ...(s.typedShape.value !== null && s.comparedShape.value !== null
      ? { compare: s.comparedShape.value }
      : {}),
    params,
  };
}

export function toLinkState(app: App): LinkState {
  const program = programOf(app);
  const example = untouchedExample(app, program);
  const view = viewState(app);
  // A layout alone needs no program beside it.
  if (program.src === "" && view.shape !== undefined) return view;
  return { ...(example && !view.texts ? { example } : { program }), ...view };
}

/** The link for the address bar; without the program if it is too long. */
export async function addressOf(app: App): Promise<{ hash: string; whole: boolean }> {
  const { texts, ...rest } = viewState(app);
  const inputs = app.state.inputs.peek().map(({ text }) => text);
  const length = [...Object.values(texts ?? {}), ...inputs].reduce(
    (sum, text) => sum + text.length,
    (app.editor?.text() ?? app.state.text.peek()).length,
  );
  const whole = length <= MAX_QUIET_TEXT;
  return { hash: await writeLink(whole ? toLinkState(app) : rest), whole };
}

/** A link's parameters, with those of the example that it names as defaults. */
export async function readWithExample(hash: string): Promise<ReadLink> {
  const read = await readLink(hash);
  const example = await findExample(read.state.example ?? "").catch(() => null);
  const link = example?.link;
  if (!link) return read;
  const { state } = await readLink(link);
  const params = { ...state.params, ...read.state.params };
  return { ...read, state: { ...state, ...read.state, params } };
}

/** The index in "3,5"; null when it is none: indices count from 0. */
export function parseCell(text: string | undefined): number[] | null {
  if (text === undefined || text.length > 400 || !/^\d{1,15}(,\d{1,15})*$/.test(text)) return null;
  return text.split(",").map(Number);
}

/**
 * Opens the program of a link; false if it has none. `current`: whether the opening is still
 * wanted.
 */
export async function showProgram(
  app: App,
  state: LinkState,
  current: () => boolean,
): Promise<boolean> {
  if (state.program) {
    const { src, inputs, ...limits } = state.program;
    const settings = { ...DEFAULT_SETTINGS, ...limits };
    loadProgram(app, { text: src, settings, inputs: withoutFiles(inputs ?? []) });
    if (isModest(settings)) void run(app);
    else
      notify(app, words.link.asksForMore, "info", {
        label: words.commands.run,
        act: () => void run(app),
      });
    return true;
  }
  if (state.example === undefined) return false;
  const found = await fetchExample(state.example);
  if (!current()) return true;
  if (!found) return false;
  showExample(app, found.example, found.text);
  return true;
}

/** Moves the cursor to the instruction that a link names, and sets the focus. */
async function focusFromLink(app: App, params: Readonly<Record<string, string>>): Promise<void> {
  const wanted = { name: params.v ?? "", computation: params.in ?? "" };
  const turn = app.openTurn;
  const now = (): string => app.editor?.text() ?? app.state.text.peek();
  const text = now();
  const { typing } = app.engines;
  const found = wanted.name
    ? await typing.call("definition", [text, wanted.name, wanted.computation]).catch(() => null)
    : null;
  // Another program may have been opened or written meanwhile.
  if (turn !== app.openTurn || text !== now()) return;
  if (found) {
    const [begin] = found.range;
    app.editor?.goTo([begin, begin], false);
    writable(app.state).cursor.value = begin;
  }
  const index = parseCell(params.cell);
  if (params.cell && !index) notify(app, words.link.problems.cell, "error");
  const path = parseCell(params.path) ?? [];
  focusOn(app, { ...idOf(found ?? wanted), index, path, ...parseStep(params.at ?? "") });
}

/** Parameters that are neither a view's nor a notation's. */
const OWN_PARAMS = ["view", "title", "v", "in", "at", "path", "cell"];

/** The layout of a link that names it by its notation, `#morello=...`: which there are, the engine says. */
export async function namedLayout(
  app: App,
  params: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const known = views.flatMap(({ link }) => link ?? []).map(({ key }) => key);
  const others = Object.keys(params).filter((key) => ![...OWN_PARAMS, ...known].includes(key));
  if (others.length === 0) return undefined;
  const notations = await app.engines.typing.call("layoutNotations", []).catch(() => []);
  const key = others.find((other) => notations.some((notation) => notation.key === other));
  return key && `${key}: ${params[key]}`;
}

/** Sets the focus as the link says. */
export async function showViewState(app: App, state: ViewLink): Promise<void> {
  const s = writable(app.state);
  const { params } = state;
  const turn = app.openTurn;
  const shape = state.shape ?? (await namedLayout(app, params));
  if (turn !== app.openTurn) return;
  batch(() => {
    if (shape !== undefined) {
      s.typedShape.value = shape;
      s.comparedShape.value = state.compare ?? null;
      s.view.value = viewFor(app, "layout") ?? s.view.value;
    }
    const view = findView(params.view ?? "");
    if (view) s.view.value = view.id;
    if (shape !== undefined || view) s.part.value = "views";
    // What a text is called the open part of a link cannot say.
    for (const known of views) takeParams(app, known, { ...params, ...state.texts });
    s.title.value = (params.title ?? "").slice(0, 200);
  });
  if (["v", "at", "path", "cell"].some((key) => params[key])) await focusFromLink(app, params);
}

export async function copyLink(app: App): Promise<void> {
  const state = toLinkState(app);
  if (payloadOf(state).length > MAX_INFLATED) {
    notify(app, words.link.tooLong, "error");
    return;
  }
  const link = new URL(await writeLink(state), window.location.href).href;
  const hasFiles = app.state.inputs.value.some(({ file }) => file !== null);
  try {
    await navigator.clipboard.writeText(link);
    notify(app, hasFiles ? words.link.copiedWithoutFiles : words.link.copied);
  } catch {
    // Without clipboard permission, the link is put into the address bar.
    window.history.replaceState(window.history.state, "", link);
    notify(app, words.link.shown);
  }
}
