/**
 * The engine in this thread: `const engine = await createEngine()`.
 * Works in a worker, in a page and in Node. Calls are synchronous; use EngineClient to keep a page
 * responsive.
 */
import type {
  AddressInfo,
  ByteInfo,
  CheckResult,
  CompletionResult,
  ComputationInfo,
  ConvertResult,
  CustomCall,
  CustomCallFunction,
  CustomCallValue,
  FilmInfo,
  LayoutAdvice,
  LayoutComparison,
  LayoutConversion,
  LayoutInfo,
  LayoutSubject,
  LinearWindow,
  LocalEngine,
  LogicalWindow,
  MemoryReport,
  MemoryWindow,
  NotationInfo,
  OpInfo,
  PlaceInfo,
  ProgramMemory,
  RelayoutInfo,
  RunOptions,
  RunResult,
  ScriptOptions,
  ScriptResult,
  TextRange,
  ValueRef,
  ValueStats,
  ValueWindow,
  WindowSpec,
} from "./engine_api";
import { asError, guarded, wellFormed } from "./guard";

export * from "./engine_api";
export { BrokenEngineError } from "./guard";

/** What the Embind module exports (wasm/bindings.cc): JSON texts and copies of bytes. */
export interface EngineModule {
  version(): string;
  isMlir(text: string): boolean;
  ops(): string;
  check(text: string, inputs: string): string;
  tokens(text: string): Uint32Array;
  outline(text: string): string;
  place(text: string, offset: number): string;
  definition(text: string, name: string, computation: string): string;
  complete(text: string, offset: number): string;
  format(text: string): string;
  run(text: string, options: string, files: { parameter: number; bytes: Uint8Array }[]): string;
  valueWindow(ref: string, window: string): { json: string; numbers: Float64Array };
  valueStats(ref: string): string;
  valueText(ref: string, maxElements: number): string;
  valueNpy(ref: string): Uint8Array;
  memory(
    ref: string,
    shape: string,
    begin: number,
    count: number,
  ): {
    bytes: Uint8Array;
    padding: Uint8Array;
  };
  memoryByte(ref: string, subject: string, byte: number): string;
  release(handle: number): void;
  layout(subject: string): string;
  logicalWindow(subject: string, window: string): Float64Array;
  linearWindow(subject: string, begin: number, count: number): Float64Array;
  address(subject: string, index: string): string;
  registerCustomCall(target: string, custom: (call: CustomCall) => CustomCallAnswer): void;
  unregisterCustomCall(target: string): boolean;
}

/** What became of a custom call: "" and the bytes of the result's arrays in order, or why not. */
interface CustomCallAnswer {
  error: string;
  leaves: Uint8Array[];
}

/** The calls that only the full build has (wasm/full_bindings.cc). */
export interface FullEngineModule extends EngineModule {
  convert(text: string, options: string): string;
  pythonScript(
    text: string,
    options: string,
    files: { parameter: number; bytes: Uint8Array }[],
  ): string;
  layoutNotations(): string;
  layoutConversions(subject: string): string;
  compareLayouts(a: string, b: string): string;
  film(subject: string): string;
  filmPlaces(subject: string, index: string): string;
  filmWindow(subject: string, frame: number, begin: number, count: number): Float64Array;
  relayout(from: string, to: string): string;
  layoutAdvice(shape: string): string;
  memoryReport(text: string): string;
  programMemory(text: string): string;
  startHandlesAt(handle: number): void;
}

/**
 * The factory that Emscripten's glue exports by default. That of the small build makes an
 * EngineModule only; EnginePair asks it for nothing else.
 */
export type ModuleFactory = (options: {
  wasmBinary?: ArrayBuffer | Uint8Array;
  locateFile?: (name: string) => string;
}) => Promise<FullEngineModule>;

