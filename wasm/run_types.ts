/** Runs, their values, and compiled programs. */
import type { Diagnostic, TextRange } from "./text_types";

/**
 * An option that does not exist, and a value that an option cannot have, is a TypeError; a number out
 * of range a RangeError.
 */
export interface RunOptions {
  /**
   * One specification per parameter: a literal with or without shape ("{1,2,3}"), "iota",
   * "constant:V", "uniform", "normal", "random" (default), "zero", an expression of the element's
   * indices ("sin(i0) + 0.1*i1", "normal(0, 0.02)", "linspace(-1, 1)"), an array as Python prints or
   * makes it ("[[1, 2], [3, 4]]", "np.ones((2, 2))"), rows of numbers, or one of these with single
   * elements written over ("iota with [0,1] = 5"). Missing or "" is the default.
   */
  inputs?: string[];
  /** `.npy` files for parameters, by number; they win over `inputs`. */
  files?: { parameter: number; bytes: Uint8Array }[];
  /** How many replicas and partitions run the program; default: as the module's header says. */
  replicas?: number;
  partitions?: number;
  /**
   * Parameters that are not the same on every device: they win over `inputs` and `files`, the last
   * one for a device counts. Without `replica` (`partition`) for all of them.
   */
  deviceInputs?: { replica?: number; partition?: number; parameter: number; value: string }[];
  /**
   * Values the host has ready, in the order in which a device takes them: for infeed, or for a recv
   * from the host on a channel.
   */
  hostInputs?: { replica?: number; partition?: number; channel?: number; value: string }[];
  seed?: number;
  /** Keep the value of every instruction (default true). Without that the program runs compiled. */
  trace?: boolean;
  /** Say what ran, how, and how long it took: `plan` of the answer. Default: without a trace. */
  plan?: boolean;
  /** Say what tells these results from others: `fingerprint` of the answer (default false). */
  fingerprint?: boolean;
  /**
   * In a page, whose first build of the engine generates no code: the build that does is fetched and
   * runs the program (default false). Elsewhere there is only that one.
   */
  generatesCode?: boolean;
  /** Seconds; default 10. */
  timeLimit?: number;
  /** Bytes; default 1 GiB. */
  memoryLimit?: number;
  /** Instructions that are executed; default and 0: no limit. */
  stepLimit?: number;
  /** Maximum number of trace entries in the answer, `trace` returns the others; default: all. */
  traceWindow?: number;
  /** Bytes kept for the trace; default 256 MiB. */
  traceLimit?: number;
  /** What to put into constants written `{...}`; default: refuse to run. */
  fillElided?: "" | "zero" | "iota" | "random";
  /**
   * How dot, ragged-dot and convolution multiply f32 where operand_precision and algorithm let them
   * use fewer bits: "bf16" as TPUs do (default: one product of bf16, high: three), "tf32" as NVIDIA
   * GPUs do (default and high). Default: exactly.
   */
  products?: "" | "bf16" | "tf32";
  /**
   * How dot, ragged-dot, scaled-dot and convolution add products of floats: "fused" rounds once, as
   * hardware with a fused multiply-add does. Default: the product is rounded, then the sum.
   */
  multiplyAdd?: "" | "fused";
  /** "one": long operations are not shared among threads, where there are several. */
  threads?: "" | "one";
  /**
   * What nothing in the run gives is made up at random: results of unknown custom calls and of
   * collectives with devices that the run does not have, what the host does not have, what no device
   * sends. Default: such a run fails.
   */
  standIns?: "" | "random";
}

/** What helps against the fault of a run, and is worth a button. */
export type RunRemedy =
  /** Another limit: of memory, or of time. */
  | { kind: "memory"; bytes: number }
  | { kind: "time"; seconds: number }
  /** As many devices as the program speaks of, or one. */
  | { kind: "devices"; replicas: number; partitions: number }
  /** `fillElided`, `standIns`, the call `shrink`. */
  | { kind: "fill" }
  | { kind: "standIns" }
  | { kind: "shrink" };

