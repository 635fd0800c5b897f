// What the call `passes` takes and gives.

export interface PassesOptions {
  /** Names of passes, in the order in which they run; left out: all, in the order of the table. */
  passes?: string[];
  /** The step whose text is wanted: 0 is the program before any pass, k after the k-th that ran. */
  step?: number;
  /** Which changes and buffers of every step are wanted (default 0 and 200; count -1: all). */
  begin?: number;
  count?: number;
}

export interface PassInfo {
  name: string;
  title: string;
  /** One sentence. */
  description: string;
}

export type PassChangeKind = "inlined" | "replaced" | "removed" | "fused" | "moved" | "layout";

export interface PassChange {
  kind: PassChangeKind;
  computation: string;
  /** The instruction; "" where it is new. */
  before: string;
  /** What it has become, or what has taken its place; "": nothing. */
  after: string;
  reason: string;
}

export interface PassCounts {
  instructions: number;
  computations: number;
  fusions: number;
  /** Read and written by all instructions, each counted once, also those of loops. */
  trafficBytes: number;
  /** Of main memory, in the order of the text. */
  peakBytes: number;
}

/** A buffer with its place in main memory; positions are those in the entry, both included. */
export interface PassBuffer {
  instruction: string;
  shape: string;
  type: "parameter" | "constant" | "output" | "temporary";
  offset: number;
  bytes: number;
  begin: number;
  end: number;
}

export interface PassStep {
  /** A name of the table. */
  pass: string;
  changed: boolean;
  /** Of all changes; `changes` has those of the window. */
  changeCount: number;
  changes: PassChange[];
  /** A sentence: why nothing or not everything was done, or the sum of it; may be "". */
  note: string;
  /** After the pass. */
  counts: PassCounts;
  /** Of `assign-buffers`, by offset; those of the window. */
  buffers: PassBuffer[];
  bufferCount: number;
  /** The memory that the buffers lie in. */
  bufferBytes: number;
}

export interface PassesResult {
  ok: boolean;
  /** When not ok: there is no program without errors, or no such pass. */
  why: string;
  /** Every pass that there is. */
  table: PassInfo[];
  /** Before any pass. */
  counts: PassCounts;
  steps: PassStep[];
  /** Of the step that was asked for; else "". */
  text: string;
}