export interface CreateOptions {
  /** The default export of build/wasm/engine.mjs or engine_full.mjs. */
  factory: ModuleFactory;
  /** The bytes of engine.wasm, or where they are; bytes are needed under Node. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  wasmUrl?: string;
  /** Handles of runs count from here; default 1. */
  firstHandle?: number;
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function leavesOf(value: CustomCallValue): Uint8Array[] {
  if (value === null) return [];
  return Array.isArray(value) ? value.flatMap(leavesOf) : [bytesOf(value.data)];
}

/** Puts what a function returned where the result is. */
function keep(result: CustomCallValue, returned: ArrayBufferView): void {
  if (result === null || Array.isArray(result)) {
    throw new TypeError("the result is not one array: fill call.result");
  }
  const { data } = result;
  if (returned.constructor !== data.constructor || returned.byteLength !== data.byteLength) {
    throw new TypeError(
      `the result is a ${data.constructor.name} of ${data.length} elements (${result.type})`,
    );
  }
  bytesOf(data).set(bytesOf(returned));
}

/** Runs a custom call; never throws, whatever the function does. */
function answerCall(custom: CustomCallFunction, call: CustomCall): CustomCallAnswer {
  const { result } = call;
  const leaves = leavesOf(result);
  try {
    const returned = custom(call) as unknown;
    if (ArrayBuffer.isView(returned)) keep(result, returned);
    else if (returned !== undefined) {
      throw new TypeError("a custom call returns a typed array or nothing");
    }
    return { error: "", leaves };
  } catch (error) {
    const said = error instanceof Error ? error.message || error.name : String(error);
    return { error: wellFormed(said) || "an error without words", leaves: [] };
  }
}

/** JSON for the engine, whose parser refuses half a surrogate pair. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "string" ? wellFormed(part) : part,
  );
}

class Engine implements LocalEngine {
  readonly #module: FullEngineModule;

  constructor(module: FullEngineModule) {
    this.#module = guarded(module);
  }

  version(): string {
    return this.#module.version();
  }
  has(call: string): boolean {
    return call in this.#module;
  }
  isMlir(text: string): boolean {
    return this.#module.isMlir(text);
  }
  ops(): OpInfo[] {
    return JSON.parse(this.#module.ops()) as OpInfo[];
  }
  check(text: string, inputs: string[] = []): CheckResult {
    return JSON.parse(this.#module.check(text, toJson(inputs))) as CheckResult;
  }
  tokens(text: string): Uint32Array {
    return this.#module.tokens(text);
  }
  outline(text: string): ComputationInfo[] {
    return JSON.parse(this.#module.outline(text)) as ComputationInfo[];
  }
  place(text: string, offset: number): PlaceInfo {
    return JSON.parse(this.#module.place(text, offset)) as PlaceInfo;
  }
  definition(text: string, name: string, computation = ""): TextRange | null {
    return JSON.parse(this.#module.definition(text, name, computation)) as TextRange | null;
  }
  complete(text: string, offset: number): CompletionResult {
    return JSON.parse(this.#module.complete(text, offset)) as CompletionResult;
  }
  format(text: string): string {
    return this.#module.format(text);
  }
  convert(text: string, options: { to: "stablehlo" | "hlo" }): ConvertResult {
    return JSON.parse(this.#module.convert(text, toJson(options))) as ConvertResult;
  }
  pythonScript(text: string, options: ScriptOptions): ScriptResult {
    const { files, ...rest } = options;
    const json = this.#module.pythonScript(text, toJson(rest), files ?? []);
    return JSON.parse(json) as ScriptResult;
  }
  run(text: string, options: RunOptions): RunResult {
    const { files, ...rest } = options;
    return JSON.parse(this.#module.run(text, toJson(rest), files ?? [])) as RunResult;
  }
  valueWindow(ref: ValueRef, window: WindowSpec): ValueWindow {
    const { json, numbers } = this.#module.valueWindow(toJson(ref), toJson(window));
    return { ...(JSON.parse(json) as Omit<ValueWindow, "numbers">), numbers };
  }
  valueStats(ref: ValueRef): ValueStats {
    return JSON.parse(this.#module.valueStats(toJson(ref))) as ValueStats;
  }
  valueText(ref: ValueRef, maxElements: number): string {
    return this.#module.valueText(toJson(ref), maxElements);
  }
  valueNpy(ref: ValueRef): Uint8Array {
    return this.#module.valueNpy(toJson(ref));
  }
  memory(ref: ValueRef, subject: LayoutSubject, begin: number, count: number): MemoryWindow {
    return { begin, ...this.#module.memory(toJson(ref), subject, begin, count) };
  }
  memoryByte(ref: ValueRef, subject: string, byte: number): ByteInfo {
    return JSON.parse(this.#module.memoryByte(toJson(ref), subject, byte)) as ByteInfo;
  }
  release(handle: number): void {
    this.#module.release(handle);
  }
  layout(subject: LayoutSubject): LayoutInfo {
    return JSON.parse(this.#module.layout(subject)) as LayoutInfo;
  }
  logicalWindow(subject: LayoutSubject, window: WindowSpec): LogicalWindow {
    const offsets = this.#module.logicalWindow(subject, toJson(window));
    return { rows: window.rows, cols: window.cols, offsets };
  }
  linearWindow(subject: LayoutSubject, begin: number, count: number): LinearWindow {
    return { begin, count, indices: this.#module.linearWindow(subject, begin, count) };
  }
  address(subject: LayoutSubject, index: number[]): AddressInfo {
    return JSON.parse(this.#module.address(subject, toJson(index))) as AddressInfo;
  }
  layoutNotations(): NotationInfo[] {
    return JSON.parse(this.#module.layoutNotations()) as NotationInfo[];
  }
  layoutConversions(subject: LayoutSubject): LayoutConversion[] {
    return JSON.parse(this.#module.layoutConversions(subject)) as LayoutConversion[];
  }
  compareLayouts(a: LayoutSubject, b: LayoutSubject): LayoutComparison {
    return JSON.parse(this.#module.compareLayouts(a, b)) as LayoutComparison;
  }
  film(subject: string): FilmInfo {
    return JSON.parse(this.#module.film(subject)) as FilmInfo;
  }
  filmPlaces(subject: string, index: number[]): number[][] {
    return JSON.parse(this.#module.filmPlaces(subject, toJson(index))) as number[][];
  }
  filmWindow(subject: string, frame: number, begin: number, count: number): LinearWindow {
    return { begin, count, indices: this.#module.filmWindow(subject, frame, begin, count) };
  }
  relayout(from: string, to: string): RelayoutInfo {
    return JSON.parse(this.#module.relayout(from, to)) as RelayoutInfo;
  }
  layoutAdvice(shape: string): LayoutAdvice {
    return JSON.parse(this.#module.layoutAdvice(shape)) as LayoutAdvice;
  }
  memoryReport(text: string): MemoryReport {
    return JSON.parse(this.#module.memoryReport(text)) as MemoryReport;
  }
  programMemory(text: string): ProgramMemory {
    return JSON.parse(this.#module.programMemory(text)) as ProgramMemory;
  }
  registerCustomCall(target: string, custom: CustomCallFunction): void {
    this.#module.registerCustomCall(target, (call) => answerCall(custom, call));
  }
  unregisterCustomCall(target: string): boolean {
    return this.#module.unregisterCustomCall(target);
  }
}

/**
 * Loads and starts an engine. Rejects when WebAssembly (with SIMD and exceptions) is missing. After a
 * call that failed with a BrokenEngineError every later one does: make another engine.
 */
export async function createEngine(options: CreateOptions): Promise<LocalEngine> {
  const { factory, wasmBinary, wasmUrl, firstHandle = 1 } = options;
  const module = await factory({
    ...(wasmBinary ? { wasmBinary } : {}),
    ...(wasmUrl ? { locateFile: () => wasmUrl } : {}),
  }).catch((thrown: unknown) => {
    throw asError(thrown);
  });
  if (firstHandle !== 1) module.startHandlesAt(firstHandle);
  return new Engine(module);
}
