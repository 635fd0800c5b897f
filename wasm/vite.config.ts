import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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

const PACKAGE = here("../build/npm");

/**
 * The declarations, as files of the package. Node's way of finding modules wants names with the
 * extension, which the sources leave out; every file of the declarations is in the one folder.
 */
function writeTypes(): void {
  const types = `${PACKAGE}/types`;
  const tsc = here("../node_modules/typescript/bin/tsc");
  const args = [tsc, "-p", here("types.tsconfig.json"), "--outDir", types];
  execFileSync(process.execPath, args, { stdio: "inherit" });
  for (const name of readdirSync(types)) {
    const text = readFileSync(`${types}/${name}`, "utf8");
    writeFileSync(`${types}/${name}`, text.replace(/(from "\.\/\w+)(?=";$)/gm, "$1.js"));
  }
}

/** What makes the folder a package by itself, wherever it is copied to. */
function writePackageFile(): void {
  const file = readFileSync(here("../package.json"), "utf8");
  const { name, version, description, type, license, engines } = JSON.parse(file);
  const exports = {
    ".": { types: "./types/index.d.ts", default: "./index.js" },
    "./engine.wasm": "./engine.wasm",
  };
  const own = { name, version, description, private: true, type, license, engines, exports };
  writeFileSync(`${PACKAGE}/package.json`, `${JSON.stringify(own, null, 2)}\n`);
}

/** The package: one module, its types, and the binary beside it under the name that index.ts looks for. */
export default defineConfig({
  build: {
    lib: { entry: here("index.ts"), formats: ["es"], fileName: () => "index.js" },
    outDir: PACKAGE,
    emptyOutDir: true,
    target: "es2022",
  },
  plugins: [
    addressAlone(),
    {
      name: "package",
      closeBundle() {
        copyFileSync(here("../build/wasm/engine_full.wasm"), `${PACKAGE}/engine.wasm`);
        copyFileSync(here("../LICENSE"), `${PACKAGE}/LICENSE`);
        writeTypes();
        writePackageFile();
      },
    },
  ],
});
