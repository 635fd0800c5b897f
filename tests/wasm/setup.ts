/** The built engine under Node, loaded as a user would: bytes in, typed API out. */
import { readFileSync } from "node:fs";
import { createEngine, type LocalEngine } from "../../wasm/index";

export function loadEngine(): Promise<LocalEngine> {
  return createEngine({ wasmBinary: readFileSync("build/wasm/engine_full.wasm") });
}
