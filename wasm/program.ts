/** Programs as functions of arrays: typed arrays, and such as stay in the engine. */
import type {
  ArrayInfo,
  CompiledProgram,
  CompileOptions,
  CustomCallData,
  Diagnostic,
  EngineApi,
  ExecuteOptions,
  ExecuteResult,
  ResidentValue,
  ValueHandle,
} from "./engine_api";

/** Why a program cannot be compiled or executed: the first error's message, and all diagnostics. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.find(({ severity }) => severity === "error")?.message ?? "no program");
    this.diagnostics = diagnostics;
  }
}

const ARRAYS = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
};

/** The bytes of an array as what its elements are. */
function typed(bytes: Uint8Array, { data }: ArrayInfo): CustomCallData {
  const whole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength;
  const buffer = (whole ? bytes : bytes.slice()).buffer as ArrayBuffer;
  return new ARRAYS[data as keyof typeof ARRAYS](buffer);
}

type ProgramCalls = Pick<EngineApi, "compileProgram" | "executeProgram" | "readValue" | "release">;

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
  handleFor(engine: ProgramCalls): ValueHandle {
    if (this.#engine !== engine) throw new TypeError("the value belongs to another engine");
    if (this.#handle === 0) throw new TypeError("the value was freed");
    return { value: this.#handle };
  }

  read(): CustomCallData {
    const { value } = this.handleFor(this.#engine);
    return typed(this.#engine.readValue(value), this.shape);
  }

  free(): void {
    if (this.#handle === 0) return;
    forgotten.unregister(this);
    this.#engine.release(this.#handle);
    this.#handle = 0;
  }
}

type Argument = CustomCallData | ResidentValue;

/** An argument as the engine's call takes it. */
function argumentOf(engine: ProgramCalls, array: Argument, i: number, wanted?: ArrayInfo) {
  try {
    if (array instanceof Resident) return array.handleFor(engine);
  } catch (error) {
    throw new TypeError(`array ${i}: ${(error as Error).message}`);
  }
  if (wanted !== undefined && array.constructor.name !== wanted.data) {
    throw new TypeError(`array ${i} is a ${array.constructor.name}, not a ${wanted.data}`);
  }
  return array as CustomCallData;
}

/** `LocalEngine.compile`. */
export function compile(
  engine: ProgramCalls,
  text: string,
  options: CompileOptions = {},
): CompiledProgram {
  const { ok, program, parameters, results, diagnostics } = engine.compileProgram(text, options);
  if (!ok) throw new ProgramError(diagnostics);
  const outcomeOf = (arrays: readonly Argument[], how: ExecuteOptions): ExecuteResult => {
    const given = arrays.map((array, i) => argumentOf(engine, array, i, parameters[i]));
    const outcome = engine.executeProgram(program, given, how);
    if (!outcome.ok) throw new ProgramError(outcome.diagnostics);
    return outcome;
  };
  const execute = (...arrays: readonly Argument[]): CustomCallData[] =>
    outcomeOf(arrays, {}).results.map((bytes, i) => typed(bytes, results[i] as ArrayInfo));
  const keep = (...arrays: readonly Argument[]): ResidentValue[] =>
    outcomeOf(arrays, { keep: true }).values.map(
      (handle, i) => new Resident(engine, handle, results[i] as ArrayInfo),
    );
  const release = (): void => engine.release(program);
  return Object.assign(execute, { keep, parameters, results, release });
}
