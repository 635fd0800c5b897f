/** The package's types for a project elsewhere: the samples of both READMEs, strictly compiled. */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "types-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the samples have without saying where from. */
const GIVEN = `import type { LocalEngine } from "hlo-playground";
declare global {
  const engine: LocalEngine;
  const text: string;
  const x: Float32Array;
  const y: Float32Array;
}`;

const USER = `import { createEngine, EngineClient, ProgramError, type RunOptions } from "hlo-playground";
const options: RunOptions = { inputs: ["iota"], seed: 3 };
const engine = await createEngine();
const output: string | undefined = engine.run("", options).output?.preview;
const f = engine.compile("");
const [sum] = f<Int32Array>(new Int32Array(3));
const first: number | undefined = sum?.[0];
const place: BigInt64Array = f.argument(0);
place.fill(1n);
for (const value of f.keep(place)) value.read<Float64Array>().fill(0.5);
engine.registerCustomCall("t", ({ operands }) => (operands.length ? new Float32Array(1) : undefined));
const client = new EngineClient(() => new Worker("worker.js"));
const { ok } = await client.call("check", [""], { timeout: 1 });
// @ts-expect-error inputs are texts
engine.run("", { inputs: [new Float32Array(3)] });
// @ts-expect-error a dialect that is none
engine.convert("", { to: "foo" });
// @ts-expect-error there is no element of another type
const wrong: string = f.argument<Float32Array>(0)[0];
export { first, ok, output, ProgramError, wrong };`;

/** The samples of a README that use the package. */
function samplesOf(path: string): string[] {
  const blocks = readFileSync(path, "utf8").matchAll(/^```(?:ts|js)\n(.*?)^```$/gms);
  const all = [...blocks].map(([, code]) => code ?? "");
  return all.filter((code) => /\bengine\.|"hlo-playground"/.test(code));
}

function compile(project: string, how: string[]): string {
  const options = ["--strict", "--noEmit", "--target", "es2022"];
  const files = [...sources.keys()].map((name) => join(project, name));
  const tsc = resolve("node_modules/typescript/bin/tsc");
  try {
    return execFileSync(process.execPath, [tsc, ...options, ...how, ...files], {
      cwd: project,
      encoding: "utf8",
    });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

const sources = new Map<string, string>();
beforeAll(() => {
  const samples = [...samplesOf("README.md"), ...samplesOf("wasm/README.md")];
  expect(samples.length).toBeGreaterThanOrEqual(3);
  sources.set("given.ts", GIVEN).set("user.ts", USER);
  for (const [i, sample] of samples.entries()) {
    sources.set(`sample${i}.ts`, `${sample}\nexport {};\n`);
  }
});

/** The package as it is found in node_modules of another project. */
const WAYS = {
  "a link to the repository": (at: string) => symlinkSync(resolve("."), at),
  "a copy of build/npm": (at: string) => cpSync("build/npm", at, { recursive: true }),
  "npm install build/npm": (at: string) => {
    const args = ["install", "--offline", "--no-audit", "--no-fund", resolve("build/npm")];
    execFileSync("npm", args, { cwd: join(at, "../.."), stdio: "pipe" });
  },
};

describe.each(Object.entries(WAYS))("%s", (way, put) => {
  const project = join(folder, way.replaceAll(/\W/g, "-"));
  beforeAll(() => {
    mkdirSync(join(project, "node_modules"), { recursive: true });
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    put(join(project, "node_modules/hlo-playground"));
    for (const [name, code] of sources) writeFileSync(join(project, name), code);
  }, 60_000);

  it.each([
    ["a bundler", ["--module", "esnext", "--moduleResolution", "bundler"]],
    ["Node", ["--module", "nodenext"]],
    ["Node, without the DOM", ["--module", "nodenext", "--lib", "es2022"]],
  ])("compiles for %s", (_, how) => {
    expect(compile(project, how)).toBe("");
  });

  it("runs in Node", () => {
    const program = `import { existsSync } from "node:fs";
      import { createEngine } from "hlo-playground";
      if (!existsSync(new URL(import.meta.resolve("hlo-playground/engine.wasm")))) throw 0;
      const engine = await createEngine();
      const [y] = engine.compile("ENTRY e { x = f32[2] parameter(0)  ROOT y = f32[2] add(x, x) }")(new Float32Array([1, 2]));
      console.log([...y].join());`;
    const out = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: project,
      encoding: "utf8",
    });
    expect(out.trim()).toBe("2,4");
  });
});