/** Instructions: how many, and the first of them as they are shown. */
export interface SomeInstructions {
  count: number;
  shown: string[];
}

export interface ShrinkOptions {
  /** What the program may need at its peak; default 64 MiB. Its operations, each run once, become 1e9 at most. */
  peakBytes?: number;
}

export interface ShrinkResult {
  ok: boolean;
  /** HLO; empty when nothing became smaller. */
  text: string;
  /** What is in the way, when it does not become small enough. */
  why: string;
  fits?: boolean;
  peakBytes?: number;
  /** How many scalar constants had the value of a size and follow it. */
  constants?: number;
  sizes?: { from: number; to: number }[];
}

export interface IsolateOptions {
  /** Without: the entry computation. */
  computation?: string;
  names?: string[];
  /** In place of names: the instructions that this part of the text touches. */
  range?: TextRange;
  /** The instructions alone (default), or with all that they depend on. */
  extent?: "part" | "dependencies";
}

export interface IsolateResult {
  ok: boolean;
  text: string;
  why: string;
  /** What the parameters stand for; `input`: which parameter of the entry, or -1. */
  parameters?: { name: string; computation: string; input: number }[];
}

/** A value in a run: array, tuple or token. */
export interface ValueInfo {
  /** Shape with layout. */
  shape: string;
  kind: "array" | "tuple" | "token";
  elementType: string;
  dims: number[];
  /** Stored bytes. */
  bytes: number;
  /** First elements as literal text, cut with an ellipsis. */
  preview: string;
  /** Elements of a tuple. */
  elements: ValueInfo[];
}

/** One executed instruction. */
export interface TraceEntry {
  /** Serial number in order of execution: the `entry` of value calls. */
  id: number;
  name: string;
  /** The name as the text has it: "dot", "%dot.3". */
  shown: string;
  opcode: string;
  computation: string;
  /** Iterations of the enclosing loops, outermost first: [] outside loops. */
  iterations: number[];
  /** Depth of the call stack, 0 for the entry computation. */
  depth: number;
  range: TextRange;
  value: ValueInfo;
  /** The value was dropped to stay within the trace limit. */
  dropped: boolean;
  /** Of the device that executed it, when the run had several. */
  device?: number;
  /** Of a `check` operation: it holds, in all its executions. */
  holds?: boolean;
}

/**
 * The inputs and outputs of one of several devices. Its number is replica * partitions + partition.
 */
export interface DeviceRun {
  device: number;
  replica: number;
  partition: number;
  output: ValueInfo | null;
  inputs: ValueInfo[];
}

/** A value that a device sent to the host. */
export interface HostOutput {
  device: number;
  /** Of the send; null: outfeed. */
  channel: number | null;
  /** The instruction, as it is shown. */
  shown: string;
  value: ValueInfo;
}

/** Something that ran as one. */
export interface PlanEntry {
  /**
   * An island: a computation, or an instruction that calls some, straight through from one step to
   * the next. What runs in it and elsewhere: an operation (one instruction), or a loop, as a program
   * over blocks of elements or with generated code for parts of that.
   */
  how: "island" | "operation" | "blocks" | "code";
  /** The instruction that it ends with, as it is shown. */
  shown: string;
  opcode: string;
  /** The computation of that, as it is shown. */
  computation: string;
  range: TextRange;
  /** All that it stands for. */
  instructions: SomeInstructions;
  times: number;
  /** In all; of what ran often and briefly only some executions were timed. */
  seconds: number;
  /** Of an island: how many instructions were executed in it. */
  steps?: number;
  /** Of a loop that ran as the epilogue of a product, whose time has the loop's: that, as it is shown. */
  ranIn?: string;
}

/** How a program ran. Lists are in the order of the first execution; of long ones what took its share of the time. */
export interface RunPlan {
  islands: PlanEntry[];
  islandCount: number;
  /** Loops and operations, in islands and outside of them. */
  steps: PlanEntry[];
  stepCount: number;
  /** What was executed instruction by instruction; null where nothing was. */
  executor: { steps: number; seconds: number } | null;
}

