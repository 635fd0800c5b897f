/// <reference lib="dom" preserve="true" />
/// <reference lib="es2020" preserve="true" />
/**
 * The package's entry: `import { createEngine } from "hlo-playground"`, in a browser, a worker or
 * Node. Without options it finds the binary beside itself.
 */
import factory from "../build/wasm/engine_full.mjs";
import { checkAnswer, checkArguments } from "./call_options";
import { type CreateOptions, createEngine as create, type ModuleFactory } from "./engine";
import type { LocalEngine } from "./engine_api";

export { type CallOptions, EngineClient } from "./client";
export * from "./engine_api";
export { BrokenEngineError } from "./guard";
export { ProgramError } from "./program";
export { serveEngine } from "./serve";

/** Kept out of the URL expression so that bundlers leave the address alone. */
const BINARY = "engine.wasm";

interface NodeFiles {
  readFile(path: URL): Promise<Uint8Array>;
}

/** Whether this is Node, where `fetch` does not read files and nothing is a window or a worker. */
function isNode(): boolean {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return Boolean(process?.versions?.node) && !("window" in globalThis);
}

async function readBinary(): Promise<Uint8Array> {
  const fs = "node:fs/promises";
  const { readFile } = (await import(/* @vite-ignore */ fs)) as NodeFiles;
  return readFile(new URL(/* @vite-ignore */ BINARY, import.meta.url));
}

/** The glue is built for pages and workers: while it starts, Node must look like a worker. */
async function asWorker<T>(work: () => Promise<T>): Promise<T> {
  const scope = globalThis as Record<string, unknown>;
  const stand = { self: globalThis, importScripts: () => undefined, location: { href: "" } };
  const added = Object.keys(stand).filter((key) => !(key in scope));
  for (const key of added) scope[key] = stand[key as keyof typeof stand];
  try {
    return await work();
  } finally {
    for (const key of added) delete scope[key];
  }
}

/** Elements whose arrays, and the sums of them, are as large as a usual first program's. */
const WARM_SIZE = 1 << 17;

const WARM_UP = `ENTRY warm_up {
  a = f32[4,4] parameter(0)
  b = f32[4,4] parameter(1)
  c = f32[${WARM_SIZE}] parameter(2)
  d = f32[${WARM_SIZE}] parameter(3)
  product = f32[4,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  sum = f32[4,4] add(product, a)
  sums = f32[${WARM_SIZE}] add(c, d)
  ROOT all = (f32[4,4], f32[${WARM_SIZE}]) tuple(sum, sums)
}`;

/**
 * Functions of WebAssembly are compiled when they are first called, and the system hands out memory
 * page by page when it is first written. The functions that any program needs, about a thousand, are
 * called, and some memory is used and given back, before there is a program, or else the first one
 * waits for them. Another build than the full one (`options.factory`) may not compile programs.
 */
function warmUp(engine: LocalEngine): LocalEngine {
  if (!engine.has("compileProgram")) return engine;
  const call = engine.compile(WARM_UP);
  const few = new Float32Array(16);
  const many = new Float32Array(WARM_SIZE);
  for (const value of call.keep(few, few, many, many)) {
    value.read();
    value.free();
  }
  call.release();
  return engine;
}

/**
 * Loads an engine in this thread, and runs a short program in it. Rejects when
 * WebAssembly with SIMD and exceptions is missing, or the binary cannot be read.
 */
export async function createEngine(options: Partial<CreateOptions> = {}): Promise<LocalEngine> {
  const node = isNode();
  const wasmBinary =
    options.wasmBinary ?? (node && !options.wasmUrl ? await readBinary() : undefined);
  const wasmUrl = options.wasmUrl ?? new URL(/* @vite-ignore */ BINARY, import.meta.url).href;
  const start = (): Promise<LocalEngine> =>
    create({
      factory: options.factory ?? (factory as ModuleFactory),
      wasmUrl,
      checkCall: checkArguments,
      checkAnswer,
      ...(wasmBinary ? { wasmBinary } : {}),
    });
  return warmUp(await (node ? asWorker(start) : start()));
}
