/** Programs as functions of typed arrays. */
import type {
  ArrayInfo,
  CompiledProgram,
  CompileOptions,
  CustomCallData,
  Diagnostic,
  EngineApi,
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

/** `LocalEngine.compile`. */
export function compile(
  engine: Pick<EngineApi, "compileProgram" | "executeProgram" | "release">,
  text: string,
  options: CompileOptions = {},
): CompiledProgram {
  const { ok, program, parameters, results, diagnostics } = engine.compileProgram(text, options);
  if (!ok) throw new ProgramError(diagnostics);
  const execute = (...arrays: readonly CustomCallData[]): CustomCallData[] => {
    for (const [i, array] of arrays.entries()) {
      const wanted = parameters[i]?.data;
      if (wanted !== undefined && array.constructor.name !== wanted) {
        throw new TypeError(`array ${i} is a ${array.constructor.name}, not a ${wanted}`);
      }
    }
    const outcome = engine.executeProgram(program, arrays);
    if (!outcome.ok) throw new ProgramError(outcome.diagnostics);
    return outcome.results.map((bytes, i) => typed(bytes, results[i] as ArrayInfo));
  };
  return Object.assign(execute, { parameters, results, release: () => engine.release(program) });
}
