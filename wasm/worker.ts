/**
 * The page's worker. The bundler puts the binaries among the page's assets and gives their
 * addresses.
 */
import createModule from "../build/wasm/engine.mjs";
import wasmUrl from "../build/wasm/engine.wasm?url";
import fullUrl from "../build/wasm/engine_full.wasm?url";
import { createEngine, type ModuleFactory } from "./engine";
import type { LocalEngine } from "./engine_api";
import { EnginePair, FULL_HANDLES } from "./pair";
import { serveEngine } from "./serve";

function create(factory: unknown, url: string, firstHandle = 1): Promise<LocalEngine> {
  return createEngine({
    factory: factory as ModuleFactory,
    wasmUrl: new URL(url, self.location.href).href,
    firstHandle,
  });
}

const small = create(createModule, wasmUrl);
small.then(
  () => performance.mark("engine-ready"),
  () => undefined,
);
const pair = new EnginePair(small, async () => {
  const full = await import("../build/wasm/engine_full.mjs");
  return create(full.default, fullUrl, FULL_HANDLES);
});
serveEngine((method, args) => pair.engineFor(method, args));
