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

/** An operand: so many numbers, and what writes them where they are wanted. */
export interface Source {
  readonly kind: typeof Float32Array | typeof Int32Array;
  readonly count: number;
  write(to: Numbers): void;
}

/** The numbers in an array of their own. */
export function arrayOf({ kind, count, write }: Source): Numbers {
  const made = new kind(count);
  write(made);
  return made;
}

/** Numbers that are there already. */
export const copyOf = (data: Numbers): Source => ({
  kind: data instanceof Int32Array ? Int32Array : Float32Array,
  count: data.length,
  write: (to) => to.set(data),
});

const floatsOf = (count: number, write: (to: Numbers) => void): Source => ({
  kind: Float32Array,
  count,
  write,
});

// Loops of their own, and no function of what to do with a state: data are part of the first call, which is timed.

/** Floats in [-scale, scale). */
export const randomFloats = (count: number, seed = 1, scale = 1): Source =>
  floatsOf(count, (to) => {
    let state = stateOf(seed);
    for (let i = 0; i < count; i++) {
      state = next(state);
      to[i] = ((state >>> 8) / 8388608 - 1) * scale;
    }
  });

/** Integers in [0, below). */
export const randomIndices = (count: number, below: number, seed = 7): Source => ({
  kind: Int32Array,
  count,
  write: (to) => {
    let state = stateOf(seed);
    for (let i = 0; i < count; i++) {
      state = next(state);
      to[i] = state % below;
    }
  },
});

/** Complex numbers with random parts, which lie in turns among the floats of that seed: the real ones, and the others. */
export function randomPairs(count: number, seed = 1): [Source, Source] {
  const part = (offset: 0 | 1): Source =>
    floatsOf(count, (to) => {
      let state = offset ? next(stateOf(seed)) : stateOf(seed);
      for (let i = 0; i < count; i++) {
        state = next(state);
        to[i] = (state >>> 8) / 8388608 - 1;
        state = next(state);
      }
    });
  return [part(0), part(1)];
}

/** Rows with a single 1. */
export const oneHot = (rows: number, columns: number): Source =>
  floatsOf(rows * columns, (to) => {
    to.fill(0);
    for (let i = 0; i < rows; i++) to[i * columns + ((i * 7) % columns)] = 1;
  });
