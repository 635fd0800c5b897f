/**
 * The page's engines. `typing` answers while the user types. Runs alternate between two workers:
 * one holds the last good results, the other runs; so cancelling a run (which terminates its
 * worker) never discards the results on the screen. Where the result is of one run and the recorded
 * values are of another, which stopped, two workers hold them, and a third one runs.
 */
import { handleOf, withHandle } from "../../../wasm/calls";
import type {
  CheckResult,
  ComputationInfo,
  PrecisionOptions,
  PrecisionResult,
  RunOptions,
  RunResult,
  ScriptResult,
  ValueRef,
} from "../../../wasm/engine_api";
import { partsOf } from "./device_inputs";
import { type EngineLink, isAbort } from "./engine_link";
import { TextEngine } from "./text_engine";

/** Maximum number of entries per request of a list. */
export const LIST_WINDOW = 1000;

/** All entries of a list that comes in parts; `take` gives the entries of a window. */
async function inWindows<T>(
  take: (begin: number) => Promise<readonly T[]>,
  add: (part: readonly T[]) => number,
  begin = 0,
): Promise<void> {
  for (let at = begin; ; at += LIST_WINDOW) {
    const part = await take(at);
    if (add(part) < LIST_WINDOW) return;
  }
}

/** The outline of a text. A computation that is split between windows is merged. */
export async function outlineOf({ typing }: Engines, text: string): Promise<ComputationInfo[]> {
  const all: ComputationInfo[] = [];
  await inWindows(
    (begin) => typing.call("outline", [text, { begin, count: LIST_WINDOW }]),
    (part) => {
      let count = 0;
      for (const computation of part) {
        count += computation.instructions.length;
        const last = all.at(-1);
        if (last?.nameRange[0] === computation.nameRange[0])
          last.instructions.push(...computation.instructions);
        else all.push(computation);
      }
      return count;
    },
  );
  return all;
}

/** Whether anything came of a run that can be looked at. */
export const hasValues = ({ trace, output }: RunResult): boolean =>
  trace.length > 0 || output !== null;

/** Whether a run ended at its time limit. */
export function ranOutOfTime({ diagnostics }: Pick<RunResult, "diagnostics">): boolean {
  return diagnostics.some(({ code }) => code === "time-exceeded");
}

/** A run, in the worker that has its values. */
interface HeldRun {
  link: EngineLink;
  handle: number;
}

/** Two runs of a program as one: values of `recorded`, which stopped, and the results of `whole`. */
function asOne(recorded: HeldRun, whole: HeldRun): EngineLink {
  const isResult = (method: string, [ref]: readonly unknown[]): boolean =>
    method === "pythonScript" || /^(output|host)/.test(`${(ref as Partial<ValueRef>).entry}`);
  return {
    call(method, args, options) {
      if (handleOf(method, args) !== recorded.handle || !isResult(method, args)) {
        return recorded.link.call(method, args, options);
      }
      const asked = withHandle(method, args, whole.handle) as typeof args;
      return whole.link.call(method, asked, options);
    },
    cancel: () => recorded.link.cancel(),
  };
}

/** Whether a run takes the place of the last one; "beside": it does, but the results stay the last one's. */
export type Keeping = boolean | "beside";

/** Seconds that a program may take before it is worth fetching the build that generates code. */
const PATIENCE = 0.5;
/** Seconds from which it is worth fetching that build for the next run, while nobody waits. */
const WORTHWHILE = 0.1;

/** Whether the browser is asked to fetch no more than it must. */
const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

export class Engines {
  readonly typing: TextEngine;
  readonly #create: () => EngineLink;
  /** The last good run. */
  #held: HeldRun | null = null;
  /** The run that has its results, where that is another one. */
  #whole: HeldRun | null = null;
  #debugging: EngineLink | null = null;
  /** What compares runs, and what runs for a script: a run is cancelled without them. */
  #comparing: EngineLink | null = null;
  #scripting: EngineLink | null = null;
  #runner: EngineLink;
  /** Workers that hold nothing. */
  readonly #spare: EngineLink[] = [];
  /** The last text that was checked. */
  #checked: { text: string; inputs: string[]; made: Promise<CheckResult> } | null = null;
  /** A program has taken long: from now on the build that generates code runs them. */
  #generatesCode = false;
  /** Seconds of the last run. */
  #took = 0;
  #prepares = false;
  /** A worker that has that build, and nothing else to do. */
  #prepared: EngineLink | null = null;

