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
  /** What the element reaches is asked, and not where it comes from. */
  reach?: boolean;
  first?: FirstKind;
}

/** Of each dimension: the first index, how many there are, and how far apart. */
export type WhyBox = [first: number, count: number, step: number][];

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
  box: WhyBox;
  count: number;
  /** Of a single element. */
  value: string | null;
  /** Its value is computed from them, it was chosen among them, or they say which it is. */
  role: "value" | "compared" | "place";
}

/** An instruction that got a value in the run. */
export interface WhyStep {
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
}

/** An element in a chain. */
export interface WhyRow extends WhyStep {
  path: number[];
  index: number[];
  value: string;
  /** What elements of this operation depend on, in words. */
  rule: string;
  sources: WhySource[];
  sourceCount: number;
}

/** Elements of one array that are reached. */
export interface ReachedPart {
  path: number[];
  count: number;
  /** Elements of the array. */
  of: number;
  /** "[3,0:4] [5,0:4]", the first of them. */
  elements: string;
  boxes: WhyBox[];
  /** There are more boxes than these. */
  more: boolean;
  /** Of a single element. */
  value: string | null;
}

export interface ReachRow extends WhyStep {
  parts: ReachedPart[];
  /** An instruction that it depends on and that is reached too; null of the first. */
  from: string | null;
}

export interface WhyReach {
  /** In order of execution; the first is the element itself. */
  rows: ReachRow[];
  /** So many more are left out after the first `beforeGap` rows. */
  skipped: number;
  beforeGap: number;
  /** What of the result of each device is reached. */
  results: { device: number; parts: ReachedPart[] }[];
  /** Conditionals and loops: the element has a say in which branch runs, or how often. */
  decisions: WhyStep[];
  /** It may be fewer: not every element was followed by itself. */
  rough: boolean;
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
  /** Instead of rows, when that was asked. */
  reach: WhyReach | null;
  /** Steps of the run. */
  steps: number;
}