/** Measured times as a tree: the program, its computations, in these what was measured. */
export interface ProfileTree {
  /** Of the whole; what is not in a computation was between steps. */
  seconds: number;
  /** A node comes before what is in it; siblings slowest first. */
  nodes: ProfileNode[];
}

export interface ProfileNode {
  /** 0: the program, 1: a computation, 2: a loop or an operation. */
  level: 0 | 1 | 2;
  /** Index of the node that it is in, -1 for none. */
  parent: number;
  name: string;
  /** Where it stands if siblings follow one another; seconds. */
  begin: number;
  /** Of all executions. */
  seconds: number;
  step: PlanEntry | null;
}

export interface RunResult {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** For the value calls; release it when done. 0 when nothing was run. */
  handle: number;
  /** The root's value (on device 0); null when the run failed. */
  output: ValueInfo | null;
  /** Inputs as they were used (by device 0). */
  inputs: ValueInfo[];
  /** All devices, when the run had several. */
  devices?: DeviceRun[];
  /** In order of execution; absent when there are none. */
  hostOutputs?: HostOutput[];
  /**
   * In order of execution; at most 20,000 entries: beyond them the oldest loop iterations are left
   * out. `traceCount` counts all.
   */
  trace: TraceEntry[];
  traceCount: number;
  seconds: number;
  steps: number;
  peakBytes: number;
  /** How many threads shared the work, if more than one did. */
  threads?: number;
  /** Constants written `{...}` that were filled. */
  filled?: SomeInstructions;
  /** Instructions whose values were made up, see `standIns`. */
  madeUp?: SomeInstructions;
  /** When it failed: what helps, best first. */
  remedies?: RunRemedy[];
  plan?: RunPlan;
  /** Of the shapes and bits of all outputs: results that differ have different ones. */
  fingerprint?: string;
}

/**
 * Which value of a run: a trace entry, the output, an input, or what the host got; and the path into
 * tuples.
 */
export interface ValueRef {
  handle: number;
  /**
   * Trace id, or "output", or "input:N" (of device 0; "output@D", "input:N@D" of device D), or
   * "host:N", element N of `hostOutputs`.
   */
  entry: number | string;
  path: number[];
}

/** A two-dimensional window of an array of any rank: all dimensions but two are fixed. */
export interface WindowSpec {
  /** Start index in every dimension. */
  origin: number[];
  /** Dimension that runs down and dimension that runs across; -1: none (one row, one column). */
  rowDim: number;
  colDim: number;
  rows: number;
  cols: number;
}

export interface ValueWindow {
  rows: number;
  cols: number;
  /** Row-major texts of the elements. */
  text: string[];
  /** Row-major values as numbers (complex: magnitude; 64-bit integers rounded). */
  numbers: Float64Array;
}

export interface ValueStats {
  count: number;
  min: number;
  max: number;
  mean: number;
  nans: number;
  infinities: number;
  /** Index of the first NaN or infinity, null if none. */
  firstNonFinite: number[] | null;
}

/** An entry of the trace or an output, and whether NaN and infinities are in it: 1 or 0. */
export type NonFiniteEntry = [entry: number | string, nan: number, infinity: number];

export interface ScriptOptions extends RunOptions {
  /** A run of this text whose inputs and results the script uses, instead of a new run. */
  handle?: number;
}

/** A Python script that runs a program and its inputs under JAX. */
export interface ScriptResult {
  ok: boolean;
  text: string;
  diagnostics: Diagnostic[];
}

export type CompileOptions = Pick<
  RunOptions,
  "seed" | "timeLimit" | "memoryLimit" | "fillElided" | "products" | "multiplyAdd"
> & {
  /** As of `run`: they give sizes that the program leaves open. */
  inputs?: string[];
};

/** An array that a program takes or returns; tuples are flattened. */
export interface ArrayInfo {
  /** "f32" */
  type: string;
  dims: number[];
  /** The name of the typed array that holds its elements, as `CustomCallData` says. */
  data: string;
}

