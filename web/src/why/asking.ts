/** The question about the selected element, and how it is put to an engine of its own. */
import type {
  RunOptions,
  WhyElement,
  WhyOptions,
  WhyResult,
  WhyRow,
} from "../../../wasm/engine_api";
import { focusOn } from "../app/actions";
import { type App, perPage } from "../app/app";
import { gridOf } from "../app/device_inputs";
import { type EngineLink, isAbort } from "../app/engine_link";
import { runOptionsOf } from "../app/run_options";
import type { Results } from "../app/state";

/** The element that the page has selected; null where it is none of the run's. */
export function selectedElement(app: App): WhyElement | null {
  const chosen = app.state.chosen.value;
  const choice = app.state.choice.value;
  const { index } = app.state.focus.value;
  if (!chosen || !choice || String(choice.entry).startsWith("host:")) return null;
  const { dims } = chosen.value;
  const fits =
    chosen.value.kind === "array" &&
    index?.length === dims.length &&
    index.every((at, i) => at < (dims[i] ?? 0));
  const where = { path: choice.path, index: fits ? index : null };
  if (chosen.entry) {
    const { name, computation, iterations, device = 0 } = chosen.entry;
    return { ...where, name, computation, iterations, device };
  }
  const [entry = "output", device = "0"] = String(choice.entry).split("@");
  return { ...where, name: "", computation: "", entry, device: Number(device) };
}

/** The options of the last run. */
function runOptions(app: App, { run, inputs, settings }: Results): RunOptions {
  const given = inputs.slice(0, run.inputs.length);
  return runOptionsOf(given, gridOf(app.state.check.peek(), settings), settings);
}

type Question = Pick<WhyOptions, "element" | "first" | "reach">;

/** An engine of its own: it records the run again, and keeps it for the next question. */
const engineOf = perPage((app): EngineLink => app.engines.another());

/** Asks about a run; the program runs again, unless the last question was about the same run. */
export function askWhy(app: App, results: Results, question: Question): Promise<WhyResult> {
  const options: WhyOptions = { ...runOptions(app, results), ...question };
  return engineOf(app).call("why", [results.text, options]);
}

/** Ends all questions that are under way. */
export function cancelWhy(app: App): void {
  engineOf(app).cancel();
}

const origins = new WeakMap<Results, Map<string, Promise<WhyResult | null>>>();

/** The chain back from an element, asked once for each run; null where there is no answer. */
export function originOf(
  app: App,
  results: Results,
  element: WhyElement,
): Promise<WhyResult | null> {
  const known = origins.get(results) ?? new Map<string, Promise<WhyResult | null>>();
  origins.set(results, known);
  const key = JSON.stringify(element);
  const ask = (tries: number): Promise<WhyResult | null> =>
    askWhy(app, results, { element }).catch((error: unknown) => {
      // Another question may have been cancelled, and this one with it.
      const isCurrent = app.state.results.peek() === results;
      if (tries > 1 && isCurrent && isAbort(error)) return ask(tries - 1);
      known.delete(key);
      return null;
    });
  const answer = known.get(key) ?? ask(3);
  known.set(key, answer);
  return answer;
}

/** Runs that took longer, in seconds, are not repeated without being asked. */
const BRIEF = 3;

/** Whether a run is short enough to be repeated for something that nobody has asked for. */
export function isBrief({ run }: Results): boolean {
  return run.seconds <= BRIEF;
}

/** Looks at an element of a chain, wherever the page shows it. */
export function selectRow(
  app: App,
  row: Pick<WhyRow, "name" | "computation" | "iterations" | "device" | "path" | "index">,
  range?: WhyRow["range"],
): void {
  const { name, computation, iterations, device, path, index } = row;
  focusOn(app, { name, computation, iterations, device, path, index, source: null });
  if (range) app.editor?.goTo([range[0], range[0]], false);
}

/** "x[1][2,3]". */
export function elementName(shown: string, path: readonly number[], inside: string): string {
  return `${shown}${path.map((i) => `[${i}]`).join("")}${inside}`;
}

export function indexText(index: readonly number[]): string {
  return index.length > 0 ? `[${index.join(",")}]` : "";
}
