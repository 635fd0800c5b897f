import type { LocalEngine } from "../../wasm/engine_api";

/** The slope of log(time) over log(size) in the upper half of the points [size, time]. */
export function exponentOf(points: readonly (readonly [number, number])[]): number;
/** Calls about a whole program, by name. */
export const calls: Readonly<Record<string, unknown>>;
/** Milliseconds that this process has computed. */
export function cpu(): number;
/** Milliseconds of reading a program of `size` instructions, "check", and of the calls `names` (default: all) about it. */
export function timesOf(
  engine: LocalEngine,
  form: string,
  size: number,
  names?: readonly string[],
  repeats?: number,
): Record<string, number>;
