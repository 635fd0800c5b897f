/** The module that Emscripten makes of the engine, as JavaScript finds it. */
import type { CustomCall } from "./engine_api";

/** What the Embind module exports (wasm/bindings.cc). */
export interface EngineModule {
  /** `json` is the list of arguments; `{"$buffer": n}` in it, and in an answer, is a buffer. */
  call(name: string, json: string, buffers: Uint8Array[]): CallAnswer;
  registerCustomCall(target: string, custom: (call: CustomCall) => CustomCallAnswer): void;
  unregisterCustomCall(target: string): boolean;
  /** The memory; another view after it grew. */
  readonly HEAPU8: Uint8Array;
  // wasm/program_calls.cc, in the full build:
  _hlo_places?(program: number): number;
  _hlo_make_room?(program: number, parameter: number): number;
  _hlo_place?(program: number, parameter: number, value: number): number;
  _hlo_call?(program: number, consumes: number): number;
  _hlo_keep?(program: number, result: number): number;
  _hlo_release?(handle: number): void;
  _hlo_drop_results?(program: number): void;
}

/** An answer; or what is wrong with the call, or with an argument of it. */
export type CallAnswer =
  | { fault?: undefined; json: string; buffers: (string | ArrayBufferView)[] }
  | { fault: string };

/**
 * The outcome of a custom call: "" and the bytes of the result's arrays in order, or an error
 * message.
 */
export interface CustomCallAnswer {
  error: string;
  leaves: Uint8Array[];
}

/** Emscripten's hook for instantiating the module otherwise than from its bytes. */
export type Instantiate = (
  imports: WebAssembly.Imports,
  done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
) => Record<string, never>;

/** The factory that Emscripten's glue exports by default. */
export type ModuleFactory = (options: {
  wasmBinary?: ArrayBuffer | Uint8Array;
  locateFile?: (name: string) => string;
  instantiateWasm?: Instantiate;
}) => Promise<EngineModule>;
