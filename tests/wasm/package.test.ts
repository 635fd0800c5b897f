/** The package as users get it: built, imported by its name, without options. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("import { createEngine } from the package's name, in plain Node", () => {
  const program = `
    import { BrokenEngineError, createEngine } from "hlo-playground";
    if (!(BrokenEngineError.prototype instanceof Error)) throw new Error("no class of errors");
    const engine = await createEngine();
    const result = engine.run("ENTRY e { ROOT c = s32[2] constant({1, 2}) }", {});
    console.log(JSON.stringify(result.output.preview));`;
  const out = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
  });
  expect(JSON.parse(out).replace(/\s/g, "")).toBe("{1,2}");
});

it("the binary is beside the module, and not in it as well", () => {
  const module = readFileSync("build/npm/index.js", "utf8");
  expect(module).not.toMatch(/data:application\/wasm/);
  expect(module.length).toBeLessThan(200_000);
});
