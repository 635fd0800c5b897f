/** Arguments that no call takes are errors, in words, before the engine sees them. */
import { beforeAll, describe, expect, it } from "vitest";
import type { LocalEngine, RunOptions } from "../../wasm/index";
import { loadEngine } from "./setup";

const PROGRAM = "ENTRY e { p = f32[3] parameter(0)  ROOT n = f32[3] negate(p) }";

let engine: LocalEngine;
beforeAll(async () => {
  engine = await loadEngine();
});

/** What a call says when it throws a TypeError. */
function typeError(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  return "no error";
}

describe("inputs", () => {
  const run = (options: unknown) => () => engine.run(PROGRAM, options as RunOptions);

  it.each([
    [new Float32Array([1, 2, 3]), "a Float32Array"],
    [[1, 2, 3], "an Array"],
    [3, "3"],
    [true, "true"],
    [null, "null"],
    [Object.create(null), "an Object"],
  ])("an input that is no text is an error: %o", (input, what) => {
    expect(typeError(run({ inputs: ["1", input] }))).toBe(
      `run: inputs[1] is ${what}, but an input is a text such as "{1, 2, 3}" or "iota"; compile() makes a function that takes typed arrays`,
    );
    const compiling = () => engine.compile(PROGRAM, { inputs: [input] as unknown as string[] });
    expect(typeError(compiling)).toContain(`compileProgram: inputs[0] is ${what}, but`);
  });

  it("one that is left out is made at random", () => {
    for (const inputs of [[], [""], [undefined], new Array(1)]) {
      expect(engine.run(PROGRAM, { inputs: inputs as string[] }).ok).toBe(true);
    }
  });

  it("values for devices and of the host are texts", () => {
    const value = new Float32Array(3);
    expect(typeError(run({ deviceInputs: [{ parameter: 0, value }] }))).toContain(
      "run: deviceInputs[0] has the value a Float32Array, but a value is a text",
    );
    expect(typeError(run({ hostInputs: [{ value: "1" }, {}] }))).toContain(
      "run: hostInputs[1] has the value undefined, but",
    );
    expect(typeError(run({ hostInputs: ["1"] }))).toBe(
      'run: hostInputs[0] is "1", but has to be an object with a value',
    );
    expect(run({ deviceInputs: [{ parameter: 0, value: "{1,2,3}" }] })().ok).toBe(true);
  });
});
