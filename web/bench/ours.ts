/** The cases in this engine: operands stay in it, and so do results. */
import type {
  CompiledProgram,
  CustomCallData,
  LocalEngine,
  ResidentValue,
  RunOptions,
} from "../../wasm/engine_api";
import type { BenchCase } from "./cases";
import { arrayOf, type Numbers, type Source } from "./data";
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
/** Element types that JavaScript has arrays for. */
const WIDE = new Set(["f32", "s32"]);

/** An array as another type, in the engine. */
function converted(
  engine: LocalEngine,
  data: CustomCallData,
  [from, to]: readonly [string, string],
  dims: readonly number[],
): ResidentValue {
  const text = program([`${from}[${dims}]`], (w, x = "") => w.op(`${to}[${dims}]`, "convert", x));
  const call = engine.compile(text);
  try {
    const [value] = call.keep(data);
    if (!value) throw new Error("the program has no result");
    return value;
  } finally {
    call.release();
  }
}

/**
 * Puts an operand where the program reads it. Where JavaScript has arrays of its type, what makes the
 * numbers writes them there. Otherwise the value that is returned has them, and is to be freed.
 */
function place(
  engine: LocalEngine,
  call: CompiledProgram,
  i: number,
  source: Source,
): ResidentValue | undefined {
  const { type = "f32", dims = [] } = call.parameters[i] ?? {};
  if (WIDE.has(type)) {
    source.write(call.argument(i) as Numbers);
    return undefined;
  }
  const value = converted(engine, arrayOf(source), ["f32", type], dims);
  call.bind(i, value);
  return value;
}

/** The first elements of a result. */
function firstOf(engine: LocalEngine, call: CompiledProgram, i: number): number[] {
  const { type = "f32", dims = [] } = call.results[i] ?? {};
  if (WIDE.has(type)) return [...(call.result(i) as Numbers).subarray(0, SAMPLE)];
  const wide = converted(engine, call.result(i).slice(), [type, "f32"], dims);
  const numbers = [...(wide.read() as Float32Array).subarray(0, SAMPLE)];
  wide.free();
  return numbers;
}

/** Compiles a case and puts its operands into the engine. */
export function startOurs(
  engine: LocalEngine,
  bench: BenchCase,
  operands: readonly Source[] = bench.operands(),
  options: RunOptions = {},
): Started {
  const { repeats = 1 } = bench;
  const call = engine.compile(bench.program(), { ...LIMITS, ...options });
  const values = operands.map((source, i) => place(engine, call, i, source));
  return {
    run: () => {
      for (let i = 0; i < repeats; ++i) call.run();
    },
    // Of a training step the loss, then some of the first weights; elsewhere there is one result.
    sample: () => call.results.slice(0, 2).flatMap((_, i) => firstOf(engine, call, i)),
    dispose: () => {
      for (const value of values) value?.free();
      call.release();
    },
  };
}
