/** The full build with threads under Node, whose workers are made to look like a browser's. */
import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker as NodeWorker } from "node:worker_threads";
import { createEngine } from "../../wasm/engine";
import { createThreaded as create, type ThreadedEngine } from "../../wasm/threaded";

const built = (name: string): string =>
  fileURLToPath(new URL(`../../build/wasm/${name}`, import.meta.url));

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

export interface Threaded extends ThreadedEngine {
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
  const files = {
    glue: pathToFileURL(built("engine_threads.mjs")).href,
    wasm: built("engine_threads.wasm"),
    worker: built("engine_threads.worker.js"),
  };
  const wasmBinary = readFileSync(files.wasm);
  return {
    ...(await create(createEngine, files, { wasmBinary })),
    end: () => {
      for (const worker of BrowserWorker.all) worker.terminate();
    },
  };
}
