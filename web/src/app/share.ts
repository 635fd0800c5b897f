/** Between the state and a link. */
import { batch } from "@preact/signals";
import { FIRST_EXAMPLE, findExample } from "../examples";
import { words } from "../strings";
import { findView, views } from "../views/registry";
import { bareName, loadExample, loadProgram, notify, run } from "./actions";
import type { App } from "./app";
import {
  encodeText,
  type LinkProgram,
  type LinkState,
  type ReadLink,
  readLink,
  writeLink,
} from "./link";
import { DEFAULT_SETTINGS } from "./state";

/** Longer programs are not written into links: no browser takes them. */
const MAX_TEXT = 2_000_000;
/** And longer ones not into the address bar while typing. */
const MAX_QUIET_TEXT = 200_000;

function programOf(app: App): LinkProgram {
  const s = app.state;
  const program: LinkProgram = { src: app.editor?.text() ?? s.text.value };
  const inputs = s.inputs.value.map((input) => input.text);
  while (inputs.at(-1) === "") inputs.pop();
  if (inputs.length > 0) program.inputs = inputs;
  for (const key of ["seed", "timeLimit", "memoryLimit"] as const) {
    if (s.settings.value[key] !== DEFAULT_SETTINGS[key]) program[key] = s.settings.value[key];
  }
  if (s.settings.value.fillElided) program.fillElided = s.settings.value.fillElided;
  return program;
}

/** The example that is shown, if it is shown as it is. */
function untouchedExample(app: App, program: LinkProgram): string | null {
  const shown = app.state.example.value;
  const example = findExample(shown?.id ?? "");
  if (!example || shown?.text !== program.src) return null;
  const inputs = (example.inputs ?? []).join("\n") === (program.inputs ?? []).join("\n");
  const settings =
    program.seed === undefined &&
    program.timeLimit === undefined &&
    program.memoryLimit === undefined &&
    program.fillElided === undefined;
  return inputs && settings ? example.id : null;
}

export function toLinkState(app: App): LinkState {
  const s = app.state;
  const program = programOf(app);
  const example = untouchedExample(app, program);
  const view = findView(s.view.value) ?? views[0];
  const params: Record<string, string> = { view: s.view.value };
  if (s.selection.value.name) params.v = `%${s.selection.value.name}`;
  if (s.selection.value.index) params.cell = s.selection.value.index.join(",");
  Object.assign(params, view?.encode(app));
  if (s.title.value) params.title = s.title.value;
  return {
    ...(example ? { example } : { program }),
    ...(s.typedShape.value !== null ? { shape: s.typedShape.value } : {}),
    ...(s.typedShape.value !== null && s.comparedShape.value !== null
      ? { compare: s.comparedShape.value }
      : {}),
    params,
  };
}

/** An example that a person asks for: Back leads to what was there before. */
export function openExample(app: App, id: string): void {
  const hash = `#ex=${encodeText(id)}`;
  window.history.pushState(null, "", hash);
  openLink(app, hash).catch((error: Error) => notify(app, error.message, "error"));
}

/** What a link says, and below it what the example that it names says. */
async function readWithExample(hash: string): Promise<ReadLink> {
  const read = await readLink(hash);
  const link = findExample(read.state.example ?? "")?.link;
  if (!link) return read;
  const { state } = await readLink(link);
  const params = { ...state.params, ...read.state.params };
  return { ...read, state: { ...state, ...read.state, params } };
}

/** The index in "3,5"; null when it is none. */
export function parseCell(text: string | undefined): number[] | null {
  if (text === undefined || text.length > 400 || !/^\d{1,15}(,\d{1,15})*$/.test(text)) return null;
  return text.split(",").map(Number);
}

/** Shows what a link says; false when it says nothing of a program. */
async function showProgram(app: App, state: LinkState): Promise<boolean> {
  if (state.program) {
    const { src, inputs, ...limits } = state.program;
    loadProgram(app, {
      text: src,
      ...(inputs ? { inputs } : {}),
      settings: { ...DEFAULT_SETTINGS, ...limits },
    });
    void run(app);
    return true;
  }
  if (state.example === undefined) return false;
  if (await loadExample(app, state.example)) return true;
  notify(app, words.link.problems.example, "error");
  return false;
}

/** Where an instruction is defined: in HLO by its text; in StableHLO, where names differ, asked. */
async function definitionOf(app: App, text: string, name: string): Promise<number | null> {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = new RegExp(`(^|[\\s%])${escaped}\\s*=`, "m").exec(text);
  if (found) return found.index + (found[1]?.length ?? 0);
  const outline = await app.engines.typing.call("outline", [text]);
  const all = outline.flatMap(({ instructions }) => instructions);
  return all.findLast((instruction) => bareName(instruction.name) === name)?.nameRange[0] ?? null;
}

/** The cursor goes to the instruction that a link selects. */
async function selectFromLink(app: App, params: Readonly<Record<string, string>>): Promise<void> {
  const name = params.v?.replace(/^%/, "");
  const text = app.editor?.text() ?? app.state.text.value;
  const at = name ? await definitionOf(app, text, name).catch(() => null) : null;
  if (at !== null) {
    app.editor?.goTo([at, at], false);
    app.state.cursor.value = at;
  }
  app.state.selection.value = { name: name ?? "", index: parseCell(params.cell) };
}

export async function openLink(app: App, hash: string): Promise<void> {
  const s = app.state;
  const { state, problem } = await readWithExample(hash);
  if (problem) notify(app, words.link.problems[problem], "error");
  const shown = (await showProgram(app, state)) || s.text.value !== "";
  if (!shown) await loadExample(app, FIRST_EXAMPLE);
  batch(() => {
    if (state.shape !== undefined) {
      s.typedShape.value = state.shape;
      s.comparedShape.value = state.compare ?? null;
      s.view.value = "layout";
    }
    const view = findView(state.params.view ?? "");
    if (view) s.view.value = view.id;
    if (state.shape !== undefined || view) s.part.value = "views";
    for (const known of views) known.decode(app, state.params);
    s.title.value = (state.params.title ?? "").slice(0, 200);
  });
  if (state.params.v || state.params.cell) await selectFromLink(app, state.params);
}

/** Writes the state into the address bar; no entry is added to the history. */
export async function remember(app: App): Promise<void> {
  const text = app.editor?.text() ?? "";
  if (text.length > MAX_QUIET_TEXT) return;
  const hash = await writeLink(toLinkState(app));
  window.history.replaceState(null, "", hash);
}

export async function copyLink(app: App): Promise<void> {
  if ((app.editor?.text() ?? "").length > MAX_TEXT) {
    notify(app, words.link.tooLong, "error");
    return;
  }
  const hash = await writeLink(toLinkState(app));
  window.history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(window.location.href);
    notify(app, words.link.copied);
  } catch {
    // Without permission to write to the clipboard the address bar has it.
    notify(app, words.link.shown);
  }
}
