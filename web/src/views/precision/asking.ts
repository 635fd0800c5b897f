/** Runs both programs, in the engine that runs them. */
import { runOptions } from "../../app/actions";
import type { App } from "../../app/app";
import { isAbort } from "../../app/engine_link";
import { checkProgram } from "../../app/engines";
import { precisionSession } from "./session";
import { precisionWords } from "./words";

/** An earlier attempt that is under way ends. */
export async function compareRuns(app: App): Promise<void> {
  const session = precisionSession(app);
  session.running.peek()?.abort();
  const stop = new AbortController();
  session.running.value = stop;
  session.problem.value = "";
  const reference = session.reference.peek();
  const other = reference === "other" ? (session.other.peek()?.text ?? "") : "";
  const text = app.editor?.text() ?? app.state.text.peek();
  const inputs = app.state.inputs.peek();
  try {
    const check = await checkProgram(app.engines, text, inputs);
    stop.signal.throwIfAborted();
    const options = runOptions(app, check);
    const as = reference === "f32" ? "f32" : "f64";
    const answer = await app.engines.precision(text, { ...options, as }, other, stop.signal);
    if (session.running.peek() === stop) session.outcome.value = { text, reference, answer };
  } catch (error) {
    if (session.running.peek() !== stop) return;
    const why = error instanceof Error ? error.message : String(error);
    session.problem.value = isAbort(error) ? precisionWords.stopped : why;
  } finally {
    if (session.running.peek() === stop) session.running.value = null;
  }
}
