/** Two runs compared value by value: a program, and the same in wider floats or another one. */
import type { RunOptions } from "./run_types";
import type { Diagnostic, TextRange } from "./text_types";

export interface PrecisionOptions
  extends Omit<RunOptions, "trace" | "plan" | "fingerprint" | "traceWindow" | "traceLimit"> {
  /** What narrower floats are read as, where no other program is given. Default: f64. */
  as?: "f32" | "f64";
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
  kind: "introduced" | "differs" | "overflow" | "underflow" | "nan" | "times";
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
  /** Values that waited too long for their counterparts. */
  notCompared: number;
  /** Instructions that were executed. */
  compared: number;
  /** Instructions whose values differ; `rows` has the first 2,000, what introduced most first. */
  count: number;
  rows: PrecisionRow[];
}
