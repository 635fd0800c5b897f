/** The built engine under Node, as a stranger would load it: bytes in, typed API out. */
import { readFileSync } from "node:fs";
import { createEngine, type EngineApi } from "../../wasm/index";

export function loadEngine(): Promise<EngineApi> {
  return createEngine({ wasmBinary: readFileSync("build/wasm/engine.wasm") });
}
