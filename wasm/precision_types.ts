/**
 * Two runs compared value by value: a program, and the same in wider floats, with other inputs, or
 * another one. Or one run, whose results are compared with what they should be.
 */
import type { RunOptions } from "./run_types";
import type { Diagnostic, TextRange } from "./text_types";

export interface PrecisionOptions
  extends Omit<RunOptions, "trace" | "plan" | "fingerprint" | "traceWindow" | "traceLimit"> {
  /**
   * What narrower floats are read as, where nothing else is compared; own: the types that they have.
   * Default: f64.
   */
  as?: "own" | "f32" | "f64";
  /** Then: dot, ragged-dot, convolution, reduce and reduce-window sum in f64, and round once. */
  sums?: "" | "f64";
  /** What the second run, of the other program or of this one, has in place of the first one's. */
  changes?: Pick<
    RunOptions,
    "inputs" | "deviceInputs" | "seed" | "replicas" | "partitions" | "products" | "multiplyAdd"
  >;
  /** `.npy` files for inputs of the second run. */
  changedFiles?: { parameter: number; bytes: Uint8Array }[];
  /**
   * What the results should be. `path`: into a tuple; `text`: as an input is written, floats without
   * a shape as f64. No second run then.
   */
  expected?: { path: number[]; text: string }[];
  /** `.npy` files in place of texts; `parameter`: the place in `expected`. */
  expectedFiles?: { parameter: number; bytes: Uint8Array }[];
}

/** An element that is not the same in both results. */
export interface WorstElement {
  index: number[];
  /** As text: it may be "nan" or "inf". */
  value: string;
  expected: string;
  ulp: number | null;
  relative: number | null;
}

/** One array of a result on one device. */
export interface ArrayError {
  device: number;
  /** In a tuple. */
  path: number[];
  error: ValueError;
  /** The worst first; at most 8. */
  worst: WorstElement[];
}

/**
 * Executions that followed one another in the run: the one with the largest error stands for them.
 */
export interface GrowthPoint {
  /** The first of them, counted among all that were compared, and how many they are. */
  at: number;
  count: number;
  /** Index into `instructions`. */
  instruction: number;
  device: number;
  iterations: number[];
  norm: number | null;
  ulp: number | null;
  introduced: number | null;
}

/** The errors along the run: at most 2,048 points; none where nothing differs. */
export interface ErrorGrowth {
  instructions: {
    name: string;
    shown: string;
    computation: string;
    opcode: string;
    range: TextRange;
  }[];
  points: GrowthPoint[];
}

/** How far a value is from its counterpart. Numbers that are not finite arrive as null. */
export interface ValueError {
  elements: number;
  differing: number;
  sameShape: boolean;
  /** The largest, in units in the last place of the narrower type at the counterpart; 0: integers. */
  ulp: number | null;
  relative: number | null;
  absolute: number | null;
  /** Root of the sum of squared errors, relative to that of the counterpart. */
  norm: number | null;
  /** Where in a tuple the worst element is, and its index. */
  path: number[];
  index: number[];
  /** The worst element in both runs, as text: it may be "nan" or "inf". */
  value: string;
  expected: string;
  /** Elements that are infinite, zero for being too small, or NaN in the first run alone. */
  overflows: number;
  underflows: number;
  nans: number;
  /**
   * Elements by their error in ulp: none, up to 1/2, 1, 2, 4 ... Empty ones at the end are left out;
   * the 60th has all larger ones. Of all executions.
   */
  histogram: number[];
}

export interface PrecisionRow {
  name: string;
  /** The name as the text has it. */
  shown: string;
  computation: string;
  opcode: string;
  shape: string;
  line: number;
  range: TextRange;
  /** Its place in the order of execution. */
  order: number;
  executions: number;
  /** The norm beyond the sum of the operands'. */
  introduced: number | null;
  /** The norm relative to the operands'; 0 where these are exact. */
  amplification: number | null;
  /** Of the execution whose norm is the largest. */
  error: ValueError;
  /** The operands of a sum or difference that is small beside them, and errors thereby large. */
  cancelled: [string, string] | null;
  /** Norms by execution, of those that are executed more than once; at most 512. */
  series: (number | null)[];
}

export interface PrecisionFinding {
  /** parted: control flow goes another way in the other run. */
  kind: "introduced" | "differs" | "overflow" | "underflow" | "nan" | "parted" | "times";
  note: string;
  name: string;
  shown: string;
  computation: string;
  line: number;
  range: TextRange;
}

export interface PrecisionResult {
  /** Both runs came to their end; otherwise the rest is of what was executed till then. */
  ok: boolean;
  diagnostics: Diagnostic[];
  /** The error of the result, in a sentence. */
  summary: string;
  /** Of the result; null without one. */
  result: ValueError | null;
  findings: PrecisionFinding[];
  /** Array by array and device by device; at most 256. */
  arrays: ArrayError[];
  growth: ErrorGrowth;
  /** How often control flow went another way. */
  parted: number;
  /** Executions that the other run has no counterpart of, or too late a one. */
  notCompared: number;
  /** Instructions that were executed. */
  compared: number;
  /** Instructions whose values differ; `rows` has the first 2,000, what introduced most first. */
  count: number;
  rows: PrecisionRow[];
}
