// How the time of operations on one array, and of the views of one value, grows with the array.
import { createEngine } from "../../build/npm/index.js";
import { affordable } from "./growth_budget.mjs";
import { cpu } from "./growth_calls.mjs";
import { printRows } from "./growth_rows.mjs";

/** Counts of elements: from 1 KB to 1 GB. */
const COUNTS = [256, 4096, 65_536, 2 ** 20, 2 ** 22, 2 ** 24, 2 ** 26, 2 ** 28];
/** Of the Wasm memory of 4 GB, what a program may take. */
const MEMORY = 3.75 * 2 ** 30;
/** In bytes: no cache holds arrays of this size, so the exponents are those of memory. */
const CACHES = 64e6;
/** From so many elements on every program has an engine of its own, with all the memory. */
const LARGE = 2 ** 24;

/** Operations on one array: { name: program of n elements }. */
const operations = {
  add: (n) => `x = f32[${n}] parameter(0) ROOT r = f32[${n}] add(x, x)`,
  tanh: (n) => `x = f32[${n}] parameter(0) ROOT r = f32[${n}] tanh(x)`,
  reduce: (n) =>
    `x = f32[${n}] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=sum`,
  transpose: (n) =>
    `x = f32[${n / 4},4] parameter(0) ROOT r = f32[4,${n / 4}] transpose(x), dimensions={1,0}`,
  sort: (n) =>
    `x = f32[${n}] parameter(0) ROOT r = f32[${n}] sort(x), dimensions={0}, to_apply=less`,
  gather: (n) =>
    `x = f32[${n}] parameter(0) i = s32[${n},1] iota(), iota_dimension=0 ROOT r = f32[${n}] gather(x, i), offset_dims={}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1}`,
  scatter: (n) =>
    `x = f32[${n}] parameter(0) i = s32[${n},1] iota(), iota_dimension=0 ROOT r = f32[${n}] scatter(x, i, x), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum`,
  "running sum": (n) =>
    `x = f32[${n}] parameter(0) z = f32[] constant(0) ROOT r = f32[${n}] reduce-window(x, z), window={size=${n} pad=${n - 1}_0}, to_apply=sum`,
  fft: (n) =>
    `x = f32[${n}] parameter(0) z = c64[${n}] complex(x, x) ROOT r = c64[${n}] fft(z), fft_type=FFT, fft_length={${n}}`,
};
const REGIONS = `HloModule arrays
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }
`;

/** The views of one value. */
const views = {
  valueWindow: (engine, ref, n) =>
    engine.valueWindow(ref, { origin: [n >> 1], rowDim: -1, colDim: 0, rows: 1, cols: 60 }),
  valueStats: (engine, ref) => engine.valueStats(ref),
  valueFigures: (engine, ref) => engine.valueFigures(ref, { type: "f32" }),
  valueHistogram: (engine, ref) => engine.valueHistogram(ref, { type: "f32", scale: "linear" }, 64),
  valueTiles: (engine, ref, n) => engine.valueTiles(ref, { type: "f32" }, rowOf(n), 1, 1000),
  valueImage: (engine, ref, n) =>
    engine.valueImage(
      ref,
      { type: "f32" },
      { ...rowOf(n), channelDim: -1, low: 0, high: 1 },
      1,
      1000,
    ),
  valueText: (engine, ref) => engine.valueText(ref, 1000),
  memory: (engine, ref, n) => engine.memory(ref, `f32[${n}]{0:T(1024)}`, n, 4096),
  nonFinite: (engine, { handle }) => engine.nonFinite({ handle }),
};
const rowOf = (n) => ({ origin: [0], rowDim: -1, colDim: 0, rows: 1, cols: n });

/** Numbers in no order. */
function scatterInto(array) {
  const block = Math.min(array.length, 65_536);
  for (let i = 0; i < block; ++i) array[i] = (Math.imul(i, 2_654_435_761) >>> 8) / 2 ** 24;
  for (let at = block; at < array.length; at *= 2) {
    array.copyWithin(at, 0, Math.min(at, array.length - at));
  }
}

function timed(work) {
  const start = cpu();
  work();
  return cpu() - start;
}
/** The best of several times: of many if the work is short, of one if it is long. */
function least(work) {
  let best = timed(work);
  for (let i = 0; i < 20 && best < 500 / (i + 1); ++i) best = Math.min(best, timed(work));
  return best;
}

/** Milliseconds of an operation on n elements. */
function timeOfOperation(engine, name, n) {
  const body = operations[name](n);
  const call = engine.compile(`${REGIONS}ENTRY e { ${body} }\n`, {
    memoryLimit: MEMORY,
    timeLimit: 100,
  });
  try {
    // Of short ones as many as the clock can tell from nothing.
    const times = Math.max(1, Math.round(2e5 / n));
    const work = () => {
      for (let i = 0; i < times; ++i) call.run();
    };
    scatterInto(call.argument(0));
    // The first call makes code. A result is made while the last one is there: the second call, too, may ask for
    // memory that the system has not cleared yet.
    work();
    work();
    return least(work) / times;
  } finally {
    call.release();
  }
}

/** Keeps an array of n random elements in the engine. */
function keepArray(engine, n) {
  const text = `${REGIONS}ENTRY e { ROOT x = f32[${n}] parameter(0) }\n`;
  const run = engine.run(text, { inputs: ["random"], memoryLimit: MEMORY, timeLimit: 100 });
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  return run.handle;
}

/** Measures for every count what there is time for; `measure(name, n)` gives milliseconds. */
async function grow(rows, left, counts, limits, begin) {
  for (const n of counts) {
    const measure = await begin(n);
    const { taken, left: costly } = affordable(rows, 4 * n, limits());
    for (const [name, why] of costly) left.get(name).push([4 * n, why]);
    for (const name of taken) {
      try {
        rows.get(name).push([4 * n, Math.max(await measure(name), 1e-3)]);
      } catch (error) {
        left.get(name).push([4 * n, error.message]);
      }
    }
  }
}

const emptyOf = (calls) => new Map(Object.keys(calls).map((name) => [name, []]));

/** Prints the exponents; `most` elements, in `seconds`, about. */
export async function growArrays({ most = COUNTS.at(-1), seconds = 45 } = {}) {
  const counts = COUNTS.filter((n) => n <= most);
  let engine = await createEngine();
  const engineFor = async (n) => {
    if (n >= LARGE) engine = await createEngine();
    return engine;
  };
  const kinds = [
    { calls: operations, title: "arrays", most: 1200 },
    { calls: views, title: "views of an array", most: 3000 },
  ];
  for (const { calls, title, most: longest } of kinds) {
    const end = performance.now() + 500 * seconds;
    const limits = () => ({ most: longest, budget: end - performance.now() });
    const rows = emptyOf(calls);
    const left = emptyOf(calls);
    await grow(rows, left, counts, limits, async (n) => {
      if (calls === operations) return async (name) => timeOfOperation(await engineFor(n), name, n);
      const handle = keepArray(await engineFor(n), n);
      const ref = { handle, entry: "output", path: [] };
      return (name) => least(() => views[name](engine, ref, n));
    });
    printRows(`growth of ${title}: exponent of time over bytes`, rows, left, {
      sizeText: (bytes) => `${(bytes / 1e6).toPrecision(4)} MB`,
      beyond: CACHES,
    });
  }
}
