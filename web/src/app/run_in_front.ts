/** A run that a person asks for, and where what comes of it is shown. */
import { openView, run, showPart, showViewFor, viewFor } from "./actions";
import type { App } from "./app";
import { writable } from "./state";

/** Once a run has ended that has left the open view as it was. */
async function showEnd(app: App, open: string, work: Promise<void>): Promise<void> {
  const s = writable(app.state);
  const turn = app.runTurn;
  const before = s.results.peek();
  await work;
  if (turn !== app.runTurn) return;
  const phase = s.phase.peek();
  // Whoever has gone elsewhere meanwhile stays there: the status bar says it.
  const isThere = s.view.peek() === open && s.part.peek() === "views";
  if (phase === "failed" && isThere) showViewFor(app, "run", openView);
  const results = s.results.peek();
  const isNew = phase === "done" && results !== before;
  if (isNew && s.view.peek() !== viewFor(app, "run")) s.unseen.value = results;
}

/**
 * What comes of the run is shown in the open view if that can show it. A view that a person has chosen
 * stays open all the same, unless the run fails; any other gives way to the values.
 */
export function runInFront(app: App): void {
  const { chosenView, view } = app.state;
  const open = view.peek();
  const showsRun = app.views.find(({ id }) => id === open)?.showsRun?.(app) ?? false;
  const isKept = showsRun || chosenView.peek() === open;
  if (isKept) showPart(app, "views");
  else showViewFor(app, "run", openView);
  const work = run(app);
  if (isKept && !showsRun) void showEnd(app, open, work);
}
