/** Before the page's tests: the engine that they ask is built. */
import { existsSync } from "node:fs";

export function setup(): void {
  for (const file of ["build/wasm/engine_full.mjs", "build/wasm/engine_full.wasm"]) {
    if (!existsSync(file)) throw new Error(`${file} is absent: run \`make wasm\` first.`);
  }
}
