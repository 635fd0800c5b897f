/**
 * Arguments of calls before they cross: the engine takes the default for what is no value of an
 * option, and does not see one that it does not know.
 */
import type { EngineCalls } from "./calls";
import type { CostOptions, CostResult, LocalEngine, RunOptions } from "./engine_api";
import { COMPLEX_PARTS } from "./figure_types";
import {
  amount,
  bytes,
  callable,
  count,
  flag,
  integer,
  list,
  literal,
  oneOf,
  options,
  orLeftOut,
  orNull,
  type Rule,
  type Rules,
  record,
  text,
  textOr,
  words,
} from "./option_rules";

type Calls = EngineCalls & LocalEngine;
/** The options of a call: its second argument, or another one. */
type Of<K extends keyof Calls, At extends number = 1> = NonNullable<Parameters<Calls[K]>[At]>;

const files = list(record({ parameter: count, bytes }, "bytes"));

const RUN: Rules<RunOptions> = {
  inputs: list(orLeftOut(literal)),
  files,
  replicas: count,
  partitions: count,
  deviceInputs: list(
    record({ replica: count, partition: count, parameter: count, value: literal }, "value"),
  ),
  hostInputs: list(
    record({ replica: count, partition: count, channel: count, value: literal }, "value"),
  ),
  seed: count,
  trace: flag,
  plan: flag,
  fingerprint: flag,
  generatesCode: flag,
  timeLimit: amount,
  memoryLimit: amount,
  stepLimit: count,
  traceWindow: count,
  traceLimit: amount,
  fillElided: words({ "": true, zero: true, iota: true, random: true }),
  products: words({ "": true, bf16: true, tf32: true }),
  multiplyAdd: words({ "": true, fused: true }),
  threads: words({ "": true, one: true }),
  standIns: words({ "": true, random: true }),
};

const { trace, plan, fingerprint, traceWindow, traceLimit, ...untraced } = RUN;
const instruction = record({ computation: text, name: text });
const window = { begin: count, count: integer };
const buffers = options<Of<"programMemory">>({
  ...window,
  by: words({ size: true, padding: true }),
  at: textOr<"peak", number>(words({ peak: true }), integer),
});
const array = { type: text, part: oneOf(COMPLEX_PARTS) };
const figures = options<Of<"valueFigures">>(array);
const run = options<RunOptions>(RUN);

const machine = record<Exclude<CostOptions["machine"], string | undefined>>({
  id: text,
  name: text,
  from: words({ datasheet: true, assumed: true, measured: true, typed: true }),
  source: text,
  peak64: amount,
  peak32: amount,
  peak16: amount,
  peak8: amount,
  bandwidth: amount,
});

