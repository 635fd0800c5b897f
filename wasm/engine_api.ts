/**
 * The engine as JavaScript sees it: few, coarse calls. JSON for structure, typed arrays for data,
 * windows of big things and never all of them. Every offset into a text counts UTF-16 code units,
 * as editors do. No call throws for a bad program: faults are `Diagnostic`s in the result.
 */

/** Half-open range of UTF-16 code units. */
export type TextRange = [begin: number, end: number];

export interface Diagnostic {
  /** Stable id of the class of fault: "operand-count". */
  code: string;
  severity: "error" | "warning" | "info";
  range: TextRange;
  message: string;
  notes: { range: TextRange; message: string }[];
  fixes: { title: string; range: TextRange; replacement: string }[];
}

/** A parameter of the entry computation, in order of its number. */
export interface ParameterInfo {
  name: string;
  /** Shape with layout: "f32[2,3]{1,0}". "" where it follows from inputs that are not given. */
  shape: string;
  range: TextRange;
  /** As StableHLO has it where it leaves sizes open: "tensor<?x4xf32>"; "" otherwise. */
  openType: string;
}

/** What `check` says of a text. */
export interface CheckResult {
  /**
   * "hlo" (module, computation, or single instruction), "mlir" (StableHLO), "layout" (of one array, in
   * any notation, good or not), "protobuf", "memory-report", "empty".
   */
  kind: string;
  ok: boolean;
  diagnostics: Diagnostic[];
  /** Name of the module, "" if there is none. */
  module: string;
  parameters: ParameterInfo[];
  /** What the program is depends on the inputs that `check` was given: sizes are open. */
  wantsInputs: boolean;
  /** Shape of the entry's result, "" if unknown. */
  result: string;
  instructionCount: number;
  computationCount: number;
  replicaCount: number;
  numPartitions: number;
}

export interface InstructionInfo {
  name: string;
  opcode: string;
  shape: string;
  /** The whole instruction, its name, its written shape (empty if omitted). */
  range: TextRange;
  nameRange: TextRange;
  shapeRange: TextRange;
  /** Indices into the computation's instruction list. */
  operands: number[];
  /** Those that the text has: where the value stands, and the computations that it names. */
  attributes: { name: string; range: TextRange; calls: string[] }[];
  root: boolean;
}
export interface ComputationInfo {
  name: string;
  entry: boolean;
  range: TextRange;
  nameRange: TextRange;
  instructions: InstructionInfo[];
}

/** What stands at a place of the text, for hover and for the layout view. */
export interface PlaceInfo {
  /** What the place is part of. */
  kind: "instruction" | "shape" | "opcode" | "attribute" | "operand" | "computation" | "none";
  range: TextRange;
  /** Of the instruction the place belongs to (for an operand: of the one it names). */
  instruction: string;
  computation: string;
  opcode: string;
  /**
   * The shape under the cursor (an operand's, the result's); between instructions that of the one
   * before; "" if the text has none. Of a layout alone: the layout.
   */
  shape: string;
  /** Title and paragraphs for a hover box. Plain text. */
  title: string;
  lines: string[];
  /** Where the named thing is defined, and every use of it. */
  definition: TextRange | null;
  uses: TextRange[];
}

export interface CompletionItem {
  label: string;
  kind: "opcode" | "attribute" | "name" | "type" | "computation" | "keyword" | "word";
  /** One line beside the label. */
  detail: string;
  doc: string;
  /** Text to insert instead of `label`. */
  insert: string;
}
export interface CompletionResult {
  /** Where the completed word starts. */
  from: number;
  items: CompletionItem[];
}

/** Names of the token kinds, in the order of their numbers in `tokens()`. */
export const TOKEN_KINDS = [
  "keyword",
  "opcode",
  "name",
  "computationName",
  "attribute",
  "type",
  "number",
  "string",
  "comment",
  "punctuation",
  "layout",
  "invalid",
] as const;

/** A text that is open in an engine, by the number that it was opened with. */
export interface DocumentRef {
  $document: number;
}
/** A program: its text, or the name of one that is open. */
export type ProgramText = string | DocumentRef;

