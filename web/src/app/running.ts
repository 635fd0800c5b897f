/** A run that a person asks for: they see that it happened, wherever they are. */
import { words } from "../strings";
import { goTo, notify, run, showViewFor, viewFor } from "./actions";
import type { App } from "./app";

export async function runAndTell(app: App): Promise<void> {
  const turn = app.runTurn + 1;
  await run(app);
  const { phase, view, part, narrow, results, runFaults } = app.state;
  if (app.runTurn !== turn) return;
  const isShown = narrow.peek() ? part.peek() === "views" : true;
  if (isShown && view.peek() === viewFor(app, "run")) return;
  const done = results.peek();
  if (phase.peek() === "done" && done) {
    const { output, steps } = done.run;
    const act = (): void => showViewFor(app, "run");
    const text = words.run.done(steps, output ? output.preview : "");
    notify(app, text, "info", { label: words.run.show, act });
    return;
  }
  const fault = runFaults.peek()?.run.diagnostics.find(({ severity }) => severity === "error");
  if (phase.peek() !== "failed" || !fault) return;
  const act = (): void => goTo(app, fault.range);
  notify(app, words.run.stopped(fault.message), "error", { label: words.run.showFault, act });
}
