/**
 * Measures a case: this engine, plain JavaScript and the limit in turns, so that what else the machine
 * does is the same for all.
 */
import type { LocalEngine } from "../../wasm/engine_api";
import type { BenchCase } from "./cases";
import { arrayOf, copyOf } from "./data";
import { type Bound, startLimit } from "./limits";
import { type Started, startOurs } from "./ours";
import { startPlain } from "./plain.mjs";

/** Times in milliseconds of one call; null where there is none. */
export interface Measured {
  readonly name: string;
  readonly ours: number;
  /** With fused multiply-adds, of what these make a difference to, where that was asked. */
  readonly fused?: number;
  readonly plain: number | null;
  readonly limit: number | null;
  readonly bound: Bound | null;
  /** Compiling the program and its first call, with operands brought into the engine. */
  readonly first: number;
  /** The first elements of the results differ. */
  readonly differs: boolean;
}

export interface Effort {
  /** How often each takes its turn. */
  readonly rounds: number;
  /** Milliseconds of a turn; what takes longer is called once. */
  readonly turn: number;
  /** Sums of products are measured with fused multiply-adds too. */
  readonly isFusedToo?: boolean;
}

export const USUAL: Effort = { rounds: 5, turn: 60 };
export const QUICK: Effort = { rounds: 3, turn: 20 };
/** What takes longer than this, in milliseconds, has one turn only. */
const LONG = 400;
/** Clocks of browsers are coarse: shorter calls are timed several at a time, in milliseconds. */
const SHORT = 2;

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? 0) + (sorted[sorted.length >> 1] ?? 0)) / 2;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** One of those that take turns. */
class Runner {
  readonly #started: Started;
  readonly #times: number[] = [];
  #last: number;

  constructor(started: Started, firstCall: number) {
    this.#started = started;
    this.#last = firstCall;
  }

  turn(ms: number): void {
    if (this.#times.length > 0 && this.#last > LONG) return;
    const together = Math.max(1, Math.min(2000, Math.ceil(SHORT / Math.max(this.#last, 0.001))));
    const times: number[] = [];
    for (let left = ms; left > 0 && times.length < 2000; ) {
      const took = timed(() => {
        for (let i = 0; i < together; ++i) this.#started.run();
      });
      times.push(took / together);
      left -= took;
    }
    this.#last = median(times);
    this.#times.push(this.#last);
  }

  /** Of the best turn: what else the machine did in the others is no property of what is measured. */
  get ms(): number {
    return Math.min(...this.#times);
  }
}

/** Whether samples are the same but for rounding. */
export function agree(a: readonly number[], b: readonly number[]): boolean {
  return a.every((x, i) => {
    const y = b[i] ?? x;
    return Math.abs(x - y) <= 2e-3 * (1 + Math.abs(x));
  });
}

export function measure(engine: LocalEngine, bench: BenchCase, effort: Effort): Measured {
  const operands = bench.operands().map(arrayOf);
  const copies = operands.map(copyOf);
  let ours: Started | null = null;
  const fused =
    effort.isFusedToo && bench.isSum
      ? startOurs(engine, bench, copies, { multiplyAdd: "fused" })
      : null;
  const plain = startPlain(bench.name, operands);
  try {
    const first = timed(() => {
      ours = startOurs(engine, bench, copies);
      ours.run();
    });
    const started = ours as unknown as Started;
    const sample = started.sample();
    const runners = { ours: new Runner(started, timed(started.run)), plain: null as Runner | null };
    const fusedRunner = fused && new Runner(fused, timed(fused.run));
    let differs = false;
    if (plain) {
      runners.plain = new Runner(plain, timed(plain.run));
      differs = !agree(plain.sample(), sample);
    }
    const limit = startLimit(bench);
    const bound = limit && new Runner(limit, timed(limit.run));
    for (let round = 0; round < effort.rounds; ++round) {
      for (const runner of [runners.ours, fusedRunner, runners.plain, bound])
        runner?.turn(effort.turn);
    }
    return {
      name: bench.name,
      ours: runners.ours.ms,
      ...(fusedRunner ? { fused: fusedRunner.ms } : {}),
      plain: runners.plain?.ms ?? null,
      limit: bound?.ms ?? null,
      bound: limit?.bound ?? null,
      first,
      differs,
    };
  } finally {
    (ours as Started | null)?.dispose();
    fused?.dispose();
  }
}