/** `insert` in the place of [from, to), counted in the text before any of the changes. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

/** Texts that stay in the engine, so that they need not be sent again with every question. */
export interface DocumentCalls {
  /** Opens a text by a number of the caller's choice, in the place of what it stood for. */
  open(document: number, text: string): void;
  /** Changes in order that do not overlap. False when no such document is open. */
  edit(document: number, changes: TextChange[]): boolean;
  close(document: number): void;
  /** The text as it is now. */
  text(document: ProgramText): string;
  /** Whether a text has these words in it. */
  contains(text: ProgramText, words: string): boolean;
}

export interface RunOptions {
  /**
   * One specification per parameter: a literal with or without shape ("{1,2,3}"), "iota",
   * "constant:V", "uniform", "normal", "random" (default), "zero". Missing or "" is the default.
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
  /** Keep the value of every instruction (default true). */
  trace?: boolean;
  /** Seconds; default 10. */
  timeLimit?: number;
  /** Bytes; default 1 GiB. */
  memoryLimit?: number;
  /** So many entries of the trace are in the answer, `trace` gives the others; default: all. */
  traceWindow?: number;
  /** Bytes kept for the trace; default 256 MiB. */
  traceLimit?: number;
  /** What to put into constants written `{...}`; default: refuse to run. */
  fillElided?: "" | "zero" | "iota" | "random";
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
  opcode: string;
  computation: string;
  /** Iterations of the enclosing loops, outermost first: [] outside loops. */
  iterations: number[];
  /** Depth of the call stack, 0 for the entry computation. */
  depth: number;
  range: TextRange;
  value: ValueInfo;
  /** The value was let go to stay within the trace limit. */
  dropped: boolean;
  /** Of the device that executed it, when the run had several. */
  device?: number;
}

/** What one of several devices was given and gave. Its number is replica * partitions + partition. */
export interface DeviceRun {
  device: number;
  replica: number;
  partition: number;
  output: ValueInfo | null;
  inputs: ValueInfo[];
}

