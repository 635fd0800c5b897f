/** The page's worker. The bundler puts the binary among the page's assets and says where. */
import createModule from "../build/wasm/engine.mjs";
import wasmUrl from "../build/wasm/engine.wasm?url";
import { createEngine, type ModuleFactory } from "./engine";
import { serveEngine } from "./serve";

serveEngine(
  createEngine({
    factory: createModule as ModuleFactory,
    wasmUrl: new URL(wasmUrl, self.location.href).href,
  }),
);
