/** What changes the text as a whole, or moves in it by what its names mean. */
import type { Diagnostic } from "../../../wasm/engine_api";
import { goTo, notify, takeText } from "./actions";
import type { App } from "./app";
import { editingWords as w } from "./editing_words";
import { checkProgram } from "./engines";
import { writable } from "./state";

export async function formatProgram(app: App): Promise<void> {
  const text = takeText(app);
  const formatted = await app.engines.typing.call("format", [text]);
  if (app.editor?.text() !== text) return;
  if (formatted === text) notify(app, w.alreadyFormatted);
  else rewrite(app, formatted);
}

/** The same program in other words: what belongs to it stays. */
function rewrite(app: App, text: string): void {
  writable(app.state).programText.value = text;
  app.editor?.setText(text);
}

/** Goes on with the program in the other dialect; inputs stay as they are. */
export function adoptText(app: App, text: string): void {
  const s = writable(app.state);
  s.example.value = null;
  s.typedShape.value = null;
  rewrite(app, text);
}

/** Where the thing under the cursor is defined; with `uses`, the next use of it. */
export async function goToDefinition(app: App, uses: boolean): Promise<void> {
  const text = takeText(app);
  const at = app.state.cursor.value;
  const place = await app.engines.typing.call("place", [text, at]);
  if (!uses) {
    if (place.definition) goTo(app, place.definition);
    else notify(app, w.noDefinition);
    return;
  }
  const next = place.nextUse;
  if (!next) notify(app, w.noUses);
  else {
    goTo(app, next.range);
    notify(app, w.uses(next.number + 1, place.uses));
  }
}

/** The name of what is under the cursor, as its definition has it; null where nothing is defined. */
export async function nameAtCursor(app: App): Promise<string | null> {
  const text = takeText(app);
  const place = await app.engines.typing.call("place", [text, app.state.cursor.peek()]);
  return place.definition ? text.slice(...place.definition) : null;
}

/** A text with other words in place of some ranges: begin, end, begin, ... of which none overlap. */
function replaced(text: string, ranges: ArrayLike<number>, insert: string): string {
  const ends = Array.from({ length: ranges.length / 2 }, (_, i) => [
    ranges[2 * i] ?? 0,
    ranges[2 * i + 1] ?? 0,
  ]).sort(([a = 0], [b = 0]) => a - b);
  const parts: string[] = [];
  let from = 0;
  for (const [begin = 0, end = 0] of ends) {
    parts.push(text.slice(from, begin), insert);
    from = end;
  }
  return parts.join("") + text.slice(from);
}

/** The errors of a text. */
async function errorsOf(app: App, text: string): Promise<Diagnostic[]> {
  const check = await checkProgram(app.engines, text, app.state.inputs.peek());
  return check.diagnostics.filter(({ severity }) => severity === "error");
}

/** What is wrong with a name in itself, whatever sign is before it; null for one that can be a name. */
export function nameFault(app: App, name: string): string | null {
  if (app.state.check.peek()?.kind === "mlir")
    return /^\W?[\w.$-]+$/.test(name) ? null : w.noNameInStablehlo;
  return /^\W?[A-Za-z_][\w.-]*$/.test(name) ? null : w.noName;
}

/** Whether a name stands in a text, with or without the sign before it. */
function hasName(text: string, name: string): boolean {
  const bare = name.replace(/^\W/, "");
  if (bare === "") return false;
  const isPart = (at: number): boolean => /[\w.$-]/.test(text.charAt(at));
  for (let at = text.indexOf(bare); at >= 0; at = text.indexOf(bare, at + bare.length)) {
    if (!isPart(at - 1) && !isPart(at + bare.length)) return true;
  }
  return false;
}

/** Why what is under the cursor cannot have a name; null where it can. */
export async function whyNotNamed(app: App, name: string): Promise<string | null> {
  const fault = nameFault(app, name);
  if (fault !== null) return fault;
  const text = takeText(app);
  const { typing } = app.engines;
  const renaming = await typing.call("rename", [text, app.state.cursor.peek(), name]);
  if (!renaming) return w.noDefinition;
  const before = await errorsOf(app, text);
  const after = await errorsOf(app, replaced(text, renaming.ranges, renaming.text));
  if (after.length > before.length) {
    const known = new Set(before.map(({ message }) => message));
    const added = after.find(({ message }) => !known.has(message)) ?? after[0];
    return hasName(text, name) ? w.nameTaken(name) : w.renameRefused(name, added?.message ?? "");
  }
  return null;
}

/**
 * Renames what is under the cursor, everywhere. Where the name is taken, or none, nothing changes and the
 * reason is returned: two things of one name could not be told apart again.
 */
export async function rename(app: App, name: string): Promise<string | null> {
  const text = takeText(app);
  const refused = await whyNotNamed(app, name);
  if (refused !== null) return refused;
  const { typing } = app.engines;
  const renaming = await typing.call("rename", [text, app.state.cursor.value, name]);
  if (!renaming || !app.editor) return w.noDefinition;
  if (app.editor.text() !== text) return w.renameLate;
  app.editor.replace(renaming.ranges, renaming.text);
  writable(app.state).programText.value = app.editor.text();
  return null;
}
