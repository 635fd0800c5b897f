/** What programs cost by the engine's model, and machines. Bytes, seconds, operations. */
import type { SomeInstructions } from "./run_types";
import type { Diagnostic, ListWindow, TextRange } from "./text_types";

/** A machine's figures: operations per second by width of the elements (0: not given). */
export interface MachineInfo {
  id: string;
  name: string;
  /** How they are known. */
  from: "datasheet" | "assumed" | "measured" | "typed";
  source: string;
  peak64: number;
  peak32: number;
  peak16: number;
  peak8: number;
  /** Bytes per second. */
  bandwidth: number;
}

/** What a list of costs can be sorted by; text: its order in the program. */
export type CostOrder =
  | "time"
  | "flops"
  | "transcendentals"
  | "read"
  | "written"
  | "padding"
  | "intensity"
  | "times"
  | "name"
  | "text";

export interface CostOptions extends Partial<ListWindow> {
  /** The id of a machine of the answer's `machines`, or figures that were typed or measured. Default: v5e. */
  machine?: string | MachineInfo;
  /** Default: time. The largest first. */
  by?: CostOrder;
  ascending?: boolean;
  /** At most so many savings; default: none, for they take longer. */
  savings?: number;
  /** An instruction whose row, place in the list and formula are wanted. */
  focus?: { name: string; computation: string };
}

/** Figures of the model; those of a row are of all its executions. */
export interface CostFigures {
  flops: number;
  transcendentals: number;
  read: number;
  written: number;
  /** Bytes of padding that cross memory with what is read and written. */
  padding: number;
  /** Operations per byte, padding among the bytes. */
  intensity: number;
  /** At least; by the model. */
  seconds: number;
}

export interface CostRow extends CostFigures {
  name: string;
  /** As the text has it. */
  shown: string;
  computation: string;
  opcode: string;
  range: TextRange;
  /** How often it is executed in one execution of the program. */
  times: number;
  /** The element type of its arithmetic, and the machine's rate for it. */
  type: string;
  peak: number;
  share: number;
  /** What it waits for; "parts": it runs other computations, whose instructions have their own. */
  bound: "none" | "compute" | "memory" | "parts";
  /** What is special, in a sentence; "". */
  note: string;
}

export interface CostSaving {
  kind: "fuse" | "layout";
  name: string;
  shown: string;
  computation: string;
  range: TextRange;
  /** Of a fusion: the users. */
  with: SomeInstructions;
  /** That would not cross memory. */
  bytes: number;
  seconds: number;
  change: string;
}

export interface CostResult {
  ok: boolean;
  diagnostics: Diagnostic[];
  machine: MachineInfo;
  machines: MachineInfo[];
  /** `unknownCalls`: custom calls, which count as nothing; `unknownLoops`: run once. */
  total: CostFigures & { unknownCalls: number; unknownLoops: number };
  /** Rows in the whole list: the instructions that are executed. */
  count: number;
  rows: CostRow[];
  /** Largest first. */
  savings: CostSaving[];
  savingCount: number;
  /** Null: no such instruction. `index` is -1 for what runs inside of another instruction. */
  focus: {
    index: number;
    row: CostRow;
    /** The formulas in words, and whose they are. */
    work: string;
    traffic: string;
    source: string;
  } | null;
}
