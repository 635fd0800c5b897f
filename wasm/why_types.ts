/** Where elements of a run come from, and the first one of a kind. */
import type { RunOptions } from "./run_types";
import type { Diagnostic, TextRange } from "./text_types";

/** What a run is searched for; of `loss` (of precision) it is the largest. */
export type FirstKind = "nan" | "inf" | "nonfinite" | "overflow" | "underflow" | "loss";

/** An element of a value of the run. */
export interface WhyElement {
  /** An instruction; "" for the value that `entry` names. */
  name: string;
  computation: string;
  /** Without a name: "output" or "input:N". */
  entry?: string;
  device?: number;
  /** Of the loops around it; null: the last execution. */
  iterations?: number[] | null;
  path?: number[];
  /** Null: the first NaN, else the first infinity, else the first element. */
  index?: number[] | null;
}

/** A run, and what is asked about it: one of `element` and `first`. */
export interface WhyOptions extends RunOptions {
  element?: WhyElement;
  first?: FirstKind;
}

/** Elements that another one depends on. */
export interface WhySource {
  name: string;
  shown: string;
  computation: string;
  device: number;
  iterations: number[];
  path: number[];
  /** The first of them. */
  index: number[];
  /** "[3,0:4]". */
  elements: string;
  count: number;
  /** Of a single element. */
  value: string | null;
  /** Its value is computed from them, it was chosen among them, or they say which it is. */
  role: "value" | "compared" | "place";
}

/** An element in a chain. */
export interface WhyRow {
  step: number;
  name: string;
  shown: string;
  opcode: string;
  computation: string;
  device: number;
  iterations: number[];
  range: TextRange;
  /** From 1. */
  line: number;
  path: number[];
  index: number[];
  value: string;
  /** What elements of this operation depend on, in words. */
  rule: string;
  sources: WhySource[];
  sourceCount: number;
}

export interface WhyResult {
  /** Why there is no chain; "" where there is one. */
  problem: string;
  diagnostics: Diagnostic[];
  /** Of `first`: what happened, in words. */
  found: { words: string; lostBits: number } | null;
  /** From the element back. */
  rows: WhyRow[];
  /** So many more are left out after the first `beforeGap` rows. */
  skipped: number;
  beforeGap: number;
  /** The last row depends on nothing, or first made what was followed. */
  complete: boolean;
  /** Steps of the run. */
  steps: number;
}
