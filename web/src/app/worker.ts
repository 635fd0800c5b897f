/** Workers with an engine, which the page compiles once for all of them. */
import type { Given } from "../../../wasm/protocol";

declare global {
  // Of a script that comes before all others (`web/vite.config.ts`); not there under the development server.
  /** Workers that were started before. */
  var earlyWorkers: Worker[] | undefined;
  /** The compiled engine, for every worker; null when the page could not compile it. */
  var earlyModule: Promise<WebAssembly.Module | null> | undefined;
}

/** Starts a worker, or takes one that has started already. */
export function spawnWorker(): Worker {
  const early = globalThis.earlyWorkers?.shift();
  if (early) return early;
  const worker = new Worker(new URL("../../../wasm/worker.ts", import.meta.url), {
    type: "module",
    name: "given",
  });
  void (globalThis.earlyModule ?? Promise.resolve(null)).then((wasmModule) => {
    const given: Given = { wasmModule };
    worker.postMessage(given);
  });
  return worker;
}
