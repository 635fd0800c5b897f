/**
 * The engine in this thread: `const engine = await createEngine()`.
 * Works in a worker, in a page and in Node. Calls are synchronous; use EngineClient to keep a page
 * responsive.
 */
import type { EngineCalls } from "./calls";
import type { CustomCall, CustomCallFunction, CustomCallValue, LocalEngine } from "./engine_api";
import type { CustomCallAnswer, EngineModule, Instantiate, ModuleFactory } from "./engine_module";
import { asError, guarded, wellFormed } from "./guard";
import { compile } from "./program";

export * from "./engine_api";
export type { ModuleFactory } from "./engine_module";
export { BrokenEngineError } from "./guard";
export { ProgramError } from "./program";

export interface CreateOptions {
  /** The default export of build/wasm/engine.mjs or engine_full.mjs. */
  factory: ModuleFactory;
  /** The bytes of engine.wasm, or where they are; bytes are needed under Node. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  wasmUrl?: string;
  /** What engine.wasm was compiled to, by whoever did that before: null if nobody could. */
  wasmModule?: WebAssembly.Module | null;
  /** Throws what is wrong with the arguments of a call that the engine would take as they are. */
  checkCall?: (name: string, args: readonly unknown[]) => void;
  /** The same, where only the answer tells. */
  checkAnswer?: (name: string, args: readonly unknown[], answer: unknown) => void;
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

/** Stores what the function returned in the result. */
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

const utf8 = new TextEncoder();

/**
 * The arguments of a call as JSON and buffers. Texts cross as UTF-8, in which half a surrogate pair
 * becomes U+FFFD; the engine's parser of JSON would refuse it.
 */
function encoded(args: readonly unknown[]): { json: string; buffers: Uint8Array[] } {
  const buffers: Uint8Array[] = [];
  const buffer = (bytes: Uint8Array) => ({ $buffer: buffers.push(bytes) - 1 });
  const part = (_key: string, value: unknown): unknown => {
    if (typeof value === "string") return wellFormed(value);
    if (typeof value === "symbol") throw new TypeError("a symbol is no argument of a call");
    return ArrayBuffer.isView(value) ? buffer(bytesOf(value)) : value;
  };
  const list = args.map((arg) => (typeof arg === "string" ? buffer(utf8.encode(arg)) : arg));
  return { json: JSON.stringify(list, part), buffers };
}

/** An answer with its buffers in their places. */
function decoded(json: string, buffers: readonly unknown[]): unknown {
  const answer = JSON.parse(json) as unknown;
  if (buffers.length === 0) return answer;
  const filled = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(filled) : part(value);
  const part = (value: unknown): unknown =>
    typeof value === "object" && value !== null && "$buffer" in value
      ? buffers[Number(value.$buffer)]
      : value;
  const whole = filled(answer);
  if (whole !== answer) return whole;
  const members = Object.entries(answer as object).map(([key, value]) => [key, filled(value)]);
  return Object.fromEntries(members);
}

/**
 * The calls that the function of a custom call may make: what programs ask for beside their places.
 * Others may end what the run that waits for the function stands on: its document, its function.
 */
const INSIDE_CALLS: readonly string[] = ["programFaults", "readValue"];

/** An engine with the calls of a module's table, and no others. */
function engineOf(
  bare: EngineModule,
  { checkCall, checkAnswer }: Pick<CreateOptions, "checkCall" | "checkAnswer">,
): LocalEngine & EngineCalls {
  const module = guarded(bare);
  const programModule = {
    memory: () => bare.HEAPU8,
    functions: module,
    releases: 0,
    calling: false,
  };
  const refuseInside = (name: string): void => {
    if (!programModule.calling || INSIDE_CALLS.includes(name)) return;
    throw new Error(
      `${name}: a custom call is running; its function can call compiled programs alone`,
    );
  };
  const call = (name: string, args: unknown[]): unknown => {
    refuseInside(name);
    checkCall?.(name, args);
    const { json, buffers } = encoded(args);
    const answer = module.call(name, json, buffers);
    if (answer.fault !== undefined) throw new TypeError(answer.fault);
    const value = decoded(answer.json, answer.buffers);
    checkAnswer?.(name, args, value);
    return value;
  };
  const known = call("calls", []) as string[];
  const calls = known.map((name) => [name, (...args: unknown[]) => call(name, args)]);
  const api = Object.fromEntries(calls) as EngineCalls;
  const { release } = api;
  api.release = (handle) => {
    programModule.releases++;
    // What is no handle gets the answer of the call.
    if (module._hlo_release && (handle | 0) === handle) module._hlo_release(handle);
    else release(handle);
  };
  return {
    ...api,
    has: (name) => known.includes(name),
    compile: (text, options) => compile(api, programModule, text, options),
    registerCustomCall: (target, custom) => {
      refuseInside("registerCustomCall");
      checkCall?.("registerCustomCall", [target, custom]);
      module.registerCustomCall(target, (asked) => {
        const outer = programModule.calling;
        programModule.calling = true;
        try {
          return answerCall(custom, asked);
        } finally {
          programModule.calling = outer;
        }
      });
    },
    unregisterCustomCall: (target) => {
      refuseInside("unregisterCustomCall");
      checkCall?.("unregisterCustomCall", [target]);
      return module.unregisterCustomCall(target);
    },
  };
}

/** The engine's module, of what was compiled before if that is given. Rejects as `createEngine` does. */
function instantiate(options: CreateOptions): Promise<EngineModule> {
  const { factory, wasmBinary, wasmModule, wasmUrl } = options;
  return new Promise((resolve, reject) => {
    const instantiateWasm: Instantiate = (imports, done) => {
      const wasm = wasmModule as WebAssembly.Module;
      WebAssembly.instantiate(wasm, imports).then((made) => done(made, wasm), reject);
      return {};
    };
    factory({
      ...(wasmModule ? { instantiateWasm } : {}),
      ...(wasmBinary ? { wasmBinary } : {}),
      ...(wasmUrl ? { locateFile: () => wasmUrl } : {}),
    }).then(resolve, reject);
  });
}

/**
 * Loads and starts an engine. Rejects when WebAssembly (with SIMD and exceptions) is missing. After a
 * call that failed with a BrokenEngineError every later one does: make another engine.
 */
export async function createEngine(options: CreateOptions): Promise<LocalEngine> {
  const module = await instantiate(options).catch((thrown: unknown) => {
    throw asError(thrown);
  });
  const engine = engineOf(module, options);
  const { firstHandle = 1 } = options;
  if (firstHandle !== 1) engine.startHandlesAt(firstHandle);
  return engine;
}
