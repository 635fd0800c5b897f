// @vitest-environment node
/** Programs as functions of typed arrays. */
import { beforeAll, describe, expect, it } from "vitest";
import { type LocalEngine, ProgramError } from "../../wasm/index";
import { loadEngine } from "./setup";

let engine: LocalEngine;
beforeAll(async () => {
  engine = await loadEngine();
});

describe("compile", () => {
  it("gives a function of typed arrays", () => {
    const f = engine.compile("ENTRY e { x = f32[3] parameter(0)  ROOT y = f32[3] add(x, x) }");
    expect(f.parameters).toEqual([{ type: "f32", dims: [3], data: "Float32Array" }]);
    const [y] = f(new Float32Array([1, 2, 3]));
    expect(y).toEqual(new Float32Array([2, 4, 6]));
    expect(f(new Float32Array([4, 5, 6]))[0]).toEqual(new Float32Array([8, 10, 12]));
    f.release();
    expect(() => f(new Float32Array(3))).toThrow("no such program");
  });

  it("takes StableHLO, several arrays, and a part of a buffer", () => {
    const f = engine.compile(`func.func @main(%a: tensor<2xi64>, %b: tensor<2xi64>)
        -> (tensor<2xi64>, tensor<2xi1>) {
      %0 = stablehlo.multiply %a, %b : tensor<2xi64>
      %1 = stablehlo.compare LT, %a, %b : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi1>
      return %0, %1 : tensor<2xi64>, tensor<2xi1> }`);
    const all = new BigInt64Array([9n, 3n, 4n]);
    const [product, less] = f(all.subarray(1), new BigInt64Array([5n, -6n]));
    expect(product).toEqual(new BigInt64Array([15n, -24n]));
    expect(less).toEqual(new Uint8Array([1, 0]));
  });

  it("says what is wrong, with the diagnostics", () => {
    expect(() => engine.compile("ENTRY e { ROOT x = f32[2] q() }")).toThrow(ProgramError);
    const f = engine.compile("ENTRY e { ROOT x = f32[2] parameter(0) }");
    expect(() => f(new Int32Array(2))).toThrow("array 0 is a Int32Array, not a Float32Array");
    expect(() => f(new Float32Array(3))).toThrow("needs 8 bytes, but 12 are given");
    expect(() => f()).toThrow("is not given");
    const endless = engine.compile(
      `c { s = s32[] parameter(0)  ROOT t = pred[] constant(true) }
       b { ROOT s = s32[] parameter(0) }
       ENTRY e { x = s32[] parameter(0)  ROOT w = s32[] while(x), condition=c, body=b }`,
      { timeLimit: 0.2 },
    );
    expect(() => endless(new Int32Array(1))).toThrow(/time limit/i);
    expect(() => endless(new Int32Array(1))).toThrow(/time limit/i);
  });
});

describe("results that are kept", () => {
  const DOUBLE = "ENTRY e { x = f32[3] parameter(0)  ROOT y = f32[3] add(x, x) }";
  const PAIR = `ENTRY e { x = f32[3] parameter(0)  n = f32[3] negate(x)
    ROOT t = (f32[3], f32[3]) tuple(x, n) }`;
  const START = new Float32Array([1, 2, 3]);

  it("stay in the engine, and are arguments of any program of it", () => {
    const [double, pair] = [engine.compile(DOUBLE), engine.compile(PAIR)];
    const [y] = double.keep(START);
    if (!y) throw new Error("no result");
    expect(y.shape).toEqual({ type: "f32", dims: [3], data: "Float32Array" });
    expect(y.read()).toEqual(new Float32Array([2, 4, 6]));
    const [same, negated] = pair.keep(y);
    if (!same || !negated) throw new Error("no results");
    expect(double(negated)).toEqual([new Float32Array([-4, -8, -12])]);
    // Nothing is written in the place of what is kept.
    expect(y.read()).toEqual(new Float32Array([2, 4, 6]));
    // What was handed on outlives its maker, and the program that handed it on.
    y.free();
    double.release();
    pair.release();
    expect(same.read()).toEqual(new Float32Array([2, 4, 6]));
    same.free();
    expect(negated.read()).toEqual(new Float32Array([-2, -4, -6]));
  });

  it("say when they are used after their end, or elsewhere", async () => {
    const f = engine.compile(DOUBLE);
    const [y] = f.keep(START);
    if (!y) throw new Error("no result");
    const other = await loadEngine();
    const elsewhere = other.compile(DOUBLE);
    expect(() => elsewhere(y)).toThrow("array 0: the value belongs to another engine");
    const four = engine.compile("ENTRY e { ROOT x = f32[4] parameter(0) }");
    expect(() => four(y)).toThrow(/array 0 of the parameters, f32\[4\], is given as f32\[3\]/);
    y.free();
    y.free();
    expect(() => f(y)).toThrow("array 0: the value was freed");
    expect(() => y.read()).toThrow("the value was freed");
    expect(() => engine.executeProgram(1, [{ value: -1 }])).toThrow(/no such/);
    expect(() => engine.readValue(-1)).toThrow("no such value");
  });

  it("take of the memory of the program that made them until they are freed", () => {
    const text =
      "ENTRY e { x = f32[] parameter(0)  ROOT y = f32[250000] broadcast(x), dimensions={} }";
    const f = engine.compile(text, { memoryLimit: 3_500_000 });
    const one = new Float32Array([1]);
    for (let round = 0; round < 5; round++) {
      const kept = [1, 2, 3].flatMap(() => f.keep(one));
      expect(() => f.keep(one)).toThrow(/memory limit/);
      for (const value of kept) value.free();
    }
    expect(f(one)[0]?.length).toBe(250_000);
  });
});
