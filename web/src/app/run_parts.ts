/**
 * The parts of a run: first the compiled program, for its result and its time, then a slower run
 * that records the value of every instruction. Each can be turned off.
 */
import type { RunOptions, RunResult } from "../../../wasm/engine_api";
import { words } from "../strings";
import { type Engines, hasValues, type Keeping, ranOutOfTime } from "./engines";
import type { RunSettings } from "./settings";
import type { FaultCause, RunPart, RunPhase } from "./state";

/** What has come of a run so far. */
export interface RunOutcome {
  phase: RunPhase;
  part: RunPart;
  /** The run whose values are to be shown; null: those that are shown stay. */
  result: RunResult | null;
  compiled: RunResult | null;
  faults: { run: RunResult; cause: FaultCause } | null;
}

/** A recording that ends within so many milliseconds is shown at once with the compiled run. */
const PAUSE = 200;

/** Seconds that are recorded of a program that does not end within its limit. */
const GLIMPSE = 1;

function outcomeOf(run: RunResult, part: RunPart, compiled: RunResult | null): RunOutcome {
  return {
    phase: run.ok ? "done" : "failed",
    part,
    result: hasValues(run) ? run : null,
    compiled,
    faults: run.ok ? null : { run, cause: "run" },
  };
}

/** Whether a run ended at a limit rather than at a fault of the program. */
function metLimit(run: RunResult): boolean {
  return ranOutOfTime(run) || run.diagnostics.some(({ code }) => code === "memory-exceeded");
}

/** The fault of an engine whose two ways to run a program do not give the same. */
function differing(run: RunResult): RunResult {
  const message = words.run.differs;
  const fault = { code: "results-differ", severity: "error", range: [0, 0], message } as const;
  return {
    ...run,
    ok: false,
    diagnostics: [{ ...fault, range: [0, 0], notes: [], fixes: [] }, ...run.diagnostics],
  };
}

/** Whether the run that records the values of a program takes the place of the compiled one. */
function keepsRecorded(compiled: RunResult, recorded: RunResult): Keeping {
  if (!compiled.ok) return hasValues(recorded);
  return recorded.ok || (metLimit(recorded) && recorded.trace.length > 0 && "beside");
}

/** The result of one run, with the values that another one recorded until it stopped. */
function withValues(compiled: RunResult, { handle, trace, traceCount }: RunResult): RunResult {
  return { ...compiled, handle, trace, traceCount };
}

/** What two runs of one program come to. */
export function combine(compiled: RunResult, recorded: RunResult): RunOutcome {
  const recording = outcomeOf(recorded, "recording", compiled.ok ? compiled : null);
  if (compiled.ok && !recorded.ok) {
    const isLimit = metLimit(recorded);
    const run = isLimit ? recorded : differing(recorded);
    const cause = isLimit ? "recording" : "difference";
    const phase = isLimit ? "done" : "failed";
    const isKept = keepsRecorded(compiled, recorded) !== false;
    const result = isKept ? withValues(compiled, recorded) : null;
    return { ...recording, phase, result, compiled, faults: { run, cause } };
  }
  const isSame = compiled.ok === recorded.ok && compiled.fingerprint === recorded.fingerprint;
  if (!isSame && !(recorded.ok && metLimit(compiled))) {
    return {
      ...recording,
      phase: "failed",
      faults: { run: differing(recorded), cause: "difference" },
    };
  }
  // Of a program that does not end only a glimpse was recorded.
  if (!recorded.ok && ranOutOfTime(compiled)) {
    return { ...recording, faults: { run: compiled, cause: "run" } };
  }
  return recording;
}

/** Who wants to know what comes of a run. */
export interface RunListener {
  /** Each outcome takes the place of the one before. */
  show(outcome: RunOutcome): void;
  /** What is left if the rest of the run is cancelled; null: what was there before. */
  hold(outcome: RunOutcome | null): void;
}

/** Rejects as the engines do. */
export async function runInParts(
  engines: Engines,
  text: string,
  options: RunOptions,
  settings: RunSettings,
  { show, hold }: RunListener,
): Promise<void> {
  const { recordValues, runCompiled, timeLimit } = settings;
  if (!runCompiled) {
    const recorded = await engines.run(text, { ...options, trace: true });
    show(outcomeOf(recorded, "recording", null));
    return;
  }
  const asked = { ...options, fingerprint: recordValues };
  const compiled = await engines.run(text, { ...asked, trace: false });
  const first = outcomeOf(compiled, "compiled", compiled.ok ? compiled : null);
  // What fails before its first instruction does so again.
  if (!recordValues || (!compiled.ok && compiled.steps === 0)) {
    show(first);
    return;
  }
  if (first.result) hold(first);
  const pause = setTimeout(() => show({ ...first, phase: "running", part: "recording" }), PAUSE);
  try {
    const most = ranOutOfTime(compiled) ? Math.min(timeLimit, GLIMPSE) : timeLimit;
    const recorded = await engines.run(text, { ...asked, timeLimit: most, trace: true }, (result) =>
      keepsRecorded(compiled, result),
    );
    hold(null);
    const both = combine(compiled, recorded);
    show(both.result || !first.result ? both : { ...both, result: first.result });
  } finally {
    clearTimeout(pause);
  }
}
