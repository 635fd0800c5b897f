// Makes a module that Node and browsers read of one in TypeScript and all that it imports.
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** `bundle("peer.ts", "build/peers/peer.mjs")`: the entry beside this file; the result below the root. */
export async function bundle(entry, result) {
  const here = (path) => fileURLToPath(new URL(path, import.meta.url));
  const [folder, name] = [result.replace(/\/[^/]*$/, ""), result.replace(/^.*\//, "")];
  await build({
    configFile: false,
    logLevel: "error",
    root: here("."),
    build: {
      lib: { entry: here(entry), formats: ["es"], fileName: () => name },
      outDir: here(`../../${folder}`),
      emptyOutDir: false,
      target: "es2022",
      minify: false,
    },
  });
}
