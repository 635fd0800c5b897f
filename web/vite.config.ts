import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What of rolldown is asked here. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** The modules that the page imports when it is loaded, whatever else imports them. */
const first = new Set<string>();
function isFirst(id: string, graph: ModuleGraph): boolean {
  if (first.size === 0) {
    const open = [here("src/main.tsx")];
    for (const next of open) {
      if (first.has(next)) continue;
      first.add(next);
      open.push(...(graph.getModuleInfo(next)?.importedIds ?? []));
    }
  }
  return first.has(id);
}

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
    rolldownOptions: {
      output: {
        // One script, which is fetched and packed better than ten that import one another.
        codeSplitting: {
          groups: [{ name: (id, graph) => (isFirst(id, graph) ? "page" : null) }],
        },
      },
    },
  },
  worker: { format: "es" },
  server: { fs: { allow: [here("..")] } },
});
