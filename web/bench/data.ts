/** What the cases of the benchmark compute with: the same numbers everywhere. */

/** An array of operands or results. */
export type Numbers = Float32Array | Int32Array;

/** Where the generator of a seed begins. */
const stateOf = (seed: number): number => (seed * 2654435761) >>> 0 || 1;

/** The state after this one, of a generator of 32 bits (xorshift). */
function next(state: number): number {
  const a = (state ^ (state << 13)) >>> 0;
  const b = a ^ (a >>> 17);
  return (b ^ (b << 5)) >>> 0;
}

// Two loops, and no function of what to do with a state: data are part of the first call, which is timed.

/** Floats in [-scale, scale). */
export function randomFloats(count: number, seed = 1, scale = 1): Float32Array {
  const made = new Float32Array(count);
  let state = stateOf(seed);
  for (let i = 0; i < count; i++) {
    state = next(state);
    made[i] = ((state >>> 8) / 8388608 - 1) * scale;
  }
  return made;
}

/** Integers in [0, below). */
export function randomIndices(count: number, below: number, seed = 7): Int32Array {
  const made = new Int32Array(count);
  let state = stateOf(seed);
  for (let i = 0; i < count; i++) {
    state = next(state);
    made[i] = state % below;
  }
  return made;
}

/** Complex numbers with random parts: the real ones, and the others. */
export function randomPairs(count: number, seed = 1): [Float32Array, Float32Array] {
  const [re, im] = [new Float32Array(count), new Float32Array(count)];
  const both = randomFloats(2 * count, seed);
  for (let i = 0; i < count; i++) {
    re[i] = both[2 * i] as number;
    im[i] = both[2 * i + 1] as number;
  }
  return [re, im];
}

/** Rows with a single 1. */
export function oneHot(rows: number, columns: number): Float32Array {
  const made = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) made[i * columns + ((i * 7) % columns)] = 1;
  return made;
}
