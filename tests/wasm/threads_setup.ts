/** The full build with threads under Node, whose workers are made to look like a browser's. */
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker as NodeWorker } from "node:worker_threads";
import { createEngine, type ModuleFactory } from "../../wasm/engine";
import type { LocalEngine } from "../../wasm/engine_api";
import type { EngineModule } from "../../wasm/engine_module";

const built = (name: string): string =>
  fileURLToPath(new URL(`../../build/wasm/${name}`, import.meta.url));

export interface ThreadedModule extends EngineModule {
  _hlo_begin_threads(): void;
  _hlo_set_threads(count: number): number;
  _hlo_awake_threads(): number;
}

interface Message {
  data: unknown;
}

/** What Emscripten's glue uses of a worker. */
class BrowserWorker {
  static readonly all: BrowserWorker[] = [];
  onmessage: ((message: Message) => void) | null = null;
  onerror: ((error: unknown) => void) | null = null;
  readonly #worker: NodeWorker;
  constructor(script: string) {
    const shim = new URL("./thread_shim.mjs", import.meta.url);
    this.#worker = new NodeWorker(shim, { workerData: { script } });
    this.#worker.on("message", (data: unknown) => this.onmessage?.({ data }));
    this.#worker.on("error", (error) => this.onerror?.(error));
    this.#worker.unref();
    BrowserWorker.all.push(this);
  }
  postMessage(data: unknown): void {
    this.#worker.postMessage(data);
  }
  terminate(): void {
    void this.#worker.terminate();
  }
}

export interface Threaded {
  engine: LocalEngine;
  module: ThreadedModule;
  /** Makes so many threads share the work from now on; resolves when they are there. */
  use(count: number): Promise<void>;
  end(): void;
}

export async function createThreaded(): Promise<Threaded> {
  const scope = globalThis as Record<string, unknown>;
  Object.assign(scope, {
    self: globalThis,
    location: { href: "" },
    importScripts: () => undefined,
    Worker: BrowserWorker,
  });
  const glue = pathToFileURL(built("engine_threads.mjs")).href;
  const { default: factory } = (await import(/* @vite-ignore */ glue)) as {
    default: (options: object) => Promise<ThreadedModule>;
  };
  let module: ThreadedModule | undefined;
  const engine = await createEngine({
    wasmBinary: readFileSync(built("engine_threads.wasm")),
    factory: (async (options) => {
      module = await factory({
        ...options,
        mainScriptUrlOrBlob: glue,
        locateFile: (name: string) => built(name),
      });
      module._hlo_begin_threads();
      return module;
    }) as ModuleFactory,
  });
  const made = module as unknown as ThreadedModule;
  return {
    engine,
    module: made,
    use: async (count) => {
      const wanted = made._hlo_set_threads(count);
      while (made._hlo_awake_threads() < wanted) await new Promise((next) => setTimeout(next, 2));
    },
    end: () => {
      for (const worker of BrowserWorker.all) worker.terminate();
    },
  };
}
