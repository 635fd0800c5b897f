/**
 * The page's worker. The bundler puts the binaries among the page's assets and gives their
 * addresses.
 */
import createModule from "../build/wasm/engine.mjs";
import wasmUrl from "../build/wasm/engine.wasm?url";
import { createEngine, type ModuleFactory } from "./engine";
import type { FullEngine } from "./full";
import { EnginePair, FULL_HANDLES } from "./pair";
import { serveEngine } from "./serve";

const small = createEngine({
  factory: createModule as ModuleFactory,
  wasmUrl: new URL(wasmUrl, self.location.href).href,
});
small.then(
  () => performance.mark("engine-ready"),
  () => undefined,
);
let full: FullEngine | undefined;
const pair = new EnginePair(small, async () => {
  full = await (await import("./full")).createFull(createEngine, FULL_HANDLES);
  return full.engine;
});
serveEngine(async (method, args) => {
  const engine = await pair.engineFor(method, args);
  await full?.prepare(method);
  return engine;
});
