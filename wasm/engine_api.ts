/**
 * The engine as JavaScript sees it: a few coarse calls. JSON for structure, typed arrays for data;
 * large data are read in windows. Every offset into a text counts UTF-16 code units, as editors do.
 * No call throws for a bad program: faults are `Diagnostic`s in the result.
 */

import type { CostOptions, CostResult, MachineInfo } from "./cost_types";
import type { DebugAnswer, DebugRequest, DebugResult } from "./debug_types";
import type { DevicesAt, DevicesResult } from "./devices_types";
import type {
  ArrayOptions,
  HistogramOptions,
  ImageSpec,
  NumberTable,
  ValueFigures,
  ValueHistogram,
  ValueImage,
  ValueTiles,
} from "./figure_types";
import type { GraphFound, GraphModel, GraphOptions } from "./graph_types";
import type {
  AddressInfo,
  BufferWindow,
  ByteInfo,
  FilmInfo,
  LayoutAdvice,
  LayoutComparison,
  LayoutConversion,
  LayoutInfo,
  LayoutSubject,
  LinearWindow,
  LogicalWindow,
  MemoryPicture,
  MemoryReport,
  MemorySaving,
  MemoryWindow,
  NotationInfo,
  ProgramMemory,
  RelayoutInfo,
} from "./layout_types";
import type { PassesOptions, PassesResult } from "./pass_types";
import type { PrecisionOptions, PrecisionResult } from "./precision_types";
import type {
  CompiledProgram,
  CompileOptions,
  CompileResult,
  CustomCallData,
  CustomCallFunction,
  ExecuteOptions,
  ExecuteResult,
  InputFault,
  IsolateOptions,
  IsolateResult,
  MadeInput,
  NonFiniteEntry,
  ProfileTree,
  RunOptions,
  RunPlan,
  RunResult,
  ScriptOptions,
  ScriptResult,
  ShrinkOptions,
  ShrinkResult,
  TraceEntry,
  ValueHandle,
  ValueRef,
  ValueStats,
  ValueWindow,
  WindowSpec,
} from "./run_types";
import type { ShardingsOptions, ShardingsResult } from "./sharding_types";
import type {
  CheckResult,
  CompletionResult,
  ComputationInfo,
  ConvertResult,
  Definition,
  Diagnostic,
  DiffOptions,
  DocumentCalls,
  ListWindow,
  ModuleDiff,
  OpInfo,
  PlaceInfo,
  PlanResult,
  ProgramText,
  Renaming,
} from "./text_types";
import type { WhyOptions, WhyResult } from "./why_types";

export * from "./cost_types";
export * from "./debug_types";
export * from "./devices_types";
export * from "./figure_types";
export * from "./graph_types";
export * from "./layout_types";
export * from "./pass_types";
export * from "./precision_types";
export * from "./run_types";
export * from "./sharding_types";
export * from "./text_types";
export * from "./why_types";

/**
 * The calls. All but `run`, `why` and `pythonScript` answer within milliseconds; those end at the
 * limits of the run.
 */
export interface EngineApi {
  version(): string;
  ops(): OpInfo[];
  /**
   * `inputs`: specifications as for `run`, which determine unknown sizes (`f32[3,4]`, `f32[3,4]
   * iota`). Later calls about the same text use them too.
   */
  check(text: ProgramText, inputs?: string[]): CheckResult;
  /** [kind, begin, end] triples, in order; kinds index TOKEN_KINDS. */
  tokens(text: ProgramText): Uint32Array;
  /** The same of what can be folded, in order of its beginning; kinds index FOLD_KINDS. */
  folds(text: ProgramText): Uint32Array;
  /**
   * The computations; with a window those that have instructions in it, counted through all of them,
   * with these instructions alone.
   */
  outline(text: ProgramText, window?: ListWindow): ComputationInfo[];
  place(text: ProgramText, offset: number): PlaceInfo;
  /**
   * An instruction by its name, with or without %: in this computation, else in the entry, else in
   * the first one that has an instruction of this name; null when none has.
   */
  definition(text: ProgramText, name: string, computation?: string): Definition | null;
  /** What gives what is at an offset another name; null when nothing there has one. */
  rename(text: ProgramText, offset: number, name: string): Renaming | null;
  complete(text: ProgramText, offset: number): CompletionResult;
  /** The canonical form of a module; the text itself when it does not parse. */
  format(text: ProgramText): string;
  /** The program as StableHLO or HLO text; for its own dialect the canonical form. */
  convert(text: ProgramText, options: { to: "stablehlo" | "hlo" }): ConvertResult;
  /**
   * What a run without a trace executes: which instructions run as one loop, and why others do not;
   * or the WebAssembly that is generated for these loops, as text.
   */
  plan(text: ProgramText, options: { as: "plan" | "code" }): PlanResult;
  /** What became of the instructions of the program `before` in this one. */
  diff(after: ProgramText, before: string, options: DiffOptions): ModuleDiff;
  /** What a picture of the program shows. */
  graph(text: ProgramText, options?: GraphOptions): GraphModel;
  /** Instructions whose name, opcode or op_name contains a text. */
  graphSearch(text: ProgramText, wanted: string): GraphFound;
  /** The program with its arrays made smaller throughout. */
  shrink(text: ProgramText, options?: ShrinkOptions): ShrinkResult;
  /** Some instructions of one computation as a program of their own. */
  isolate(text: ProgramText, options: IsolateOptions): IsolateResult;
  /** What the passes of a compiler do to the program, step by step. */
  passes(text: ProgramText, options?: PassesOptions): PassesResult;
  /** Takes as long as a run (without a trace): the script compares with the engine's results. */
  pythonScript(text: ProgramText, options: ScriptOptions): ScriptResult;