export interface CompileResult {
  ok: boolean;
  /** Its handle; 0 when it is not ok. */
  program: number;
  parameters: ArrayInfo[];
  results: ArrayInfo[];
  diagnostics: Diagnostic[];
}

/** An array that stays in the engine, as an argument of a program. */
export interface ValueHandle {
  value: number;
}

export interface ExecuteOptions {
  /** The result's arrays stay in the engine, in `values` of the answer. */
  keep?: boolean;
}

export interface ExecuteResult {
  ok: boolean;
  seconds: number;
  diagnostics: Diagnostic[];
  /** The bytes of the result's arrays; none when it is not ok, or they are kept. */
  results: Uint8Array[];
  /** Their handles when they are kept: each counts against the program's memory until it is released. */
  values: number[];
}

/**
 * The elements of an array in row-major order. The typed array is that of the element type; pred,
 * s4, u4 and narrower have a byte per element; bf16, f16 and narrower floats are their bits;
 * complex numbers are pairs.
 */
export type CustomCallData =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

export interface CustomCallArray {
  /** "f32" */
  type: string;
  dims: number[];
  data: CustomCallData;
}

/** A tuple is a list, a token null. */
export type CustomCallValue = CustomCallArray | CustomCallValue[] | null;

/** One execution of a custom-call instruction. */
export interface CustomCall {
  target: string;
  /** Copies: writing to them changes nothing. */
  operands: CustomCallValue[];
  /** Zeros, to be filled in place. */
  result: CustomCallValue;
  /** `backend_config` as the text has it, "" if absent. */
  backendConfig: string;
}

/**
 * Fills `call.result`, or returns the elements of a result that is one array. What it throws ends
 * the run with a diagnostic that has the error's message.
 */
export type CustomCallFunction = (call: CustomCall) => CustomCallData | undefined;

/**
 * An array that stays in the engine: an argument of any program of that engine, in the place of a
 * typed array. It takes of the memory limit of the program that made it until it is freed.
 */
export interface ResidentValue {
  readonly shape: ArrayInfo;
  /** A copy of its elements. */
  read<T extends CustomCallData = CustomCallData>(): T;
  /** Lets the engine forget it. One that nothing refers to is forgotten too, at some later time. */
  free(): void;
}

/**
 * A compiled program: typed arrays in, typed arrays out, in the order of `parameters` and `results`.
 * Which class an array has, only the program's text says: whoever knows names it, as in
 * `f.argument<Float32Array>(0)`.
 */
export interface CompiledProgram {
  <T extends CustomCallData = CustomCallData>(
    ...arrays: readonly (CustomCallData | ResidentValue)[]
  ): T[];
  /** The same, with results copied into these arrays. */
  into(
    results: readonly CustomCallData[],
    ...arrays: readonly (CustomCallData | ResidentValue)[]
  ): void;
  /** The same, with results that stay in the engine. */
  keep(...arrays: readonly (CustomCallData | ResidentValue)[]): ResidentValue[];
  /**
   * An array of the parameters in the engine's own memory, for `run`: to be filled, with no copy. It
   * is there until the next call of anything of the engine, which may move it; what it holds stays
   * for all later runs. Calls with arguments use the same places.
   */
  argument<T extends CustomCallData = CustomCallData>(i: number): T;
  /** Makes a value that stays in the engine an argument of all later runs. */
  bind(i: number, value: ResidentValue): void;
  /** Executes the program on what `argument` and `bind` have put in place. */
  run(): void;
  /**
   * An array of the last run's result in the engine's own memory, with no copy; to be read before
   * the next call of anything of the engine.
   */
  result<T extends CustomCallData = CustomCallData>(i: number): T;
  readonly parameters: readonly ArrayInfo[];
  readonly results: readonly ArrayInfo[];
  /** Lets the engine forget it. */
  release(): void;
}

/** What is wrong with how an input is written, and where in it. */
export interface InputFault {
  message: string;
  range: TextRange;
}

/** `handle` is 0 if it cannot be made. */
export interface MadeInput {
  handle: number;
  diagnostics: Diagnostic[];
}