/** A value that a device handed to the host. */
export interface HostOutput {
  device: number;
  /** Of the send; null: outfeed. */
  channel: number | null;
  /** The instruction. */
  name: string;
  value: ValueInfo;
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

/**
 * An array and its layout in any notation, as text: the subject of every question about layouts.
 *
 *     f32[3,5]{1,0:T(2,2)}                an HLO shape
 *     morello: f32[6,8] [1, 0, 1 p(4)]    or morello: 6x8[1,0,1p(4)]
 *     cute: f32 (4,(2,8)):(16,(1,2))      or cute: Sw<3,4,3> o 0 o (8,64):(64,1)
 *     strides: f32[8,128] (128,1) offset=5, or byte_strides=(512,4) byte_offset=20
 *
 * The word in front is a key of `layoutNotations()`; without it the notation is recognised, so that
 * what people paste or write into a link works as it is. The element type may be left out (f32).
 */
export type LayoutSubject = string;

/** A notation for layouts: a row of the engine's table. */
export interface NotationInfo {
  /** In links and in front of a subject: "shape", "padded", "morello", "cute", "strides". */
  key: string;
  name: string;
  doc: string;
  /** A subject without its key. */
  example: string;
}

/** What an array looks like in memory. Numbers beyond 2^53 are rounded, texts are exact. */
export interface LayoutInfo {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** Key of the notation that the subject is written in. */
  notation: string;
  /** The subject again, with its key (but for shapes) and in its short form; "" if it is refused. */
  subject: LayoutSubject;
  /** Canonical text of the shape; without layout where the notation is not that of shapes. */
  shape: string;
  elementType: string;
  elementBits: number;
  dims: number[];
  /** Empty where the notation is not that of shapes, as are the tiles. */
  minorToMajor: number[];
  /** Tile sizes; -1 for `*`. */
  tiles: number[][];
  /** Major to minor, after every tile. */
  physicalDims: number[];
  logicalElements: number;
  /** With padding and tail alignment. */
  physicalElements: number;
  logicalBytes: number;
  physicalBytes: number;
  /** "Unpadded size 60B, extra memory due to padding 36B (1.6x expansion)" or "no padding". */
  sizes: string;
  /** One sentence per cause of padding: "dimension 1: 5 padded to 6 by tile size 2". */
  causes: string[];
  /** What padding holds, where the layout says so: "9" of PAD(3,5;9); "" where it may be anything. */
  paddingValue: string;
  memorySpace: number;
  /** Sizes, not below `dims`, of the grid with the padding that has an index: of the first tile. */
  paddedDims: number[];
  /** The offset as a sum of parts of the index, "24*(i1/4) + 4*i0 + i1%4"; "" if it is no sum. */
  formula: string;
  /**
   * The terms of the layout documents for this array: "rank", "true rank", "dimensions" (their letters
   * with sizes: "y 3, x 5"); then every part of the layout as it is written, "1,0", "T(2,2)", "S(1)".
   */
  terms: { term: string; text: string }[];
  /** What the notation's own makers would say of the layout, a line each: "fully contiguous". */
  facts: string[];
}

/** A layout in another notation. */
export interface LayoutConversion {
  /** Key and name of the notation. */
  notation: string;
  name: string;
  /** A subject with the same address for every element; "" when the notation has none. */
  text: LayoutSubject;
  /** Why there is none, a sentence. */
  reason: string;
  /**
   * What the text leaves out, a sentence: "The buffer ends after 1020 elements, not 1024."; in the
   * subject's own notation a plainer text: "The same addresses as f32[8,128]{1,0}."
   */
  note: string;
}

/** Two layouts against each other. */
export interface LayoutComparison {
  /** Both are valid and have the same dimensions; if not, `text` says why. */
  comparable: boolean;
  /** Every element has the same offset. */
  equal: boolean;
  /** False: too many elements to compare them all; `difference` may not be the first. */
  exact: boolean;
  /** The buffers, and the elements, take the same number of bytes (bits). */
  sameSize: boolean;
  sameBits: boolean;
  /** The first element in row-major order that lies elsewhere. */
  difference: { index: number[]; offsetA: number; offsetB: number } | null;
  /** The outcome in a sentence. */
  text: string;
}
/** Offsets of a window of logical elements, row-major. */
export interface LogicalWindow {
  rows: number;
  cols: number;
  /** Element offset in memory; -1 where the window leaves the array. */
  offsets: Float64Array;
}
/** What stands at consecutive element offsets. */
export interface LinearWindow {
  begin: number;
  count: number;
  /** count × rank logical indices; -1 for padding. */
  indices: Float64Array;
}
/** The address of one element, step by step, with the numbers filled in. */
export interface AddressInfo {
  ok: boolean;
  offset: number;
  byteOffset: number;
  /** First bit within the byte, for packed elements. */
  bitInByte: number;
  /** Index of the tile at the first level and within it; empty without tiles. */
  tileIndex: number[];
  withinTile: number[];
  steps: { title: string; lines: string[] }[];
}
/** A stretch of the memory image of a value in a layout. */
export interface MemoryWindow {
  begin: number;
  bytes: Uint8Array;
  /** 1 where the byte holds no element at all; it is 0 then, or of the layout's padding value. */
  padding: Uint8Array;
}

/** A step of a film: what the array became. Its elements lie row-major over `dims`. */
export interface FilmFrame {
  kind: "start" | "pad" | "reshape" | "transpose" | "swizzle" | "place";
  /** "pad to whole tiles (2,2)" */
  title: string;
  dims: number[];
  /** Elements and padding: the product of `dims`. */
  slots: number;
  /** What the step does to the bytes: nothing; the buffer grows at its end; elements move. */
  effect: "bitcast" | "extend" | "move";
  /** Of "transpose": dimension i is dimension permutation[i] of the frame before. */
  permutation: number[];
}
/** How a layout comes about: frame 0 is the array, the last one the buffer. */
export interface FilmInfo {
  ok: boolean;
  diagnostics: Diagnostic[];
  frames: FilmFrame[];
}

/** What it takes to bring an array from one layout into another. */
export interface RelayoutInfo {
  ok: boolean;
  /** Of `from`, then of `to`; ranges are in the text of their side. */
  diagnostics: (Diagnostic & { side: "from" | "to" })[];
  /** Why the two cannot be compared (other dimensions, other type), "" otherwise. */
  problem: string;
  /** No byte moves. */
  bitcast: boolean;
  /** One sentence: why it is a bitcast, or what moves. */
  reason: string;
  elements: number;
  /** Of elements, without padding. */
  bytesRead: number;
  bytesWritten: number;
  /** Of the whole buffers. */
  fromBytes: number;
  toBytes: number;
  /** Pieces that are consecutive on both sides, and the longest one in bytes. */
  runs: number;
  runBytes: number;
  /** Cache lines of 64 bytes that hold elements. */
  linesRead: number;
  linesWritten: number;
}

/** A layout an array could have. */
export interface LayoutCandidate {
  /** Canonical text of the shape with this layout. */
  shape: string;
  bytes: number;
  padding: number;
  /** bytes / bytes without padding, 0 for nothing but padding. */
  expansion: number;
  /** One sentence: where the padding comes from, "no padding". */
  cause: string;
  /** "as written", "TPU convention", "untiled", "other order, TPU convention", ... */
  note: string;
}
/** Layouts for the type, sizes and order of a shape. */
export interface LayoutAdvice {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** What a TPU would choose for this type and these sizes, and by which rule; null for types without one. */
  tpu: (LayoutCandidate & { rule: string }) | null;
  /** Orders and tilings of the same sizes, least waste first. */
  candidates: LayoutCandidate[];
}

/** A buffer of a memory report or of a program. Bytes are -1 where not known. */
export interface MemoryBuffer {
  /** Of the instruction, or the label of the report; may be "". */
  name: string;
  /** With layout, "" if the report has none. */
  shape: string;
  /** As the report says; for a program: of its layout. */
  bytes: number;
  unpaddedBytes: number;
  /** And where it comes from, in a sentence: "no padding", "" where not known. */
  paddingBytes: number;
  cause: string;
  /** "HLO temp", "parameter", "constant", "output", ... */
  type: string;
  /** op_name of the metadata, and "file:line". */
  opName: string;
  source: string;
  /** In the text. */
  range: TextRange;
  /** Name of the memory it is in: "HBM", "VMEM"; "" in reports, which are about one. */
  space: string;
  /** Of a program: positions in the schedule at which it lives (both included); -1 in reports. */
  begin: number;
  end: number;
}
/** What XLA says when a program does not fit (`check` calls such a text "memory-report"). */
export interface MemoryReport {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** "hbm", "vmem", ...; "device" for a GPU or CPU. */
  space: string;
  /** Bytes; -1 where the report does not say. */
  used: number;
  capacity: number;
  exceeded: number;
  /** The lines of the summary: reserved, program, arguments, HLO temp, ... */
  totals: { name: string; bytes: number; text: string }[];
  /** Largest first, as in the report. */
  buffers: MemoryBuffer[];
}
/** What memory a program takes when it is executed in the order of its text. */
export interface ProgramMemory {
  ok: boolean;
  diagnostics: Diagnostic[];
  /** The entry computation. */
  computation: string;
  /** False: some arrays have no known size and are left out. */
  complete: boolean;
  /** Of the schedule. */
  positions: number;
  /** By number, the device's main memory first: bytes of one make no room in another. */
  spaces: ProgramSpace[];
  /** By size, at most 1000. */
  buffers: MemoryBuffer[];
}
/** What a program takes of one memory. */
export interface ProgramSpace {
  /** n of S(n); "HBM", "VMEM", ..., "S(3)" for one of the device's own; what it is, a clause. */
  space: number;
  name: string;
  doc: string;
  peakBytes: number;
  /** Position in the schedule at which it is reached, and the instruction there. */
  peakAt: number;
  peakName: string;
  /** Bytes that the padding of all buffers at the peak takes. */
  peakPadding: number;
  /** Sums over all buffers, whether they live at the same time or not. */
  parameterBytes: number;
  constantBytes: number;
  outputBytes: number;
  temporaryBytes: number;
  /** Live bytes at every position of the schedule (at most 4096 points, the largest of each stretch). */
  timeline: number[];
}

/** What one byte of a memory image holds. */
export interface ByteInfo {
  /** 0 to 255; -1 outside the image. */
  value: number;
  /** From the low bits up. */
  parts: {
    /** "low nibble", "bit 3", "byte 2 of 4 (byte 0 is the least significant)", ... */
    name: string;
    firstBit: number;
    lastBit: number;
    padding: boolean;
    /** Of the element; [] for padding. */
    index: number[];
    /** Of the element, or of the padding; "" where that is not specified. */
    value: string;
    /** "low nibble: element (0,1) = 3", or why it is padding. */
    text: string;
  }[];
}

export interface OpInfo {
  name: string;
  doc: string;
  source: string;
  differs: string;
  types: string;
  operands: string[];
  evaluated: boolean;
  attributes: { name: string; syntax: string; required: boolean; doc: string; words: string[] }[];
}

/** A program in the other dialect. */
export interface ConvertResult {
  /** `text` is a program that means the same; false: `diagnostics` says what has no counterpart. */
  ok: boolean;
  /** The dialect of the given text: "stablehlo", or a `kind` of CheckResult. */
  from: string;
  to: string;
  /** "" unless ok. */
  text: string;
  /** Places in the given text. */
  diagnostics: Diagnostic[];
  /**
   * Lines (0-based) of the given text and of `text` that hold the same instruction, sorted. A line
   * may be in several pairs.
   */
  lines: [from: number, to: number][];
}

export interface ScriptOptions extends RunOptions {
  /** A run of this text whose inputs and results the script takes over, instead of a new run. */
  handle?: number;
}

/** A Python script that runs a program and its inputs under JAX. */
export interface ScriptResult {
  ok: boolean;
  text: string;
  diagnostics: Diagnostic[];
}

/** The items [begin, begin + count) of a list. */
export interface ListWindow {
  begin: number;
  count: number;
}

export type CompileOptions = Pick<
  RunOptions,
  "seed" | "timeLimit" | "memoryLimit" | "fillElided"
> & {
  /** As of `run`: they give sizes that the program leaves open. */
  inputs?: string[];
};
/** An array that a program takes or gives; tuples are their arrays one after another. */
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
export interface ExecuteResult {
  ok: boolean;
  seconds: number;
  diagnostics: Diagnostic[];
  /** The bytes of the result's arrays; none when it is not ok. */
  results: Uint8Array[];
}

/**
 * The calls. All but `run` and `pythonScript` answer within milliseconds; those end at the limits of
 * the run.
 */
export interface EngineApi {
  version(): string;
  ops(): OpInfo[];
  /**
   * `inputs`: specifications as `run` takes them, which give open sizes (`f32[3,4]`, `f32[3,4] iota`).
   * Later questions about the same text are about what they make of it.
   */
  check(text: ProgramText, inputs?: string[]): CheckResult;
  /** [kind, begin, end] triples, in order; kinds index TOKEN_KINDS. */
  tokens(text: ProgramText): Uint32Array;
  /**
   * The computations; with a window those that have instructions in it, counted through all of them,
   * with these instructions alone.
   */
  outline(text: ProgramText, window?: ListWindow): ComputationInfo[];
  place(text: ProgramText, offset: number): PlaceInfo;
  /**
   * The name of an instruction where it is defined: in this computation, else in the entry, else in
   * the first one that has an instruction of this name (names without %); null when none has.
   */
  definition(text: ProgramText, name: string, computation?: string): TextRange | null;
  complete(text: ProgramText, offset: number): CompletionResult;
  /** The canonical form of a module; the text itself when it does not parse. */
  format(text: ProgramText): string;
  /** The program as StableHLO or HLO text; of its own dialect: the canonical form. */
  convert(text: ProgramText, options: { to: "stablehlo" | "hlo" }): ConvertResult;
  /** Takes as long as a run (without a trace): the script compares with the engine's results. */
  pythonScript(text: ProgramText, options: ScriptOptions): ScriptResult;

