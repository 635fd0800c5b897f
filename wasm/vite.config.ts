import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The package: one module, and the binary beside it under the name that index.ts looks for. */
export default defineConfig({
  build: {
    lib: { entry: here("index.ts"), formats: ["es"], fileName: () => "index.js" },
    outDir: here("../build/npm"),
    emptyOutDir: true,
    target: "es2022",
  },
  plugins: [
    {
      name: "binary",
      closeBundle() {
        copyFileSync(here("../build/wasm/engine_full.wasm"), here("../build/npm/engine.wasm"));
      },
    },
  ],
});