  /**
   * Where an element of a run comes from, or the first of a kind. Takes as long as a run, which is
   * recorded and kept for the next question about it.
   */
  why(text: ProgramText, options: WhyOptions): WhyResult;
  /** Begins the timeline of a run, until `release(handle)`; nothing is recorded yet. */
  debug(text: ProgramText, options: RunOptions): DebugResult;
  askDebugger(handle: number, request: DebugRequest): DebugAnswer;

  /** Reads and plans a program once; it can be executed until `release(program)`. */
  compileProgram(text: ProgramText, options: CompileOptions): CompileResult;
  /** On the arrays of all parameters; within the limits that it was compiled with. */
  executeProgram(
    program: number,
    arrays: readonly (CustomCallData | ValueHandle)[],
    options?: ExecuteOptions,
  ): ExecuteResult;
  /** Why the last `run` of a program (CompiledProgram) failed; none when it did not. */
  programFaults(program: number): Diagnostic[];
  /** The bytes of an array that an execution has kept; until `release(value)`. */
  readValue(value: number): Uint8Array;
  run(text: ProgramText, options: RunOptions): RunResult;
  /** Entries of a run's trace beyond those that its answer has. */
  trace(run: { handle: number }, window: ListWindow): TraceEntry[];
  valueWindow(ref: ValueRef, window: WindowSpec): ValueWindow;
  /** Of no array, as when the run was released: of 0 elements. */
  valueStats(ref: ValueRef): ValueStats;
  /** Statistics of an array; like the next two null when there is no such array. */
  valueFigures(ref: ValueRef, options: ArrayOptions): ValueFigures | null;
  valueHistogram(ref: ValueRef, options: HistogramOptions, bins: number): ValueHistogram | null;
  /** A window of an array in at most so many blocks down and across: 65,536 in all. */
  valueTiles(
    ref: ValueRef,
    options: ArrayOptions,
    window: WindowSpec,
    mostRows: number,
    mostCols: number,
  ): ValueTiles | null;
  /** A slice of an array in at most so many pixels down and across: 4,194,304 in all. */
  valueImage(
    ref: ValueRef,
    options: ArrayOptions,
    image: ImageSpec,
    mostRows: number,
    mostCols: number,
  ): ValueImage | null;
  /** Keeps the array of an .npy file until `release`: `{ value }` names it in these calls. 0: it is none. */
  keepArray(file: { files: { bytes: Uint8Array }[] }, options: ArrayOptions): number;
  /** What is wrong with how an input is written; told without making it. */
  inputFaults(text: ProgramText, parameter: number, spec: string): InputFault[];
  /** Makes one input, of all devices, which `{ handle, entry: "input:N" }` names until `release`. */
  makeInput(text: ProgramText, options: RunOptions, parameter: number): MadeInput;
  /** A number written as in literals, in every float and integer type; null for any other text. */
  numberParts(text: string): NumberTable | null;
  /** The entries of a run's trace whose values are not all finite, in order; and such outputs. */
  nonFinite(run: { handle: number }): NonFiniteEntry[];
  /** Literal text, cut after maxElements. */
  valueText(ref: ValueRef, maxElements: number): string;
  valueNpy(ref: ValueRef): Uint8Array;
  /** Bytes [begin, begin+count) of the value laid out as `shape` says. */
  memory(ref: ValueRef, subject: string, begin: number, count: number): MemoryWindow;
  /** What lies in one byte of that image, bits named. */
  memoryByte(ref: ValueRef, subject: string, byte: number): ByteInfo;
  release(handle: number): void;

  layout(subject: LayoutSubject): LayoutInfo;
  /** With steps, its elements are so many rows and columns apart (1 if left out). */
  logicalWindow(
    subject: LayoutSubject,
    window: WindowSpec,
    rowStep?: number,
    colStep?: number,
  ): LogicalWindow;
  /** `count` offsets from `begin` on, so many apart (1 if left out). */
  linearWindow(subject: LayoutSubject, begin: number, count: number, step?: number): LinearWindow;
  address(subject: LayoutSubject, index: number[]): AddressInfo;
  layoutNotations(): NotationInfo[];
  /** One per notation, the subject's own among them; none when the subject is not valid. */
  layoutConversions(subject: LayoutSubject): LayoutConversion[];
  compareLayouts(a: LayoutSubject, b: LayoutSubject): LayoutComparison;

