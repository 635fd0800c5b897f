import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** What of rolldown is asked here. */
interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Names a script of what a module imports when it is loaded, and of itself. */
function named(script: string, path: string): (id: string, graph: ModuleGraph) => string | null {
  const all = new Set<string>();
  return (id, graph) => {
    if (all.size === 0) {
      const open = [here(path)];
      for (const next of open) {
        if (all.has(next)) continue;
        all.add(next);
        open.push(...(graph.getModuleInfo(next)?.importedIds ?? []));
      }
    }
    return all.has(id) ? script : null;
  };
}

/** Workers that start before the page does: as many as a first run takes: one that answers, two that run. */
const COUNT = 3;

/**
 * The script, which comes before all others. It compiles the engine once for all workers, which are given it
 * (`wasm/protocol.ts`). Workers that could not be loaded are no longer in the list when the page takes them
 * (`web/src/app/worker.ts`). The page of the benchmark has a worker of its own.
 */
const script = (worker: string, wasm: string): string =>
  `if(!/^\\?bench\\b/.test(location.search)){const b=document.currentScript.src,u=new URL(${JSON.stringify(worker)},b),l=globalThis.earlyWorkers=[],m=globalThis.earlyModule=WebAssembly.compileStreaming(fetch(new URL(${JSON.stringify(wasm)},b))).catch(()=>null);for(let i=0;i<${COUNT};i++){const w=new Worker(u,{type:"module",name:"given"});w.onerror=e=>{e.preventDefault();l.splice(l.indexOf(w),1)};m.then(x=>w.postMessage({wasmModule:x}));l.push(w)}}`;

/**
 * What starts before the page's script has come. Engines do: by a script of its own, named in the page once the
 * name of the worker's file is known. And the editor's script is fetched and read beside the page's, which asks for
 * it when it runs.
 */
function earlyStart(): Plugin {
  return {
    name: "early-start",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_, bundle) {
        const html = bundle["index.html"];
        const worker = Object.keys(bundle).find((name) => /^assets\/worker-[^/]+\.js$/.test(name));
        const wasm = Object.keys(bundle).find((name) =>
          /^assets\/engine-[\w-]{8}\.wasm$/.test(name),
        );
        if (html?.type !== "asset" || !worker || !wasm) {
          throw new Error("there is no page, no worker, or no engine");
        }
        const reference = this.emitFile({
          type: "asset",
          name: "early.js",
          source: script(worker.replace("assets/", ""), wasm.replace("assets/", "")),
        });
        const editor = Object.keys(bundle).find((name) =>
          /^assets\/editor-[\w-]{8}\.js$/.test(name),
        );
        if (!editor) throw new Error("there is no editor");
        const preload = `<link rel="modulepreload" crossorigin href="./${editor}">`;
        const tag = `<script src="./${this.getFileName(reference)}"></script>\n    ${preload}`;
        html.source = String(html.source).replace("<script ", `${tag}\n    <script `);
      },
    },
  };
}

/** Small modules that many views import. */
const PARTS =
  /\/src\/ui\/(?:Check|Facts|Filter|Heading|Name|ScrollTable|answer|scaled|size)\.tsx?$/;

/** `base: "./"`: the built folder works under any path of any static host. */
export default defineConfig({
  root: here("."),
  base: "./",
  publicDir: here("public"),
  plugins: [earlyStart()],
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
        // Each is fetched and packed better than ten that import one another. What both import is the page's.
        codeSplitting: {
          groups: [
            { name: named("page", "src/main.tsx"), priority: 2 },
            { name: named("editor", "src/page/EditorPane.tsx"), priority: 1 },
            // What several views are made of: each by itself is less than its name in the page's list of scripts.
            { name: "parts", test: PARTS },
          ],
        },
      },
    },
  },
  worker: { format: "es" },
  server: { fs: { allow: [here("..")] } },
});