  /** A program that is read and planned once; until `release(program)` it can be executed. */
  compileProgram(text: ProgramText, options: CompileOptions): CompileResult;
  /** On the arrays of all parameters; within the limits that it was compiled with. */
  executeProgram(program: number, arrays: readonly CustomCallData[]): ExecuteResult;
  run(text: ProgramText, options: RunOptions): RunResult;
  /** Entries of a run's trace beyond those that its answer has. */
  trace(run: { handle: number }, window: ListWindow): TraceEntry[];
  valueWindow(ref: ValueRef, window: WindowSpec): ValueWindow;
  valueStats(ref: ValueRef): ValueStats;
  /** Literal text, cut after maxElements. */
  valueText(ref: ValueRef, maxElements: number): string;
  valueNpy(ref: ValueRef): Uint8Array;
  /** Bytes [begin, begin+count) of the value laid out as `shape` says. */
  memory(ref: ValueRef, subject: string, begin: number, count: number): MemoryWindow;
  /** What lies in one byte of that image, bits named. */
  memoryByte(ref: ValueRef, subject: string, byte: number): ByteInfo;
  release(handle: number): void;

  layout(subject: LayoutSubject): LayoutInfo;
  logicalWindow(subject: LayoutSubject, window: WindowSpec): LogicalWindow;
  linearWindow(subject: LayoutSubject, begin: number, count: number): LinearWindow;
  address(subject: LayoutSubject, index: number[]): AddressInfo;
  layoutNotations(): NotationInfo[];
  /** One per notation, the subject's own among them; none when the subject is not valid. */
  layoutConversions(subject: LayoutSubject): LayoutConversion[];
  compareLayouts(a: LayoutSubject, b: LayoutSubject): LayoutComparison;