  constructor(create: () => EngineLink) {
    this.#create = create;
    this.typing = new TextEngine(create());
    this.#runner = create();
  }

  /**
   * What is wrong with a text, and what it is. Whoever asks about the same text gets the same answer: a
   * run asks as soon as there is one.
   */
  check(text: string, inputs: string[]): Promise<CheckResult> {
    const last = this.#checked;
    const hasSame = (given: string[]): boolean =>
      given.length === inputs.length && given.every((input, i) => input === inputs[i]);
    if (last?.text === text && hasSame(last.inputs)) return last.made;
    const made = this.typing.call("check", [text, inputs]);
    const checked = { text, inputs, made };
    this.#checked = checked;
    made.catch(() => {
      if (this.#checked === checked) this.#checked = null;
    });
    return made;
  }

  /** The engine that holds the values of the last good run. */
  get results(): EngineLink {
    if (this.#held && this.#whole) return asOne(this.#held, this.#whole);
    return this.#held?.link ?? this.#runner;
  }

  /** The engine that holds the timeline of a run, apart from the others: it is busy for long. */
  get debugging(): EngineLink {
    this.#debugging ??= this.#create();
    return this.#debugging;
  }

  /** Runs; when it is worth keeping, its values replace those of the last run. */
  async run(
    text: string,
    options: RunOptions,
    keeping: (result: RunResult) => Keeping = hasValues,
  ): Promise<RunResult> {
    if (options.trace === false) this.#takePrepared();
    const runner = this.#runner;
    const asked = { ...options, traceWindow: LIST_WINDOW };
    const result =
      options.trace === false
        ? await this.#runCompiled(runner, text, asked)
        : await runner.call("run", [text, asked]);
    this.#notice(result.seconds);
    if (result.trace.length === LIST_WINDOW) {
      await inWindows(
        (begin) => runner.call("trace", [{ handle: result.handle }, { begin, count: LIST_WINDOW }]),
        (part) => {
          result.trace.push(...part);
          return part.length;
        },
        LIST_WINDOW,
      );
    }
    const kept = keeping(result);
    if (kept) {
      if (kept === "beside") this.#whole = this.#held;
      else this.#free();
      this.#held = { link: runner, handle: result.handle };
      // Another worker is only created once those that there are hold results.
      this.#runner = this.#spare.pop() ?? this.#create();
    } else if (result.handle) {
      runner.call("release", [result.handle]).catch(() => undefined);
    }
    return result;
  }

  /** Lets go of the last good run. */
  #free(): void {
    for (const run of [this.#held, this.#whole]) if (run) this.#retire(run.link, run.handle);
    this.#whole = null;
  }

  /** A worker is spare once it has answered what it was asked: nobody's question ends with a later run. */
  #retire(link: EngineLink, handle = 0): void {
    const { busy = false } = link;
    const released =
      busy || handle ? link.call("release", [handle]).catch(() => undefined) : undefined;
    if (busy) void released?.then(() => this.#spare.push(link));
    else this.#spare.push(link);
  }

  /** In the build that is there, or, where that takes long, in the one that generates code. */
  async #runCompiled(runner: EngineLink, text: string, options: RunOptions): Promise<RunResult> {
    const timeLimit = options.timeLimit ?? Infinity;
    if (!this.#generatesCode) {
      const brief = { ...options, timeLimit: Math.min(timeLimit, PATIENCE) };
      const result = await runner.call("run", [text, brief]);
      if (timeLimit <= PATIENCE || !ranOutOfTime(result)) return result;
      if (result.handle) runner.call("release", [result.handle]).catch(() => undefined);
      this.#generatesCode = true;
    }
    try {
      return await runner.call("run", [text, { ...options, generatesCode: true }]);
    } catch (error) {
      if (isAbort(error)) throw error;
      // It cannot be fetched, now: the other build gives the same results.
      this.#generatesCode = false;
      return runner.call("run", [text, options]);
    }
  }

  /** Of two runs one is not the first, which also takes what the browser needs to compile the engine. */
  #notice(seconds: number): void {
    const isSlow = Math.min(this.#took, seconds) >= WORTHWHILE;
    this.#took = seconds;
    if (isSlow && !this.#generatesCode && !savesData()) void this.#prepare();
  }

  /** Has the build that generates code fetched, in a worker that nothing waits for. */
  async #prepare(): Promise<void> {
    if (this.#prepares) return;
    this.#prepares = true;
    const link = this.#create();
    try {
      // No program at all: the least that asks for that build.
      const { handle } = await link.call("run", ["", { trace: false, generatesCode: true }]);
      if (handle) await link.call("release", [handle]);
      this.#prepared = link;
      this.#generatesCode = true;
    } catch {
      // It cannot be had, now: programs run as before.
      this.#spare.push(link);
    }
    this.#prepares = false;
  }

  /** The worker that is prepared runs next. */
  #takePrepared(): void {
    if (!this.#prepared) return;
    this.#retire(this.#runner);
    this.#runner = this.#prepared;
    this.#prepared = null;
  }

  /** A script for JAX: from a run whose values are held, or (null) from a run for its own sake. */
  script(text: string, options: RunOptions, handle: number | null): Promise<ScriptResult> {
    if (handle === null) {
      this.#scripting ??= this.#create();
      return this.#scripting.call("pythonScript", [text, options]);
    }
    return this.results.call("pythonScript", [text, { ...options, handle }]);
  }

  /** Runs two programs and compares their values, of which it keeps none. */
  precision(
    text: string,
    options: PrecisionOptions,
    other: string,
    signal: AbortSignal,
  ): Promise<PrecisionResult> {
    this.#comparing ??= this.#create();
    return this.#comparing.call("precision", [text, options, other], { signal });
  }

  /** One more worker, for questions that take as long as a run. */
  another(): EngineLink {
    return this.#create();
  }

  /** Ends a run that is under way; its promise rejects with an AbortError. */
  cancelRun(): void {
    this.#runner.cancel();
  }
}

/** The result of checking a text, with the page's inputs, which determine unknown sizes. */
export function checkProgram(
  engines: Engines,
  text: string,
  inputs: readonly { text: string }[],
): Promise<CheckResult> {
  return engines.check(
    text,
    inputs.map((input) => partsOf(input.text).shared),
  );
}

/**
 * The same for a run. Of a text that is typed on meanwhile the check may be given up: what the run cannot do
 * without (`isNeeded`) another worker says, else null.
 */
export async function checkForRun(
  engines: Engines,
  text: string,
  inputs: readonly { text: string }[],
  isNeeded: boolean,
): Promise<CheckResult | null> {
  try {
    return await checkProgram(engines, text, inputs);
  } catch (error) {
    if (!isAbort(error)) throw error;
    const shared = inputs.map((input) => partsOf(input.text).shared);
    return isNeeded ? engines.results.call("check", [text, shared]) : null;
  }
}

/**
 * Calls of one kind where only the newest matters: while one is under way, later ones wait and only
 * the last of them is made. The others resolve with null.
 */
export class Latest<A, R> {
  readonly #make: (argument: A) => Promise<R>;
  #running = false;
  #waiting: { argument: A; done: (result: R | null) => void } | null = null;

  constructor(make: (argument: A) => Promise<R>) {
    this.#make = make;
  }

  ask(argument: A): Promise<R | null> {
    this.#waiting?.done(null);
    return new Promise((done) => {
      this.#waiting = { argument, done };
      if (!this.#running) void this.#next();
    });
  }

  async #next(): Promise<void> {
    this.#running = true;
    while (this.#waiting) {
      const { argument, done } = this.#waiting;
      this.#waiting = null;
      try {
        done(await this.#make(argument));
      } catch {
        done(null);
      }
    }
    this.#running = false;
  }
}
