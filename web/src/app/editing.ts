/** What changes the text as a whole, or moves in it by what its names mean. */
import { words } from "../strings";
import { goTo, notify, takeText } from "./actions";
import type { App } from "./app";
import { writable } from "./state";

export async function formatProgram(app: App): Promise<void> {
  const text = takeText(app);
  const formatted = await app.engines.typing.call("format", [text]);
  if (app.editor?.text() !== text) return;
  if (formatted === text) notify(app, words.editor.alreadyFormatted);
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
    else notify(app, words.editor.noDefinition);
    return;
  }
  const next = place.nextUse;
  if (!next) notify(app, words.editor.noUses);
  else {
    goTo(app, next.range);
    notify(app, words.editor.uses(next.number + 1, place.uses));
  }
}

/** Renames what is under the cursor, everywhere. */
export async function rename(app: App, name: string): Promise<void> {
  const text = takeText(app);
  const { typing } = app.engines;
  const renaming = await typing.call("rename", [text, app.state.cursor.value, name]);
  if (renaming && app.editor) {
    app.editor.replace(renaming.ranges, renaming.text);
    writable(app.state).programText.value = app.editor.text();
  } else notify(app, words.editor.noDefinition);
}
