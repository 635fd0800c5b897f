import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Where the glue has the address of its binary, which Vite would put into the module as a data address. */
const GLUE_ADDRESS = /new URL\(\s*"engine_full\.wasm",\s*import\.meta\.url\s*\)\.toString\(\)/;

/**
 * Keeps the binary out of the module: `createEngine` passes the glue the address of the one beside it, and the
 * glue's own is used by nobody.
 */
function addressAlone(): Plugin {
  const glue = here("../build/wasm/engine_full.mjs");
  return {
    name: "address-alone",
    enforce: "pre",
    transform(code, id) {
      if (id !== glue) return null;
      if (!GLUE_ADDRESS.test(code)) this.error(`no ${GLUE_ADDRESS.source} in ${glue}`);
      return { code: code.replace(GLUE_ADDRESS, '"engine.wasm"'), map: null };
    },
  };
}

/** The package: one module, and the binary beside it under the name that index.ts looks for. */
export default defineConfig({
  build: {
    lib: { entry: here("index.ts"), formats: ["es"], fileName: () => "index.js" },
    outDir: here("../build/npm"),
    emptyOutDir: true,
    target: "es2022",
  },
  plugins: [
    addressAlone(),
    {
      name: "binary",
      closeBundle() {
        copyFileSync(here("../build/wasm/engine_full.wasm"), here("../build/npm/engine.wasm"));
      },
    },
  ],
});