/** One row per call: which of its arguments are checked, and how. */
const ARGUMENTS: Readonly<{
  [K in keyof Calls]?: Readonly<Record<string, [number, Rule<unknown>]>>;
}> = {
  run: { options: [1, run] },
  makeInput: { options: [1, run] },
  devices: { options: [1, run] },
  devicesAt: { options: [1, run] },
  debug: { options: [1, run] },
  compileProgram: {
    options: [
      1,
      options<Of<"compileProgram">>({
        inputs: RUN.inputs,
        seed: RUN.seed,
        timeLimit: RUN.timeLimit,
        memoryLimit: RUN.memoryLimit,
        fillElided: RUN.fillElided,
        products: RUN.products,
        multiplyAdd: RUN.multiplyAdd,
      }),
    ],
  },
  executeProgram: { options: [2, options<Of<"executeProgram", 2>>({ keep: flag })] },
  pythonScript: { options: [1, options<Of<"pythonScript">>({ ...RUN, handle: count })] },
  precision: {
    options: [
      1,
      options<Of<"precision">>({
        ...untraced,
        as: words({ own: true, f32: true, f64: true }),
        sums: words({ "": true, f64: true }),
        changes: record({
          inputs: RUN.inputs,
          deviceInputs: RUN.deviceInputs,
          seed: RUN.seed,
          replicas: RUN.replicas,
          partitions: RUN.partitions,
          products: RUN.products,
          multiplyAdd: RUN.multiplyAdd,
        }),
        changedFiles: files,
        expected: list(record({ path: list(count), text: literal }, "text")),
        expectedFiles: files,
      }),
    ],
  },
  why: {
    options: [
      1,
      options<Of<"why">>({
        ...RUN,
        element: record({
          name: text,
          computation: text,
          entry: text,
          device: count,
          iterations: orNull(list(count)),
          path: list(count),
          index: orNull(list(count)),
        }),
        reach: flag,
        first: words({
          nan: true,
          inf: true,
          nonfinite: true,
          overflow: true,
          underflow: true,
          loss: true,
        }),
      }),
    ],
  },
  check: { inputs: [1, RUN.inputs] },
  convert: {
    options: [1, options<Of<"convert">>({ to: words({ stablehlo: true, hlo: true }) })],
  },
  plan: { options: [1, options<Of<"plan">>({ as: words({ plan: true, code: true }) })] },
  graph: {
    options: [
      1,
      options<Of<"graph">>({
        computation: text,
        focus: instruction,
        reveal: flag,
        radius: integer,
        open: list(text),
        fold: flag,
        limit: count,
        path: record({ from: instruction, to: instruction, all: flag }),
        dot: flag,
      }),
    ],
  },
  shrink: { options: [1, options<Of<"shrink">>({ peakBytes: amount })] },
  isolate: {
    options: [
      1,
      options<Of<"isolate">>({
        computation: text,
        names: list(text),
        range: list(count) as Rule<[number, number]>,
        extent: words({ part: true, dependencies: true }),
      }),
    ],
  },
  passes: {
    options: [1, options<Of<"passes">>({ ...window, passes: list(text), step: count })],
  },
  diff: {
    options: [
      2,
      options<Of<"diff", 2>>({
        ...window,
        kinds: list(
          words({
            added: true,
            removed: true,
            replaced: true,
            merged: true,
            duplicated: true,
            fused: true,
            unfused: true,
            inlined: true,
            moved: true,
            operands: true,
            attributes: true,
            shape: true,
            layout: true,
            reordered: true,
            renamed: true,
          }),
        ),
        linesToo: flag,
      }),
    ],
  },
  shardings: { options: [1, options<Of<"shardings">>({ name: text, computation: text })] },
  outline: { window: [1, options<Of<"outline">>(window)] },
  trace: { window: [1, options<Of<"trace">>(window)] },
  memoryReport: { window: [1, buffers] },
  programMemory: { window: [1, buffers] },
  memoryPicture: { options: [1, options<Of<"memoryPicture">>({ space: integer })] },
  cost: {
    options: [
      1,
      options<Of<"cost">>({
        ...window,
        machine: textOr(text, machine),
        by: words({
          time: true,
          flops: true,
          transcendentals: true,
          read: true,
          written: true,
          padding: true,
          intensity: true,
          times: true,
          name: true,
          text: true,
        }),
        ascending: flag,
        savings: count,
        focus: instruction,
      }),
    ],
  },
  valueFigures: { options: [1, figures] },
  valueTiles: { options: [1, figures] },
  valueImage: { options: [1, figures] },
  keepArray: { options: [1, figures] },
  valueHistogram: {
    options: [
      1,
      options<Of<"valueHistogram">>({ ...array, scale: words({ linear: true, log: true }) }),
    ],
  },
  registerCustomCall: { target: [0, text], custom: [1, callable] },
  unregisterCustomCall: { target: [0, text] },
};

/** What cannot be left out. */
const NEEDED = ["target", "custom"];

/** Throws a TypeError, or of a number a RangeError, about an argument that the engine would not take. */
export function checkArguments(call: string, args: readonly unknown[]): void {
  const rules = ARGUMENTS[call as keyof Calls] ?? {};
  for (const [name, [at, rule]] of Object.entries(rules)) {
    const value = args[at];
    if (value !== undefined || NEEDED.includes(name)) rule(`${call}: ${name}`, value);
  }
}

/**
 * The same about what only an answer tells: it has the engine's table of machines, and the default
 * one in the place of one that is not in the table.
 */
export function checkAnswer(call: string, args: readonly unknown[], answer: unknown): void {
  if (call !== "cost") return;
  const { machine: wanted } = (args[1] ?? {}) as CostOptions;
  if (typeof wanted !== "string") return;
  oneOf((answer as CostResult).machines.map(({ id }) => id))("cost: machine", wanted);
}
