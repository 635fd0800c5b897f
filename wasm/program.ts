/** Programs as functions of arrays: typed arrays, and such as stay in the engine. */
import { described, withArticle } from "./described";
import type {
  ArrayInfo,
  CompiledProgram,
  CompileOptions,
  CompileResult,
  CustomCallData,
  Diagnostic,
  EngineApi,
  ExecuteOptions,
  ExecuteResult,
  ResidentValue,
} from "./engine_api";
import { arrayType, copyElements, Places, type ProgramModule } from "./places";

/** Why a program cannot be compiled or executed: the first error's message, and all diagnostics. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.find(({ severity }) => severity === "error")?.message ?? "no program");
    this.diagnostics = diagnostics;
  }
}

/** The bytes of an array as what its elements are. */
function typed(bytes: Uint8Array, shape: ArrayInfo): CustomCallData {
  const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  const buffer = (whole ? bytes : bytes.slice()).buffer as ArrayBuffer;
  return new (arrayType(shape))(buffer);
}

type ProgramCalls = Pick<
  EngineApi,
  "compileProgram" | "executeProgram" | "programFaults" | "readValue" | "release"
>;

/** Frees what nobody freed. An engine that is broken has nothing to free. */
const forgotten = new FinalizationRegistry((free: () => void) => {
  try {
    free();
  } catch {}
});

class Resident implements ResidentValue {
  readonly shape: ArrayInfo;
  readonly #engine: ProgramCalls;
  /** 0 once it is freed. */
  #handle: number;

  constructor(engine: ProgramCalls, handle: number, shape: ArrayInfo) {
    this.shape = shape;
    this.#engine = engine;
    this.#handle = handle;
    forgotten.register(this, () => engine.release(handle), this);
  }

