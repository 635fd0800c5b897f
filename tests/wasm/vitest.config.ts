import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Node alone: what a program that imports the package has. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: { include: ["tests/wasm/*.test.ts"], environment: "node", testTimeout: 30000 },
});
