/** A run that one moves through, forward and back. */
import type { ValueInfo } from "./run_types";
import type { Diagnostic, TextRange } from "./text_types";

/** The timeline of a run; `handle` is 0 when the program cannot be run. */
export interface DebugResult {
  handle: number;
  diagnostics: Diagnostic[];
}

export type DebugMove = "into" | "over" | "out" | "back-into" | "back-over" | "back-out";

/**
 * A question to a timeline. Position p is the state before step p, and after step p - 1; a search
 * leads to the position after a step that fulfils one of the conditions (`hlo debug` has them).
 */
export type DebugRequest =
  | { what: "record"; ms: number }
  | { what: "at"; position: number; device?: number }
  | { what: "move"; position: number; device: number; move: DebugMove }
  | { what: "search"; position: number; conditions: string[]; back: 0 | 1 }
  | { what: "spans"; position: number; end: number }
  | { what: "steps"; position: number; count: number }
  | { what: "history"; watch: string; device?: number }
  | { what: "value"; watch: string; position: number; device?: number }
  | { what: "show"; step: number }
  | { what: "condition"; text: string }
  | { what: "compare"; other: number };

/** How far the recording is; `diagnostics` once it has ended. */
export interface DebugProgress {
  length: number;
  ended: boolean;
  diagnostics?: Diagnostic[];
}

export interface DebugInstruction {
  name: string;
  shown: string;
  opcode: string;
  computation: string;
  range: TextRange;
}

export interface DebugStep extends DebugInstruction {
  step: number;
  kind: "value" | "enter" | "return" | "end";
  device: number;
  depth: number;
  iterations: number[];
  /** What it did, in a line. */
  line: string;
  hasValue: boolean;
}

/** A computation that is being executed; `next` is what is executed next, or calls the next frame. */
export interface DebugFrame {
  computation: string;
  atEnd: boolean;
  enteredAt: number;
  iterations: number[];
  next: DebugInstruction;
}

export interface DebugDevice {
  device: number;
  /** Outermost first; none: its program has ended. */
  frames: DebugFrame[];
  waits?: { for: string; missing: number[] };
}

/** The state of a run at a position. */
export interface DebugState extends DebugProgress {
  position: number;
  /** The device whose values are in `values`. */
  device: number;
  deviceCount: number;
  last: DebugStep | null;
  devices: DebugDevice[];
  /** First elements of the values of what is being executed; `end` is where the instruction ends. */
  values: { end: number; name: string; step: number; isNew: boolean; text: string }[];
}

/** An execution of a computation, or (`computation` null) of an instruction that calls some. */
export interface DebugSpan {
  begin: number;
  end: number;
  device: number;
  depth: number;
  caller: string;
  computation: string | null;
  /** Of a loop; -1 elsewhere. */
  iteration: number;
}

/** A line of a plot; null: not finite. */
export interface DebugSeries {
  /** Which element, or statistic, where there are several lines; else "". */
  label: string;
  /** The last value at each point. */
  values: (number | null)[];
  /** Where a point is of several steps: the bounds of its values. */
  least?: (number | null)[];
  most?: (number | null)[];
}

/** A watch over the run: "y[2,3]", "y[0:4, 2]", "max y". */
export interface DebugHistory {
  /** Of each point the last step. */
  steps: number[];
  series: DebugSeries[];
  /** So many steps have one point. */
  width: number;
  /** Stretches of the run were left out. */
  sampled: boolean;
}

/** The last value of a watch before a position. */
export interface DebugValue extends DebugStep {
  text: string;
  shape: string;
}

/**
 * What a step gave. Calls about values take it as `{ handle, entry: step, path }`, with the handle
 * of the timeline.
 */
export interface DebugShown extends DebugStep {
  value: ValueInfo;
}

/** What is wrong with a condition (""; nothing), and how it may go on. */
export interface DebugCondition {
  fault: string;
  completions: { text: string; about: string }[];
}

/** The answer by question; or what is wrong with the question, or with the run. */
export interface DebugAnswers {
  record: DebugProgress;
  at: DebugState;
  move: { position: number };
  search: { position: number | null };
  spans: { spans: DebugSpan[]; least: number };
  steps: { steps: DebugStep[]; length: number };
  history: DebugHistory;
  value: DebugValue;
  show: DebugShown;
  condition: DebugCondition;
  /** From now on conditions know that run as "other". */
  compare: { length: number };
}
export type DebugAnswer = DebugAnswers[keyof DebugAnswers] | { problem: string };
