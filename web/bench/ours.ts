/** The cases in this engine: operands stay in it, and so do results. */
import type { CustomCallData, LocalEngine, ResidentValue, RunOptions } from "../../wasm/engine_api";
import type { BenchCase } from "./cases";
import type { Numbers } from "./data";
import { program } from "./writer";

/** Something that can be timed. */
export interface Started {
  run(): void;
  /** The first elements of what it made, to compare with what others make. */
  sample(): number[];
  dispose(): void;
}

const SAMPLE = 8;
const LIMITS = { memoryLimit: 3 * 2 ** 30 };

/** What a program of one operand and one result makes of an array: it stays in the engine. */
function resident(engine: LocalEngine, text: string, data: Numbers | ResidentValue): ResidentValue {
  const call = engine.compile(text);
  try {
    const [value] = call.keep(data);
    if (!value) throw new Error("the program has no result");
    return value;
  } finally {
    call.release();
  }
}

/** An array in the engine, as the type that the program wants. */
function operand(engine: LocalEngine, data: Numbers, type: string, dims: readonly number[]) {
  const from = `${data instanceof Int32Array ? "s32" : "f32"}[${dims}]`;
  const to = `${type}[${dims}]`;
  const text = program([from], (w, x = "") => (from === to ? x : w.op(to, "convert", x)));
  return resident(engine, text, data);
}

function numbersOf(engine: LocalEngine, value: ResidentValue, narrow?: string): CustomCallData {
  if (!narrow) return value.read();
  const to = `f32[${value.shape.dims}]`;
  const text = program([`${narrow}[${value.shape.dims}]`], (w, x = "") => w.op(to, "convert", x));
  const wide = resident(engine, text, value);
  const numbers = wide.read();
  wide.free();
  return numbers;
}

/** A program that is run many times a call: its arrays are where it reads and writes them. */
function startRepeated(
  engine: LocalEngine,
  bench: BenchCase,
  arrays: readonly Numbers[],
  repeats: number,
): Started {
  const call = engine.compile(bench.program());
  arrays.forEach((data, i) => {
    (call.argument(i) as Float32Array).set(data);
  });
  return {
    run: () => {
      for (let i = 0; i < repeats; ++i) call.run();
    },
    sample: () => [...(call.result(0) as Float32Array)].slice(0, SAMPLE),
    dispose: () => call.release(),
  };
}

/** Compiles a case and puts its operands into the engine. */
export function startOurs(
  engine: LocalEngine,
  bench: BenchCase,
  arrays: readonly Numbers[] = bench.operands(),
  options: RunOptions = {},
): Started {
  if (bench.repeats) return startRepeated(engine, bench, arrays, bench.repeats);
  const call = engine.compile(bench.program(), { ...LIMITS, ...options });
  const operands = arrays.map((data, i) => {
    const { type = "f32", dims = [] } = call.parameters[i] ?? {};
    return operand(engine, data, type, dims);
  });
  let last: ResidentValue[] = [];
  const free = (values: readonly ResidentValue[]): void => {
    for (const value of values) value.free();
  };
  return {
    run: () => {
      free(last);
      last = call.keep(...operands);
    },
    // Of a training step the loss, then some of the first weights; elsewhere there is one result.
    sample: () =>
      last.slice(0, 2).flatMap((value) => {
        const numbers = numbersOf(engine, value, bench.narrow) as Float32Array;
        return [...numbers.subarray(0, SAMPLE)];
      }),
    dispose: () => {
      free([...last, ...operands]);
      call.release();
    },
  };
}
