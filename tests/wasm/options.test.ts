/** Arguments that no call takes are errors, in words, before the engine sees them. */
import { beforeAll, describe, expect, it } from "vitest";
import type { LocalEngine, RunOptions, ValueRef } from "../../wasm/index";
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
      `run: inputs[1] is a text such as "{1, 2, 3}" or "iota" (typed arrays are what the function of compile() takes), not ${what}`,
    );
    const compiling = () => engine.compile(PROGRAM, { inputs: [input] as unknown as string[] });
    expect(typeError(compiling)).toMatch(/^compileProgram: inputs\[0\] is a text /);
    expect(typeError(() => engine.check(PROGRAM, [input]))).toContain("check: inputs[0] is a text");
  });

  it("one that is left out is made at random", () => {
    for (const inputs of [[], [""], [undefined], new Array(1)]) {
      expect(engine.run(PROGRAM, { inputs: inputs as string[] }).ok).toBe(true);
    }
  });

  it("values for devices and of the host are texts", () => {
    const value = new Float32Array(3);
    expect(typeError(run({ deviceInputs: [{ parameter: 0, value }] }))).toContain(
      "run: deviceInputs[0].value is a text such as",
    );
    expect(typeError(run({ hostInputs: [{ value: "1" }, {}] }))).toMatch(
      /^run: hostInputs\[1\]\.value is a text .*, not undefined$/,
    );
    expect(typeError(run({ hostInputs: ["1"] }))).toBe('run: hostInputs[0] is an object, not "1"');
    expect(typeError(run({ hostInputs: [undefined] }))).toContain("an object, not undefined");
    expect(run({ deviceInputs: [{ parameter: 0, value: "{1,2,3}" }] })().ok).toBe(true);
  });
});

/** The engine as JavaScript has it, where no compiler looks at arguments. */
const call = (name: keyof LocalEngine, ...args: unknown[]): unknown =>
  (engine[name] as (...all: unknown[]) => unknown)(...args);

describe("options", () => {
  it.each([
    ["convert", { to: "foo" }, 'convert: to is "stablehlo" or "hlo", not "foo"'],
    ["plan", { as: "foo" }, 'plan: as is "plan" or "code", not "foo"'],
    ["run", { products: "f16" }, 'run: products is "" or "bf16" or "tf32", not "f16"'],
    ["why", { first: "foo" }, /^why: first is "nan" or .*, not "foo"$/],
    ["cost", { by: "foo" }, /^cost: by is "time" or .* or "text", not "foo"$/],
    ["cost", { machine: "foo" }, /^cost: machine is .*"v5e".*, not "foo"$/],
    ["cost", { machine: 5 }, "cost: machine is an object, not 5"],
    ["programMemory", { by: "foo" }, 'programMemory: by is "size" or "padding", not "foo"'],
    ["run", { seeed: 4 }, /^run: seeed is no option; there are: inputs, .*, seed, /],
    ["precision", { trace: true }, /^precision: trace is no option; there are: /],
    ["precision", { changes: { sed: 1 } }, /^precision: changes\.sed is no option; .*\bseed\b/],
    ["graph", { focus: { nam: "n" } }, /^graph: focus\.nam is no option; .* computation, name$/],
    ["outline", { first: 3 }, "outline: first is no option; there are: begin, count"],
    ["run", "x", 'run: options is an object, not "x"'],
    ["run", null, "run: options is an object, not null"],
    ["run", [], "run: options is an object, not an Array"],
    ["compile", { trace: false }, /^compileProgram: trace is no option; /],
  ] as const)("%s: %o is a TypeError", (name, given, message) => {
    const said = typeError(() => call(name, PROGRAM, given));
    if (typeof message === "string") expect(said).toBe(message);
    else expect(said).toMatch(message);
  });

  it("those of every call pass", () => {
    const { machines } = engine.cost(PROGRAM, {});
    expect(machines.length).toBeGreaterThan(1);
    for (const machine of machines) {
      expect(engine.cost(PROGRAM, { machine: machine.id }).machine).toEqual(machine);
      expect(engine.cost(PROGRAM, { machine, by: "text", savings: 3 }).ok).toBe(true);
    }
    expect(call("run", PROGRAM)).toMatchObject({ ok: true });
    expect(engine.run(PROGRAM, {}).ok).toBe(true);
    expect(engine.graph(PROGRAM, { radius: -1, focus: { name: "n", computation: "e" } }).ok).toBe(
      true,
    );
    expect(engine.passes(PROGRAM, { begin: 0, count: -1 }).ok).toBe(true);
    const element = { name: "n", computation: "e", iterations: null, index: null };
    expect(engine.why(PROGRAM, { element }).diagnostics).toEqual([]);
    expect(engine.programMemory(PROGRAM, { at: "peak", by: "padding" }).ok).toBe(true);
    expect(
      engine.run(PROGRAM, { seed: undefined, sed: undefined } as unknown as RunOptions).ok,
    ).toBe(true);
  });

  it("those about values are the third or the second argument", () => {
    const { handle } = engine.run(PROGRAM, {});
    const ref: ValueRef = { handle, entry: "output", path: [] };
    expect(typeError(() => call("valueHistogram", ref, { type: "f32", scale: "x" }, 4))).toBe(
      'valueHistogram: scale is "linear" or "log", not "x"',
    );
    expect(typeError(() => call("diff", PROGRAM, PROGRAM, { kinds: ["x"] }))).toMatch(
      /^diff: kinds\[0\] is "added" or .*, not "x"$/,
    );
    engine.release(handle);
  });
});

describe("functions", () => {
  it("a custom call is one, and its target a text", () => {
    expect(typeError(() => call("registerCustomCall", "t", 3))).toBe(
      "registerCustomCall: custom is a function, not 3",
    );
    expect(typeError(() => call("registerCustomCall", "t"))).toContain("not undefined");
    expect(typeError(() => call("registerCustomCall", 3, () => undefined))).toBe(
      "registerCustomCall: target is a text, not 3",
    );
    expect(typeError(() => call("unregisterCustomCall", null))).toContain("is a text, not null");
  });

  it("a compiled program says what it was given in the place of an array", () => {
    const f = engine.compile(PROGRAM);
    const x = new Float32Array(3);
    for (const [given, what] of [
      [null, "null"],
      [undefined, "undefined"],
      [[1, 2, 3], "an Array"],
      [3, "3"],
      [new Int32Array(3), "an Int32Array"],
    ]) {
      const message = `array 0 is ${what}, not a Float32Array`;
      expect(typeError(() => f(given as never))).toBe(message);
      expect(typeError(() => f.keep(given as never))).toBe(message);
      expect(typeError(() => f.into([x], given as never))).toBe(message);
    }
    expect(typeError(() => f(x, null as never))).toBe("array 1 is null, not a typed array");
    expect(typeError(() => f.into(null as never, x))).toBe(
      "into: results is an array of typed arrays, not null",
    );
    expect(typeError(() => f.into([null as never], x))).toBe(
      "result 0 is a Float32Array of 3 elements, not null",
    );
    f.release();
  });
});
