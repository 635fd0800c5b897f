/**
 * The page's worker. The bundler puts the binaries among the page's assets and gives their
 * addresses. A worker whose name says so is given the compiled engine in its first message
 * (`web/src/app/worker.ts`), since several workers have the same one.
 */
import createModule from "../build/wasm/engine.mjs";
import wasmUrl from "../build/wasm/engine.wasm?url";
import { createEngine, type ModuleFactory } from "./engine";
import type { FullEngine } from "./full";
import { EnginePair, FULL_HANDLES } from "./pair";
import { GIVEN, type Given, type Request } from "./protocol";
import { serveEngine } from "./serve";

/** The engine as the page has compiled it. */
function givenModule(): Promise<WebAssembly.Module | null> {
  return new Promise((resolve) => {
    const take = ({ data }: MessageEvent<Request | Given>): void => {
      if (!("wasmModule" in data)) return;
      self.removeEventListener("message", take);
      resolve(data.wasmModule);
    };
    self.addEventListener("message", take);
  });
}

const given = self.name === GIVEN ? givenModule() : Promise.resolve(null);
const small = given.then((wasmModule) =>
  createEngine({
    factory: createModule as ModuleFactory,
    wasmModule,
    wasmUrl: new URL(wasmUrl, self.location.href).href,
  }),
);
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
