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
import { createThreaded } from "./threaded";

export interface FullEngine {
  engine: LocalEngine;
  /** To be awaited before a call: threads are made for the first one that runs a program. */
  prepare(method: string): Promise<void>;
}

/** More threads than this are of no use to what pieces there are (engine/threads/pool.h). */
const MOST_THREADS = 16;

const address = (url: string): string => new URL(url, self.location.href).href;

/** How many threads may share the work of a run here. */
export function threadsHere(): number {
  const isolated = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === true;
  return isolated ? Math.min(navigator.hardwareConcurrency || 1, MOST_THREADS) : 1;
}

async function withThreads(
  create: typeof createEngine,
  firstHandle: number,
  count: number,
): Promise<FullEngine> {
  const files = {
    glue: address(glueUrl),
    wasm: address(threadsUrl),
    worker: address(threadUrl),
  };
  const { engine, use } = await createThreaded(create, files, { firstHandle });
  return {
    engine,
    prepare: async (method) => {
      // Each time: in the place of one that died another is started.
      if (isLong(method) || method === "compileProgram") await use(count);
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