  /** For a call of this engine. */
  handleFor(engine: ProgramCalls): number {
    if (this.#engine !== engine) throw new TypeError("the value belongs to another engine");
    if (this.#handle === 0) throw new TypeError("the value was freed");
    return this.#handle;
  }

  read<T extends CustomCallData>(): T {
    return typed(this.#engine.readValue(this.handleFor(this.#engine)), this.shape) as T;
  }

  free(): void {
    if (this.#handle === 0) return;
    forgotten.unregister(this);
    this.#engine.release(this.#handle);
    this.#handle = 0;
  }
}

type Argument = CustomCallData | ResidentValue;

/** The handle of a value that is an argument. */
function argumentHandle(engine: ProgramCalls, array: Resident, i: number): number {
  try {
    return array.handleFor(engine);
  } catch (error) {
    throw new TypeError(`array ${i}: ${(error as Error).message}`);
  }
}

/** An argument as the engine's call takes it. */
function argumentOf(engine: ProgramCalls, array: Argument, i: number, wanted?: ArrayInfo) {
  if (array instanceof Resident) return { value: argumentHandle(engine, array, i) };
  const isArray = ArrayBuffer.isView(array) as boolean;
  if (wanted === undefined ? !isArray : (array as unknown)?.constructor?.name !== wanted.data) {
    const what = wanted ? withArticle(wanted.data) : "a typed array";
    throw new TypeError(`array ${i} is ${described(array)}, not ${what}`);
  }
  return array as CustomCallData;
}

/** A program of an engine. It goes through its places if it can, else, and where something is wrong, through messages. */
class Program {
  readonly #engine: ProgramCalls;
  readonly #module: ProgramModule;
  readonly #handle: number;
  readonly #parameters: readonly ArrayInfo[];
  readonly #results: readonly ArrayInfo[];
  readonly #places: Places;

  constructor(engine: ProgramCalls, module: ProgramModule, compiled: CompileResult) {
    this.#engine = engine;
    this.#module = module;
    this.#handle = compiled.program;
    this.#parameters = compiled.parameters;
    this.#results = compiled.results;
    this.#places = new Places(module, this.#handle, this.#parameters, this.#results);
  }

  #fail(): never {
    throw new ProgramError(this.#engine.programFaults(this.#handle));
  }

  #place(i: number, array: Argument): boolean {
    if (array instanceof Resident) {
      return this.#places.put(i, argumentHandle(this.#engine, array, i));
    }
    const data = array as CustomCallData;
    if (!this.#places.fits(i, data)) return false;
    const place = this.#places.argument(i);
    if (place) copyElements(place, data);
    return place !== undefined;
  }

  /** Executes the program; false if the arrays do not go into places. */
  #executes(arrays: readonly Argument[]): boolean {
    if (arrays.length !== this.#parameters.length || !this.#places.refresh()) return false;
    for (let i = 0; i < arrays.length; i++) {
      if (!this.#place(i, arrays[i] as Argument)) return false;
    }
    if (!this.#places.call(true)) this.#fail();
    return true;
  }

  #outcome(arrays: readonly Argument[], how: ExecuteOptions): ExecuteResult {
    const given = arrays.map((array, i) => argumentOf(this.#engine, array, i, this.#parameters[i]));
    const outcome = this.#engine.executeProgram(this.#handle, given, how);
    if (!outcome.ok) throw new ProgramError(outcome.diagnostics);
    return outcome;
  }

  execute(arrays: readonly Argument[]): CustomCallData[] {
    if (!this.#executes(arrays)) {
      const { results } = this.#outcome(arrays, {});
      return results.map((bytes, i) => typed(bytes, this.#results[i] as ArrayInfo));
    }
    const results = this.#results.map((_, i) => this.#result(i).slice());
    this.#places.dropLarge();
    return results;
  }

  executeInto(results: readonly CustomCallData[], arrays: readonly Argument[]): void {
    if (!Array.isArray(results)) {
      throw new TypeError(`into: results is an array of typed arrays, not ${described(results)}`);
    }
    if (results.length !== this.#results.length) {
      throw new TypeError(`${results.length} arrays for ${this.#results.length} results`);
    }
    const isPlaced = this.#executes(arrays);
    const made = isPlaced ? undefined : this.#outcome(arrays, {}).results;
    for (let i = 0; i < results.length; i++) {
      const bytes = made?.[i];
      const from = bytes ? typed(bytes, this.#results[i] as ArrayInfo) : this.#result(i);
      const to = results[i] as CustomCallData;
      if (to?.constructor !== from.constructor || to.length !== from.length) {
        const given = ArrayBuffer.isView(to) ? `${described(to)} of ${to.length}` : described(to);
        throw new TypeError(
          `result ${i} is ${described(from)} of ${from.length} elements, not ${given}`,
        );
      }
      copyElements(to, from);
    }
    if (isPlaced) this.#places.dropLarge();
  }

  keep(arrays: readonly Argument[]): ResidentValue[] {
    const handles = this.#executes(arrays)
      ? this.#results.map((_, i) => this.#places.keep(i))
      : this.#outcome(arrays, { keep: true }).values;
    return handles.map(
      (handle, i) => new Resident(this.#engine, handle, this.#results[i] as ArrayInfo),
    );
  }

  #wantPlaces(i: number, shapes: readonly ArrayInfo[], what: string): void {
    if (!this.#places.refresh()) {
      throw new TypeError("the program was released, or has elements of less than a byte");
    }
    if (shapes[i] === undefined) throw new TypeError(`there is no ${what} ${i}`);
  }

  argument(i: number): CustomCallData {
    this.#wantPlaces(i, this.#parameters, "array of the parameters");
    return this.#places.argument(i) ?? this.#fail();
  }

  bind(i: number, value: ResidentValue): void {
    this.#wantPlaces(i, this.#parameters, "array of the parameters");
    if (!(value instanceof Resident)) throw new TypeError(`array ${i} is no value of an engine`);
    if (!this.#places.put(i, argumentHandle(this.#engine, value, i))) this.#fail();
  }

  run(): void {
    if (!this.#places.call(false)) this.#fail();
  }

  result(i: number): CustomCallData {
    this.#wantPlaces(i, this.#results, "result");
    return this.#result(i);
  }

  #result(i: number): CustomCallData {
    const array = this.#places.result(i);
    if (array) return array;
    throw new TypeError(
      `there is no result ${i}: the program was not run, or its results were kept`,
    );
  }

  release(): void {
    if (this.#module.calling) {
      throw new Error("release: a custom call is running, perhaps this program's");
    }
    this.#engine.release(this.#handle);
  }
}

/** `LocalEngine.compile`. */
export function compile(
  engine: ProgramCalls,
  module: ProgramModule,
  text: string,
  options: CompileOptions = {},
): CompiledProgram {
  const compiled = engine.compileProgram(text, options);
  if (!compiled.ok) throw new ProgramError(compiled.diagnostics);
  const program = new Program(engine, module, compiled);
  const { parameters, results } = compiled;
  const call = <T extends CustomCallData>(...arrays: readonly Argument[]) =>
    program.execute(arrays) as T[];
  return Object.assign(call, {
    into: (into: readonly CustomCallData[], ...arrays: readonly Argument[]) =>
      program.executeInto(into, arrays),
    keep: (...arrays: readonly Argument[]) => program.keep(arrays),
    argument: <T extends CustomCallData>(i: number) => program.argument(i) as T,
    bind: (i: number, value: ResidentValue) => program.bind(i, value),
    run: () => program.run(),
    result: <T extends CustomCallData>(i: number) => program.result(i) as T,
    parameters,
    results,
    release: () => program.release(),
  });
}
