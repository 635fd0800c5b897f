/** What the cases of the benchmark compute with: the same numbers everywhere. */

/** An array of operands or results. */
export type Numbers = Float32Array | Int32Array;

/** The states of a generator of 32 bits (xorshift), handed to `put` one after another. */
function draw(count: number, seed: number, put: (i: number, state: number) => void): void {
  let state = (seed * 2654435761) >>> 0 || 1;
  for (let i = 0; i < count; i++) {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    put(i, state);
  }
}

/** Floats in [-scale, scale). */
export function randomFloats(count: number, seed = 1, scale = 1): Float32Array {
  const made = new Float32Array(count);
  draw(count, seed, (i, state) => {
    made[i] = ((state >>> 8) / 8388608 - 1) * scale;
  });
  return made;
}

/** Integers in [0, below). */
export function randomIndices(count: number, below: number, seed = 7): Int32Array {
  const made = new Int32Array(count);
  draw(count, seed, (i, state) => {
    made[i] = state % below;
  });
  return made;
}

/** Rows with a single 1. */
export function oneHot(rows: number, columns: number): Float32Array {
  const made = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) made[i * columns + ((i * 7) % columns)] = 1;
  return made;
}
