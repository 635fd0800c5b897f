/**
 * The full build for the page's workers: with threads where the page is isolated (`crossOriginIsolated`), so
 * that memory may be shared. Loaded when it is needed.
 */
import fullUrl from "../build/wasm/engine_full.wasm?url";
import glueUrl from "../build/wasm/engine_threads.mjs?url";
import threadsUrl from "../build/wasm/engine_threads.wasm?url";
import threadUrl from "../build/wasm/engine_threads.worker.js?url";
import { isLong } from "./calls";
import type { createEngine, ModuleFactory } from "./engine";
import type { LocalEngine } from "./engine_api";
import type { EngineModule } from "./engine_module";

/** What the module with threads has besides (wasm/thread_calls.cc). */
interface ThreadedModule extends EngineModule {
  _hlo_begin_threads(): void;
  _hlo_set_threads(count: number): number;
  _hlo_awake_threads(): number;
}

export interface FullEngine {
  engine: LocalEngine;
  /** To be awaited before a call: threads are made for the first one that runs a program. */
  prepare(method: string): Promise<void>;
}

/** More threads than this are of no use to what pieces there are (engine/threads/pool.h). */
const MOST_THREADS = 16;
/** Milliseconds that a first run waits for its threads; without them it begins alone. */
const PATIENCE = 1000;

const address = (url: string): string => new URL(url, self.location.href).href;

/** How many threads may share the work of a run here. */
export function threadsHere(): number {
  const isolated = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true;
  return isolated ? Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS) : 1;
}

/** Makes `count` threads, one of them this, and waits until they are there. */
async function startThreads(module: ThreadedModule, count: number): Promise<void> {
  const wanted = module._hlo_set_threads(count);
  const end = performance.now() + PATIENCE;
  while (module._hlo_awake_threads() < wanted && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function withThreads(
  create: typeof createEngine,
  firstHandle: number,
  count: number,
): Promise<FullEngine> {
  const glue = address(glueUrl);
  // As it is: what the bundler made of it, threads could not load.
  const { default: factory } = (await import(/* @vite-ignore */ glue)) as {
    default: (options: object) => Promise<ThreadedModule>;
  };
  let module: ThreadedModule | undefined;
  const engine = await create({
    factory: (async (options) => {
      module = await factory({
        ...options,
        mainScriptUrlOrBlob: glue,
        locateFile: (name: string) => address(name.endsWith(".wasm") ? threadsUrl : threadUrl),
      });
      module._hlo_begin_threads();
      return module;
    }) as ModuleFactory,
    firstHandle,
  });
  let started: Promise<void> | undefined;
  return {
    engine,
    prepare: async (method) => {
      if (isLong(method) || method === "compileProgram") {
        started ??= startThreads(module as ThreadedModule, count);
      }
      await started;
    },
  };
}

/** `create` is createEngine, which the worker has already. Rejects when the engine cannot be loaded. */
export async function createFull(
  create: typeof createEngine,
  firstHandle = 1,
): Promise<FullEngine> {
  const threads = threadsHere();
  if (threads > 1) {
    try {
      return await withThreads(create, firstHandle, threads);
    } catch (error) {
      // Shared memory is reserved at its full size, which small machines may not have.
      console.warn("The engine runs with one thread:", error);
    }
  }
  const full = await import("../build/wasm/engine_full.mjs");
  const engine = await create({
    factory: full.default as ModuleFactory,
    wasmUrl: address(fullUrl),
    firstHandle,
  });
  return { engine, prepare: () => Promise.resolve() };
}
