// How the cost of everything that the page asks of the engine grows with the program and with its arrays: exponents
// of time, by least squares in the upper half of the sizes. Time of the process, not of the clock.
//
//   node tests/bench/growth.mjs [FORM,...]     BENCH=quick: up to 10,000 instructions; LONG=1: up to a million
import process from "node:process";
import { createEngine } from "../../build/npm/index.js";
import { calls, cpu, exponentOf, timesOf } from "./growth_calls.mjs";
import { forms } from "./programs.mjs";

const isQuick = process.env.BENCH === "quick";
const sizes = isQuick
  ? [300, 1_000, 3_000, 10_000]
  : [100, 1_000, 5_000, 20_000, ...(process.env.LONG ? [100_000] : [])];
/** What a call may take before larger programs are left out for it, in ms. */
const MOST = process.env.LONG ? 60_000 : 1_500;
/** Above this an exponent is marked. */
const MARK = 1.15;

const asked = process.argv[2]?.split(",") ?? (isQuick ? ["layers"] : Object.keys(forms));

const print = (name, points) => {
  const exponent = exponentOf(points);
  const [size, ms] = points.at(-1);
  const mark = exponent > MARK ? "  <" : "";
  const last = `${ms.toFixed(ms < 10 ? 2 : 0).padStart(9)} ms at ${size.toLocaleString("en-US")}`;
  console.log(`  ${name.padEnd(26)}${exponent.toFixed(2).padStart(6)} ${last.padEnd(28)}${mark}`);
};

/** Every call, for programs of one form. */
async function growProgram(form) {
  const engine = await createEngine();
  // The compiler of the machine that runs the engine is done with it after these.
  for (let i = 0; i < 3; ++i) timesOf(engine, form, 300);
  const rows = new Map(Object.keys(calls).map((name) => [name, []]));
  for (const size of sizes) {
    const names = [...rows].filter(([, points]) => !(points.at(-1)?.[1] > MOST)).map(([n]) => n);
    const times = timesOf(engine, form, size, names, size <= 5_000 ? 3 : 1);
    for (const [name, ms] of Object.entries(times)) rows.get(name).push([size, ms]);
  }
  console.log(`growth of programs, ${form}: exponent of time over instructions`);
  for (const [name, points] of rows) if (points.length > 1) print(name, points);
}

/** Reading alone, of longer programs. */
async function growText() {
  const engine = await createEngine();
  const points = [];
  for (const size of isQuick ? [1e4, 3e4, 1e5] : [1e4, 1e5, 1e6]) {
    try {
      points.push([size, timesOf(engine, "chain", size, ["check"], size < 1e5 ? 3 : 1).check]);
    } catch (error) {
      console.log(`  check of ${size} instructions: ${error.message}`);
    }
  }
  console.log("growth of texts: exponent of time over instructions");
  print("check", points);
}

/** Operations on one array, by what it takes: { name: program of n elements }. */
const arrays = {
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
const lookers = {
  valueWindow: (engine, ref, n) =>
    engine.valueWindow(ref, { origin: [n >> 1], rowDim: -1, colDim: 0, rows: 1, cols: 60 }),
  valueStats: (engine, ref) => engine.valueStats(ref),
  valueFigures: (engine, ref) => engine.valueFigures(ref, { type: "f32" }),
  valueHistogram: (engine, ref) => engine.valueHistogram(ref, { type: "f32", scale: "linear" }, 64),
  valueText: (engine, ref) => engine.valueText(ref, 1000),
  memory: (engine, ref, n) => engine.memory(ref, `f32[${n}]{0:T(1024)}`, n, 4096),
  nonFinite: (engine, { handle }) => engine.nonFinite({ handle }),
};

function timed(work) {
  const start = cpu();
  work();
  return cpu() - start;
}
/** Of short work the best of many. */
function least(work) {
  let best = timed(work);
  for (let i = 0; i < 20 && best < 20; ++i) best = Math.min(best, timed(work));
  return best;
}

async function growArrays() {
  const most = isQuick ? 1e6 : 2.56e7;
  const counts = [256, 4096, 65_536, 2 ** 20, 2 ** 22, 2 ** 24].filter((n) => n <= most);
  const engine = await createEngine();
  const rows = new Map();
  const note = (name, n, ms) => rows.set(name, [...(rows.get(name) ?? []), [4 * n, ms]]);
  for (const [name, body] of Object.entries(arrays)) {
    for (const n of counts) {
      const call = engine.compile(`${REGIONS}ENTRY e { ${body(n)} }\n`, { memoryLimit: 2 ** 31 });
      // Of short ones as many as the clock can tell from nothing.
      const times = Math.max(1, Math.round(2e5 / n));
      const work = () => {
        for (let i = 0; i < times; ++i) call.run();
      };
      call.argument(0).fill(1.5);
      work();
      note(name, n, least(work) / times);
      call.release();
    }
  }
  for (const n of counts) {
    const text = `${REGIONS}ENTRY e { ROOT x = f32[${n}] parameter(0) }\n`;
    const run = engine.run(text, { inputs: ["random"], memoryLimit: 2 ** 31, timeLimit: 100 });
    const ref = { handle: run.handle, entry: "output", path: [] };
    for (const [name, look] of Object.entries(lookers)) {
      note(
        name,
        n,
        least(() => look(engine, ref, n)),
      );
    }
    engine.release(run.handle);
  }
  console.log("growth of arrays: exponent of time over bytes");
  for (const [name, points] of rows) {
    const exponent = exponentOf(points.map(([n, ms]) => [n, Math.max(ms, 0.02)]));
    const [size, ms] = points.at(-1);
    const mark = exponent > MARK ? "  <" : "";
    console.log(
      `  ${name.padEnd(26)}${exponent.toFixed(2).padStart(6)} ${`${ms.toFixed(ms < 10 ? 2 : 0).padStart(9)} ms at ${(size / 1e6).toPrecision(3)} MB`.padEnd(28)}${mark}`,
    );
  }
}

for (const form of asked) await growProgram(form);
await growText();
await growArrays();