  /**
   * The film of a layout: the steps from the array to the buffer. `subject` is what `layout` takes.
   */
  film(subject: LayoutSubject): FilmInfo;
  /**
   * The position of an element in every frame: its index in the frame's dims; [] if out of bounds.
   */
  filmPlaces(subject: LayoutSubject, index: number[]): number[][];
  /** Which elements are at slots [begin, begin + count) of a frame. */
  filmWindow(subject: LayoutSubject, frame: number, begin: number, count: number): LinearWindow;
  /** The cost of copying an array from one layout to another. */
  relayout(from: LayoutSubject, to: LayoutSubject): RelayoutInfo;
  layoutAdvice(shape: string): LayoutAdvice;
  memoryReport(text: ProgramText, window?: BufferWindow): MemoryReport;
  programMemory(text: ProgramText, window?: BufferWindow): ProgramMemory;
  /** The buffers of a memory space (default: the device's main memory) over time. */
  memoryPicture(text: ProgramText, options: { space?: number }): MemoryPicture;
  /** What would lower the peak, the largest saving first. */
  memorySavings(text: ProgramText): MemorySaving[];
  /**
   * A file that XLA writes as a protocol buffer: HloModuleProto, HloProto, HloSnapshot, as bytes or
   * in the text format. It is recognised by its content.
   */
  readDump(file: { files: { bytes: Uint8Array }[] }): DumpContents;
  /** The instructions that have a sharding, and which device has which part of one's value. */
  shardings(text: ProgramText, options: ShardingsOptions): ShardingsResult;
  /** Runs the program, step by step: where data goes from device to device, and how each stands. */
  devices(text: ProgramText, options: RunOptions): DevicesResult;
  /**
   * How the devices of that run stand at a position, and what one of them holds; null where nothing
   * can be run.
   */
  devicesAt(
    text: ProgramText,
    options: RunOptions,
    position: number,
    device: number,
  ): DevicesAt | null;
  /** What every instruction costs by a model, and how long it takes a machine at least. */
  cost(text: ProgramText, options: CostOptions): CostResult;
  /**
   * Runs the program and, on the same inputs, the program `other` (or itself in wider floats), and
   * compares every value. Takes as long as both runs, within their limits.
   */
  precision(text: ProgramText, options: PrecisionOptions, other?: string): PrecisionResult;
  /** What the machine does that this engine runs on, measured; takes a tenth of a second or two. */
  measureMachine(): MachineInfo;
  /** The measured times of a run (`plan` of its answer) as a tree. */
  profileTree(plan: RunPlan): ProfileTree;
  /** The same as a file of Chrome trace events, which Perfetto opens: its text. */
  profileTrace(plan: RunPlan): string;
}

/** What a file has; `ok` is false where it is none of these, and `problems` say why. */
export interface DumpContents {
  ok: boolean;
  /** The name of XLA's message: "HloModule", "HloProto", "HloSnapshot". */
  message: string;
  /** The program as HLO text. */
  text: string;
  /** The text of its buffer assignment; "" where there is none. */
  bufferAssignment: string;
  /** Of a snapshot: specifications of the arguments, "" for those in `arrays`. */
  inputs: string[];
  /** Of a snapshot: the arguments that are arrays, as .npy files; empty for the others. */
  arrays: Uint8Array[];
  /** Of a snapshot: the result as a literal; "" where there is none, or a long one. */
  result: string;
  /** Of a snapshot: the platform that gave the result. */
  platform: string;
  problems: string[];
}

/**
 * An engine in this thread: only here can custom calls be functions, which cannot be sent to a
 * worker.
 */
export interface LocalEngine extends EngineApi, DocumentCalls {
  /**
   * Whether this build has the call; the build that a page loads first does not have all of them.
   */
  has(call: string): boolean;
  /** Whether a text is read as MLIR (StableHLO) and not as HLO. */
  isMlir(text: ProgramText): boolean;
  /**
   * A program as a function: `const f = engine.compile(text); const [y] = f(x)`. Throws a
   * ProgramError if the text cannot be compiled; the function throws one if it cannot be executed.
   */
  compile(text: string, options?: CompileOptions): CompiledProgram;
  /**
   * Registers the function of a `custom_call_target` for all later runs of this engine; it takes
   * precedence over a built-in target of that name. The function may call compiled programs of this
   * engine, other than the one that is running, and read and free values; every other call of the
   * engine throws an Error while it runs.
   */
  registerCustomCall(target: string, custom: CustomCallFunction): void;
  /** Unregisters it; false if none was registered. */
  unregisterCustomCall(target: string): boolean;
}
