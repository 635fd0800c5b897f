/**
 * What belongs to which program. An edit leaves the program the same, with its inputs and the values
 * of its last run; a text in the place of everything is another one, of which nothing is known yet.
 */
import type { CheckResult, Diagnostic, ParameterInfo } from "../../../wasm/engine_api";
import { words } from "../strings";
import type { App } from "./app";
import { rememberProgram, takeLeft, typeOf, withReturned } from "./left_inputs";
import { type AppState, type InputSpec, NO_FOCUS, type WritableState, writable } from "./state";

/** An edit leaves so much of the shorter of two texts: as its two ends, or as lines. */
const SHARE = 0.5;

/** How many characters two texts begin and end with alike. */
function sameEnds(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < most && a.charCodeAt(begin) === b.charCodeAt(begin)) begin++;
  let end = 0;
  while (
    end < most - begin &&
    a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)
  ) {
    end++;
  }
  return begin + end;
}

/** Of a long text the beginning tells. */
const MOST_LINES = 2_000;

const linesOf = (text: string): Set<string> =>
  new Set(
    text
      .split("\n", MOST_LINES)
      .flatMap((line) => line.split(/\s/).filter(Boolean).join(" ") || []),
  );

/** Whether a text has taken the place of another one, rather than being an edit of it. */
export function isAnotherProgram(before: string, after: string): boolean {
  if (before.trim() === "") return false;
  if (sameEnds(before, after) >= SHARE * Math.min(before.length, after.length)) {
    return after.trim() === "";
  }
  const [a, b] = [linesOf(before), linesOf(after)];
  let same = 0;
  for (const line of a) if (b.has(line)) same++;
  return same < SHARE * Math.min(a.size, b.size);
}

const NOTHING: InputSpec = { text: "", file: null };

/** "iota", "constant:1": makes an array of any shape. */
const isGenerator = ({ text, file }: InputSpec): boolean => !file && /^[a-z]/.test(text);

/**
 * The inputs of parameters that an edit has moved: each stays with its name and shape. A parameter
 * that was renamed keeps its place; one whose shape has changed keeps a generator.
 */
export function keepInputs(
  inputs: InputSpec[],
  before: readonly ParameterInfo[],
  after: readonly ParameterInfo[],
): InputSpec[] {
  const names = new Set(after.map(({ name }) => name));
  const kept = after.map((parameter, at): InputSpec => {
    const from = before.findIndex(({ name }) => name === parameter.name);
    const old = before[from < 0 ? at : from];
    if (!old || (from < 0 && names.has(old.name))) return NOTHING;
    const input = inputs[from < 0 ? at : from] ?? NOTHING;
    const fits = typeOf(old) === typeOf(parameter) || (from >= 0 && isGenerator(input));
    return fits ? input : NOTHING;
  });
  const isSame = kept.every((input, i) => input === (inputs[i] ?? NOTHING));
  return isSame && inputs.length <= kept.length ? inputs : kept;
}

/**
 * Forgets what came of running the program, what could not be done with it or with its link, and the
 * settings that were for it alone.
 */
export function forgetResults(s: WritableState): void {
  const notice = s.notice.peek();
  if (notice?.kind === "error" && !notice.action) s.notice.value = null;
  if (Object.keys(s.settingsBefore.peek()).length > 0) {
    s.settings.value = { ...s.settings.peek(), ...s.settingsBefore.peek() };
    s.settingsBefore.value = {};
  }
  s.results.value = null;
  s.runFaults.value = null;
  s.phase.value = "idle";
}

/** Views forget which parts of the program before were looked at. */
export function leaveViews(app: App): void {
  for (const view of app.views) view.leave?.(app);
}

/** Of a run that is under way nothing is to be heard any more. */
export function stopRun(app: App): void {
  if (app.state.phase.peek() !== "running") return;
  app.runTurn++;
  app.engines.cancelRun();
}

/**
 * Forgets what belongs to the program before, where a text is another one. The inputs of one that
 * comes back come with it.
 */
export function leaveProgram(app: App, text: string): void {
  const s = writable(app.state);
  const before = s.programText.peek();
  const returned = text === before ? null : takeLeft(app, text);
  if (isAnotherProgram(before, text)) {
    // The new one may run already.
    const runs = s.phase.peek() === "running" && app.runText === text;
    if (!runs) stopRun(app);
    forgetResults(s);
    if (runs) s.phase.value = "running";
    rememberProgram(app);
    s.inputs.value = returned ?? [];
    s.inputsOf.value = null;
    s.focus.value = NO_FOCUS;
    s.title.value = "";
    s.example.value = null;
    leaveViews(app);
  } else if (returned) {
    s.inputs.value = returned;
    s.inputsOf.value = null;
  }
  s.programText.value = text;
}

/** Takes what the engine says of a text: inputs and results stay only where they belong to it. */
export function adoptCheck(app: App, text: string, check: CheckResult): void {
  const s = writable(app.state);
  // A layout is no program: the one before is on its way back.
  if (check.kind === "layout") return;
  leaveProgram(app, text);
  // A text that does not parse says nothing of its parameters.
  if (!check.ok && check.parameters.length === 0) return;
  const before = s.inputsOf.peek();
  if (before) {
    const inputs = s.inputs.peek();
    const kept = keepInputs(inputs, before, check.parameters);
    s.inputs.value = withReturned(app, inputs, before, kept, check.parameters);
  }
  s.inputsOf.value = check.parameters;
}

/** What the last run had to say, where it was one of the text as it is. */
export function runFaultsOf({ runFaults, text }: AppState): readonly Diagnostic[] {
  const last = runFaults.value;
  return last && !last.run.ok && last.text === text.value ? last.run.diagnostics : [];
}

/** Whether a fault of a run is of how one of its inputs is written: the engine says so first. */
export const isOfInput = ({ message }: Diagnostic, parameter: number): boolean =>
  message.startsWith(`input ${parameter} (`);

/** What a run refused of an input is past once that changes; faults of other inputs stay. */
export function endFaultsOf(s: WritableState, parameter: number): void {
  const last = s.runFaults.peek();
  const diagnostics = last?.run.diagnostics.filter((fault) => !isOfInput(fault, parameter)) ?? [];
  if (!last || diagnostics.length === last.run.diagnostics.length) return;
  if (diagnostics.length > 0) s.runFaults.value = { ...last, run: { ...last.run, diagnostics } };
  else {
    s.runFaults.value = null;
    s.phase.value = s.results.peek() ? "done" : "idle";
  }
}

/** In a few words, why the last run has no result; without faults, the engine did not answer. */
export function failureText({ runFaults }: AppState): string {
  const { failures } = words.run;
  const last = runFaults.value;
  if (!last) return failures.crashed;
  return last.cause === "run" && last.run.steps === 0 ? failures.refused : failures[last.cause];
}

/** What is wrong with the text as it is: what was found in it, and in running it. */
export function faultsOf(s: AppState): readonly Diagnostic[] {
  const found = s.check.value?.diagnostics ?? [];
  const key = ({ code, range, message }: Diagnostic): string => `${code} ${range[0]} ${message}`;
  const known = new Set(found.map(key));
  return found.concat(runFaultsOf(s).filter((fault) => !known.has(key(fault))));
}
