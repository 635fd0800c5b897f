/** The build that a page loads first: for HLO it answers as the full one does. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import factory from "../../build/wasm/engine.mjs";
import type { ModuleFactory } from "../../wasm/engine";
import { createEngine, type LocalEngine } from "../../wasm/index";
import { loadEngine } from "./setup";

let small: LocalEngine;
let full: LocalEngine;

beforeAll(async () => {
  full = await loadEngine();
  small = await createEngine({
    factory: factory as ModuleFactory,
    wasmBinary: readFileSync("build/wasm/engine.wasm"),
  });
});

const PROGRAM = `HloModule m
ENTRY e {
  x = f32[2,3]{0,1:T(2,2)} parameter(0)
  y = f32[2,3]{0,1:T(2,2)} exponential(x)
  ROOT z = bf16[2,3] convert(y)
}`;

it("says which calls it has and what MLIR is", () => {
  expect(["check", "run", "layout", "memory"].every((call) => small.has(call))).toBe(true);
  expect(["convert", "pythonScript", "film", "relayout"].some((call) => small.has(call))).toBe(
    false,
  );
  expect(full.has("convert")).toBe(true);
  for (const engine of [small, full]) {
    expect(engine.isMlir("module @m {\n}")).toBe(true);
    expect(engine.isMlir(PROGRAM)).toBe(false);
  }
});

it("answers about HLO as the full build does", () => {
  const offset = PROGRAM.indexOf("exponential") + 3;
  for (const text of [PROGRAM, PROGRAM.replace("exponential(x)", "exponential(q)"), "f32[2", ""]) {
    expect(small.check(text)).toEqual(full.check(text));
    expect(small.outline(text)).toEqual(full.outline(text));
    expect(small.tokens(text)).toEqual(full.tokens(text));
    expect(small.place(text, offset)).toEqual(full.place(text, offset));
    expect(small.complete(text, offset)).toEqual(full.complete(text, offset));
    expect(small.format(text)).toEqual(full.format(text));
  }
});

it("runs as the full build does, inputs in every form", () => {
  for (const inputs of [["iota"], ["f32[2,3] iota"], ["tensor<2x3xf32> iota"], ["tensor<2xf32>"]]) {
    const [a, b] = [small.run(PROGRAM, { inputs }), full.run(PROGRAM, { inputs })];
    expect(a.ok).toBe(b.ok);
    expect(a.diagnostics).toEqual(b.diagnostics);
    expect(a.output?.preview).toEqual(b.output?.preview);
  }
});

it("reads layouts in every notation as the full build does", () => {
  expect(small.layoutNotations()).toEqual(full.layoutNotations());
  const examples = full
    .layoutNotations()
    .flatMap(({ key, examples }) => examples.map((example) => ({ key, example })));
  for (const { example, key } of examples) {
    for (const subject of [example, `${key}: ${example}`, `${example}]`]) {
      expect(small.layout(subject)).toEqual(full.layout(subject));
      expect(small.address(subject, [0, 1])).toEqual(full.address(subject, [0, 1]));
    }
  }
});