  /** How a layout comes about, step by step. `subject` is what `layout` takes. */
  film(subject: LayoutSubject): FilmInfo;
  /** Where an element is in every frame: its index in the frame's dims; [] outside the array. */
  filmPlaces(subject: LayoutSubject, index: number[]): number[][];
  /** Which elements are at slots [begin, begin + count) of a frame. */
  filmWindow(subject: LayoutSubject, frame: number, begin: number, count: number): LinearWindow;
  /** What it takes to bring an array from one layout into another. */
  relayout(from: LayoutSubject, to: LayoutSubject): RelayoutInfo;
  layoutAdvice(shape: string): LayoutAdvice;
  memoryReport(text: ProgramText): MemoryReport;
  programMemory(text: ProgramText): ProgramMemory;
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

/** A compiled program: typed arrays in, typed arrays out, in the order of `parameters` and `results`. */
export interface CompiledProgram {
  (...arrays: readonly CustomCallData[]): CustomCallData[];
  readonly parameters: readonly ArrayInfo[];
  readonly results: readonly ArrayInfo[];
  /** Lets the engine forget it. */
  release(): void;
}

/** An engine in this thread: functions cannot be sent to a worker. */
export interface LocalEngine extends EngineApi, DocumentCalls {
  /** Whether this build has the call; the one that a page loads first has not all of them. */
  has(call: string): boolean;
  /** Whether a text is read as MLIR (StableHLO) and not as HLO. */
  isMlir(text: ProgramText): boolean;
  /**
   * A program as a function: `const f = engine.compile(text); const [y] = f(x)`. Throws a
   * ProgramError when the text is none, and so does the function when it cannot be executed.
   */
  compile(text: string, options?: CompileOptions): CompiledProgram;
  /**
   * What a `custom_call_target` does in every later run of this engine; wins over a built-in target
   * of that name.
   */
  registerCustomCall(target: string, custom: CustomCallFunction): void;
  /** Forgets it; false when none was registered. */
  unregisterCustomCall(target: string): boolean;
}

/** The same calls through a worker: every one returns a promise. */
export type AsyncEngine = {
  [K in keyof EngineApi]: (...args: Parameters<EngineApi[K]>) => Promise<ReturnType<EngineApi[K]>>;
};
