/**
 * What the machine allows for a case, measured and not looked up: its bytes moved once by the browser's own
 * copy, or its multiplications and additions in registers, whichever takes longer. One thread, vectors
 * of 128 bits, no fused multiply-add, as WebAssembly has them.
 */
import type { BenchCase } from "./cases";
import type { Started } from "./ours";

/** What bounds a case. */
export type Bound = "memory" | "arithmetic";

/** An unsigned number as WebAssembly's binary format has it. */
function leb(value: number): number[] {
  const low = value & 127;
  return value < 128 ? [low] : [low | 128, ...leb(value >>> 7)];
}
const section = (id: number, bytes: number[]): number[] => [id, ...leb(bytes.length), ...bytes];
const V128 = 0x7b;
const I32 = 0x7f;
const F32 = 0x7d;
const simd = (op: number): number[] => [0xfd, ...leb(op)];
const SPLAT = simd(0x13);
const ADD = simd(0xe4);
const MULTIPLY = simd(0xe6);
const LANE_0 = [...simd(0x1f), 0];

/** Sums in registers at a time: enough to hide how long an operation takes, and no more than there are. */
const SUMS = 12;
/** Operations on floats of one iteration. */
const FLOPS = SUMS * 2 * 4;

/**
 * A module of one function of n, x and y: n times every sum s becomes s · x + y. Written here byte by
 * byte since no compiler would leave such a loop alone.
 */
function peakModule(): Uint8Array<ArrayBuffer> {
  const get = (i: number): number[] => [0x20, ...leb(i)];
  const set = (i: number): number[] => [0x21, ...leb(i)];
  const [n, x, y, factor, term, first] = [0, 1, 2, 3, 4, 5];
  const sums = Array.from({ length: SUMS }, (_, i) => first + i);
  const body = [
    ...[...get(x), ...SPLAT, ...set(factor), ...get(y), ...SPLAT, ...set(term)],
    ...[0x03, 0x40],
    ...sums.flatMap((sum) => [
      ...[...get(sum), ...get(factor), ...MULTIPLY, ...get(term), ...ADD],
      ...set(sum),
    ]),
    // n = n - 1; again unless it is 0
    ...[...get(n), 0x41, 1, 0x6b, 0x22, n, 0x0d, 0, 0x0b],
    ...get(first),
    ...sums.slice(1).flatMap((sum) => [...get(sum), ...ADD]),
    ...[...LANE_0, 0x0b],
  ];
  const code = [1, ...leb(SUMS + 2), V128, ...body];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 3, I32, F32, F32, 1, F32]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x70, 0, 0]),
    ...section(10, [1, ...leb(code.length), ...code]),
  ]);
}

/** A function that does this many operations on floats. */
export function startPeak(flops: number): Started {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(peakModule()));
  const peak = instance.exports.p as (n: number, x: number, y: number) => number;
  const count = Math.max(1, Math.round(flops / FLOPS));
  return {
    run: () => void peak(count, 0.999, 0.001),
    sample: () => [],
    dispose: () => undefined,
  };
}

/** A copy that reads and writes this many bytes, both counted. */
export function startCopy(bytes: number): Started {
  const from = new Uint8Array(bytes / 2).fill(1);
  const to = new Uint8Array(from.length).fill(2);
  return { run: () => to.set(from), sample: () => [], dispose: () => undefined };
}

function msOf(started: Started): number {
  let least = Infinity;
  for (let i = 0; i < 5; ++i) {
    const start = performance.now();
    started.run();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

/** What bounds a case; null where neither memory nor arithmetic does. */
export function startLimit({ flops, bytes }: BenchCase): (Started & { bound: Bound }) | null {
  const memory = bytes > 0 ? startCopy(bytes) : null;
  const arithmetic = flops > 0 ? startPeak(flops) : null;
  if (memory && (!arithmetic || msOf(memory) > msOf(arithmetic))) {
    return { ...memory, bound: "memory" };
  }
  return arithmetic && { ...arithmetic, bound: "arithmetic" };
}
