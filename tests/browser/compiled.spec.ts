// What `hlo compile` writes runs in a browser by itself: a page gets those two files and nothing else.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";

interface Program {
  run(...values: Float32Array[]): Float32Array;
  inputs: { name: string; type: string; shape: number[] }[];
}
interface Script {
  load(): Promise<Program>;
}

const PROGRAM = `max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
ENTRY e {
  x = f32[6,20] parameter(0)
  w = f32[20,33] parameter(1)
  p = f32[6,33] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[6] reduce(p, low), dimensions={1}, to_apply=max
  ms = f32[6,33] broadcast(m), dimensions={0}
  d = f32[6,33] subtract(p, ms)
  e = f32[6,33] exponential(d)
  t = f32[6] reduce(e, zero), dimensions={1}, to_apply=add
  ts = f32[6,33] broadcast(t), dimensions={0}
  ROOT r = f32[6,33] divide(e, ts)
}`;

const numbers = (count: number, step: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.fround(Math.sin(i * step)));

test("a compiled program runs in a page that has nothing but its files", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "hlo-compiled-"));
  try {
    writeFileSync(join(folder, "layer.hlo"), PROGRAM);
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const made = spawnSync(
      "build/native/hlo",
      ["compile", join(folder, "layer.hlo"), "-o", folder],
      {
        cwd: root,
        encoding: "utf8",
      },
    );
    expect(made.stderr).toBe("");

    const asked: string[] = [];
    await page.route("**/*", (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      asked.push(name);
      if (name === "") return route.fulfill({ contentType: "text/html", body: "<!doctype html>" });
      if (name === "layer.mjs") {
        const body = readFileSync(join(folder, name));
        return route.fulfill({ contentType: "text/javascript", body });
      }
      if (name === "layer.wasm") return route.fulfill({ body: readFileSync(join(folder, name)) });
      return route.fulfill({ status: 404 });
    });
    await page.goto("http://localhost:9/");
    const inputs = [numbers(120, 1.3), numbers(660, 0.7)];
    const shown = await page.evaluate(async (values) => {
      const script: Script = await import(`${location.origin}/layer.mjs`);
      const program = await script.load();
      const result = program.run(...values.map((each) => Float32Array.from(each)));
      return { result: [...result], names: program.inputs.map(({ name }) => name) };
    }, inputs);

    const script: Script = await import(pathToFileURL(join(folder, "layer.mjs")).href);
    const program = await script.load();
    const expected = program.run(...inputs.map((each) => Float32Array.from(each)));
    expect(shown.names).toEqual(["x", "w"]);
    expect(shown.result).toEqual([...expected]);
    expect(asked.filter((name) => name !== "favicon.ico")).toEqual(["", "layer.mjs", "layer.wasm"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
