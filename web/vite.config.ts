import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** `base: "./"`: the built folder works under any path of any static host. */
export default defineConfig({
  root: here("."),
  base: "./",
  publicDir: here("public"),
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: here("../dist"),
    emptyOutDir: true,
    target: "es2022",
    sourcemap: false,
    // The engine is fetched as a file of its own; nothing is inlined as a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
  server: { fs: { allow: [here("..")] } },
});
