/** Runs what is compared, in the engine that runs programs. */
import type { CheckResult, PrecisionOptions } from "../../../../wasm/engine_api";
import { runOptions } from "../../app/actions";
import type { App } from "../../app/app";
import { engineInputs, gridOf } from "../../app/device_inputs";
import { isAbort } from "../../app/engine_link";
import { checkProgram } from "../../app/engines";
import { printExpected, printRun } from "./linked";
import {
  type Expected,
  OTHER_CHOICES,
  type OtherRun,
  type PrecisionOutcome,
  precisionSession,
  type Reference,
} from "./session";
import { precisionWords } from "./words";

/** "1.0" as a path into tuples; null for what is none. */
export function pathOf(element: string): number[] | null {
  const parts = element.trim() === "" ? [] : element.trim().split(".");
  return parts.every((part) => /^\d{1,6}$/.test(part)) ? parts.map(Number) : null;
}

/** Whether the second run has nothing of its own. */
function isSame({ seed, products, multiplyAdd, inputs }: OtherRun): boolean {
  return [seed, products, multiplyAdd, ...inputs].every((text) => text.trim() === "");
}

/** What the second run has of its own; undefined for nothing. */
function changesOf(app: App, run: OtherRun, check: CheckResult): PrecisionOptions["changes"] {
  const inputs = run.inputs.slice(0, check.parameters.length);
  const seed = run.seed.trim();
  if (isSame({ ...run, inputs })) return undefined;
  return {
    ...engineInputs(inputs, gridOf(check, app.state.settings.peek())),
    ...(/^\d{1,10}$/.test(seed) ? { seed: Number(seed) } : {}),
    ...Object.fromEntries(
      OTHER_CHOICES.flatMap(({ key, usual, choices }) =>
        choices.filter((name) => (name || usual) === run[key]).map((name) => [key, name]),
      ),
    ),
  };
}

function expectedOf(
  rows: readonly Expected[],
): Pick<PrecisionOptions, "expected" | "expectedFiles"> {
  const given = rows.filter(({ text, file }) => file || text.trim() !== "");
  return {
    expected: given.map(({ element, text }) => ({ path: pathOf(element) ?? [], text })),
    expectedFiles: given.flatMap(({ file }, parameter) =>
      file ? [{ parameter, bytes: file.bytes }] : [],
    ),
  };
}

/** What is asked of the engine beside the program and its inputs. */
function referenceOptions(
  app: App,
  reference: Reference,
  check: CheckResult,
): Partial<PrecisionOptions> {
  const session = precisionSession(app);
  switch (reference) {
    case "f64":
      return { as: "f64" };
    case "f32":
      return { as: "f32" };
    case "f32sums":
      return { as: "f32", sums: "f64" };
    case "sums":
      return { as: "own", sums: "f64" };
    case "inputs":
    case "other": {
      const changes = changesOf(app, session.run.peek(), check);
      return changes || reference === "inputs" ? { changes: changes ?? {} } : {};
    }
    case "expected":
      return expectedOf(session.expected.peek());
  }
}

/** Why there is nothing to compare with yet; "" when there is. */
export function lacks(app: App): string {
  const { reference, other, run, expected } = precisionSession(app);
  const w = precisionWords;
  switch (reference.value) {
    case "other":
      return other.value ? "" : w.chooseFirst;
    case "inputs":
      return isSame(run.value) ? w.changeFirst : "";
    case "expected":
      if (expected.value.some(({ element }) => pathOf(element) === null)) return w.elementFirst;
      return expected.value.some(({ text, file }) => file || text.trim()) ? "" : w.expectFirst;
    default:
      return "";
  }
}

/** What is asked beside the program: what it is compared with, and how both are run. */
export function questionOf(app: App): readonly unknown[] {
  const { reference, other, run, expected } = precisionSession(app);
  const all = app.state.inputs.value;
  // Places without an input come and go with what is known of the parameters.
  const inputs = all.slice(0, all.findLastIndex(({ text, file }) => text !== "" || file) + 1);
  const isOther = reference.value === "other";
  const rows = reference.value === "expected" ? expected.value : [];
  return [
    reference.value,
    isOther ? other.value?.text : "",
    isOther || reference.value === "inputs" ? printRun(run.value) : "",
    printExpected(rows),
    ...rows.map(({ file }) => file?.bytes),
    JSON.stringify(app.state.settings.value),
    JSON.stringify(inputs.map(({ text }) => text)),
    ...inputs.map(({ file }) => file?.bytes),
  ];
}

/** Whether a comparison is not of what would be compared now, although the program is the same. */
export function isOutdated(app: App, { question }: PrecisionOutcome): boolean {
  const now = questionOf(app);
  return now.length !== question.length || now.some((part, at) => part !== question[at]);
}

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
  const question = questionOf(app);
  try {
    const check = await checkProgram(app.engines, text, inputs);
    stop.signal.throwIfAborted();
    // Its runs record no trace.
    const { traceLimit, ...run } = runOptions(app, check);
    const options = { ...run, ...referenceOptions(app, reference, check) };
    const answer = await app.engines.precision(text, options, other, stop.signal);
    if (session.running.peek() !== stop) return;
    session.outcome.value = { text, reference, question, answer };
    session.compared.value = true;
  } catch (error) {
    if (session.running.peek() !== stop) return;
    const why = error instanceof Error ? error.message : String(error);
    session.problem.value = isAbort(error) ? precisionWords.stopped : why;
  } finally {
    if (session.running.peek() === stop) session.running.value = null;
  }
}
