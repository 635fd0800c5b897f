/**
 * Results of calls about texts: diagnostics, the outline, places, completion, conversions. Ranges
 * and offsets are UTF-16 code units.
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

/** The result of `check`. */
export interface CheckResult {
  /**
   * "hlo" (module, computation, or single instruction), "mlir" (StableHLO), "layout" (of one array, in
   * any notation, good or not), "protobuf", "memory-report", "foreign" (something else: Python, a jaxpr, prose), "empty".
   */
  kind: string;
  ok: boolean;
  diagnostics: Diagnostic[];
  /** Name of the module, "" if there is none. */
  module: string;
  parameters: ParameterInfo[];
  /** How many parameters there are: `parameters` lists 1,000 at most. */
  parameterCount: number;
  /** The program depends on the inputs that `check` was given: it has unknown sizes. */
  wantsInputs: boolean;
  /** Constants are left out as `{...}`: to run it, something has to stand in for them. */
  elided: boolean;
  /** Shape of the entry's result, "" if unknown. */
  result: string;
  instructionCount: number;
  computationCount: number;
  replicaCount: number;
  numPartitions: number;
}

export interface InstructionInfo {
  /** Unique in its computation. */
  name: string;
  /** As the text has it: "dot", "%dot.3"; "%0" for what StableHLO has by number. */
  shown: string;
  opcode: string;
  shape: string;
  /** The whole instruction, its name, its written shape (empty if omitted). */
  range: TextRange;
  nameRange: TextRange;
  shapeRange: TextRange;
  /** Indices into the computation's instruction list. */
  operands: number[];
  /** The attributes in the text: the range of the value, and the computations that it names. */
  attributes: { name: string; range: TextRange; calls: string[] }[];
  root: boolean;
}

export interface ComputationInfo {
  name: string;
  /** As the text has it: "body", "%body", "@main". */
  shown: string;
  entry: boolean;
  range: TextRange;
  nameRange: TextRange;
  instructions: InstructionInfo[];
}

/** What is at a place of the text, for hover and for the layout view. */
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
  /** Where the named thing is defined. */
  definition: TextRange | null;
  /** How often it is used; the first use behind the place, or else the first of all. */
  uses: number;
  nextUse: { number: number; range: TextRange } | null;
}

/** Where an instruction is defined: its name in the text, and what identifies it. */
export interface Definition {
  range: TextRange;
  name: string;
  computation: string;
}

/** `text` in the place of every range: the ranges' begins and ends, one after the other. */
export interface Renaming {
  text: string;
  ranges: Uint32Array;
}

export interface CompletionItem {
  label: string;
  kind: "opcode" | "attribute" | "name" | "type" | "computation" | "keyword" | "word";
  /** One line beside the label. */
  detail: string;
  doc: string;
  /** Text to insert instead of `label`. */
  insert: string;
  /** Ranges of `insert` that are to be filled in, one after another. */
  stops: TextRange[];
}

export interface CompletionResult {
  /** Where the completed word starts. */
  from: number;
  /**
   * What it may go on with beside letters and digits while the items stay the right ones; null: ask
   * again whatever it goes on with.
   */
  word: string | null;
  /** At most 1,000: of more than these those that have in them what is written of the word. */
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

/** What folds, in the order of its number in `folds()`. */
export const FOLD_KINDS = [
  "entry",
  "computation",
  "metadata",
  "config",
  "layout",
  "attribute",
  "literal",
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
  /** Opens a text under a number of the caller's choice, replacing an earlier one. */
  open(document: number, text: string): void;
  /** Changes in order that do not overlap. False when no such document is open. */
  edit(document: number, changes: TextChange[]): boolean;
  close(document: number): void;
  /** The text as it is now. */
  text(document: ProgramText): string;
  /** Whether a text has these words in it. */
  contains(text: ProgramText, words: string): boolean;
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
   * Pairs of lines (0-based) of the given text and of `text` that hold the same instruction, sorted;
   * one after the other. A line may be in several pairs.
   */
  lines: Uint32Array;
}

/** What is worked out about a program before it runs. */
export interface PlanResult {
  /** False: there is no program, `diagnostics` says why. */
  ok: boolean;
  /** "" unless ok. Of much more than 1 MB only the beginning. */
  text: string;
  diagnostics: Diagnostic[];
  /** Pairs of lines as in ConvertResult: the program's, and those of `text` that are about it. */
  lines: Uint32Array;
}

/** What happened to an instruction; `ModuleDiff.kinds` explains each. */
export type ChangeKind =
  | "added"
  | "removed"
  | "replaced"
  | "merged"
  | "duplicated"
  | "fused"
  | "unfused"
  | "inlined"
  | "moved"
  | "operands"
  | "attributes"
  | "shape"
  | "layout"
  | "reordered"
  | "renamed";

/** Which changes an answer has: at most 1,000, of these kinds (default: all). */
export interface DiffOptions extends ListWindow {
  kinds?: ChangeKind[];
  /** False: the answer has neither `lines` nor `marks`. */
  linesToo?: boolean;
}

/** Numbers of a program that a compiler's pass may change. */
export interface ModuleTotals {
  instructions: number;
  computations: number;
  fusions: number;
  /** Of the device's main memory, in the order of the text (ProgramMemory). */
  peakBytes: number;
  argumentBytes: number;
  /** At the peak. */
  temporaryBytes: number;
}

/** An instruction on one side of a comparison. */
export interface ChangedInstruction {
  /** Its name in its computation, by which other calls find it. */
  id: string;
  /** As the text has it. */
  name: string;
  computation: string;
  opcode: string;
  shape: string;
  /** In that side's text. */
  range: TextRange;
}

export interface ModuleChange {
  /** The most important first. */
  kinds: ChangeKind[];
  /** In words; may be empty. */
  what: string;
  before: ChangedInstruction | null;
  after: ChangedInstruction | null;
}

/** What became of a program's instructions in another program. */
export interface ModuleDiff {
  /** Both are programs without errors. Otherwise all counts are 0. */
  ok: boolean;
  beforeDiagnostics: Diagnostic[];
  afterDiagnostics: Diagnostic[];
  before: ModuleTotals;
  after: ModuleTotals;
  /** Every kind, with the number of changes that are of it. */
  kinds: { kind: ChangeKind; doc: string; count: number }[];
  /** Instructions that are as they were. */
  unchanged: number;
  /** What differs in the headers, in words. */
  header: string[];
  /** Changes of the kinds that were asked for; `changes` is a window of them. */
  changeCount: number;
  changes: ModuleChange[];
  /** Pairs of lines (0-based) of the text before and after that correspond, rising on both sides. */
  lines: Uint32Array;
  /** Triples: side (0 before, 1 after), line, index into `kinds`. */
  marks: Uint32Array;
}

/** The items [begin, begin + count) of a list. */
export interface ListWindow {
  begin: number;
  count: number;
}
