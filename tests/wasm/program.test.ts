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
  it("multiplies and adds as it is told to", () => {
    const program = `ENTRY e { x = f32[2] parameter(0)  y = f32[2] parameter(1)
      ROOT d = f32[] dot(x, y), lhs_contracting_dims={0}, rhs_contracting_dims={0} }`;
    // The square of 1 + 2^-12 has 2^-24 more than 24 bits hold.
    const x = new Float32Array([-1 - 2 ** -11, 1 + 2 ** -12]);
    const y = new Float32Array([1, 1 + 2 ** -12]);
    expect(engine.compile(program)(x, y)).toEqual([new Float32Array([0])]);
    const fused = engine.compile(program, { multiplyAdd: "fused" });
    expect(fused(x, y)).toEqual([new Float32Array([2 ** -24])]);
  });

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
    expect(() => f(new Int32Array(2))).toThrow("array 0 is an Int32Array, not a Float32Array");
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

describe("calls without a message", () => {
  const SUM = `ENTRY e { x = f32[3] parameter(0)  y = f32[3] parameter(1)
    ROOT s = f32[3] add(x, y) }`;
  const [X, Y] = [new Float32Array([1, 2, 3]), new Float32Array([10, 20, 30])];

  it("write results into arrays of the caller's", () => {
    const f = engine.compile(SUM);
    const out = new Float32Array(3);
    for (let round = 0; round < 5; round++) {
      f.into([out], X, Y);
      expect(out).toEqual(new Float32Array([11, 22, 33]));
      f.into([out], out, out);
      expect(out).toEqual(new Float32Array([22, 44, 66]));
    }
    expect(() => f.into([], X, Y)).toThrow("0 arrays for 1 results");
    expect(() => f.into([new Float32Array(2)], X, Y)).toThrow(
      "result 0 is a Float32Array of 3 elements, not a Float32Array of 2",
    );
    expect(X).toEqual(new Float32Array([1, 2, 3]));
  });

  it("give results of their own, also where a result is an array of the parameters", () => {
    const one = new Float32Array([1, 1, 1, 1]);
    const bytes = [...new Uint8Array(one.buffer)];
    const results = {
      "f32[4] reshape(p)": [...one],
      "f32[2,2] reshape(p)": [...one],
      "u8[4,4] bitcast-convert(p)": bytes,
      "f32[4] copy(p)": [...one],
      "(f32[4], f32[4]) tuple(p, p)": [...one],
    };
    for (const [result, expected] of Object.entries(results)) {
      const f = engine.compile(`ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT r = ${result}\n}`);
      const kept = f.keep(one);
      f(new Float32Array([9, 9, 9, 9]));
      for (const value of kept) expect([...value.read()], result).toEqual(expected);
      f.argument(0).set(one as never);
      f.run();
      f.argument(0).fill(7 as never);
      expect([...f.result(0)], result).toEqual(expected);
      // A value of the engine's is nothing that the caller writes.
      const again = engine.compile(
        "ENTRY e { p = f32[4] parameter(0)  ROOT r = f32[4] reshape(p) }",
      );
      const given = engine.compile("ENTRY e { ROOT r = f32[4] iota(), iota_dimension=0 }").keep();
      const [same] = again.keep(...given);
      again(one);
      expect(same?.read(), result).toEqual(new Float32Array([0, 1, 2, 3]));
      expect(given[0]?.read(), result).toEqual(new Float32Array([0, 1, 2, 3]));
    }
  });

  it("run on what is in place, however the memory grows", () => {
    const f = engine.compile(SUM);
    expect(() => f.run()).toThrow("array 0 of the parameters, f32[3], is not given");
    f.argument(0).set(X as never);
    const [kept] = f.keep(X, Y);
    if (!kept) throw new Error("no result");
    f.bind(1, kept);
    f.run();
    expect(f.result(0)).toEqual(new Float32Array([12, 24, 36]));
    const large = engine.compile(
      "ENTRY e { x = f32[] parameter(0)  ROOT y = f32[20000000] broadcast(x), dimensions={} }",
    );
    large.keep(new Float32Array(1))[0]?.free();
    f.argument(0).fill(1 as never);
    f.run();
    expect(f.result(0)).toEqual(new Float32Array([12, 23, 34]));
    // A place that had a value of the engine's is not that value.
    f.argument(1).fill(0 as never);
    f.run();
    expect(f.result(0)).toEqual(new Float32Array([1, 1, 1]));
    expect(kept.read()).toEqual(new Float32Array([11, 22, 33]));
    expect(() => f.argument(2)).toThrow("there is no array of the parameters 2");
    expect(() => f.result(1)).toThrow("there is no result 1");
    f.release();
    expect(() => f.run()).toThrow("no such program");
    expect(() => f.result(0)).toThrow(/released/);
    expect(() => f.argument(0)).toThrow(/released/);
  });

  it("take large arrays, and types that have no places", () => {
    const f = engine.compile(
      "ENTRY e { x = f32[50000] parameter(0)  ROOT n = f32[50000] negate(x) }",
    );
    const x = Float32Array.from({ length: 50000 }, (_, i) => i);
    for (let round = 0; round < 4; round++) expect(f(x)[0]?.[49999]).toBe(-49999);
    expect(() => f.result(0)).toThrow("there is no result 0");
    const narrow = engine.compile("ENTRY e { x = s4[2] parameter(0)  ROOT n = s4[2] negate(x) }");
    const out = new Int8Array(2);
    narrow.into([out], new Int8Array([1, -3]));
    expect(out).toEqual(new Int8Array([-1, 3]));
    expect(() => narrow.argument(0)).toThrow(/less than a byte/);
  });

  it("say what fails, and go on", () => {
    const f = engine.compile(
      `ENTRY e { x = f32[] parameter(0)  y = f32[300000] broadcast(x), dimensions={}
        z = f32[300000] negate(y)  ROOT t = (f32[300000], f32[300000]) tuple(y, z) }`,
      { memoryLimit: 3_000_000 },
    );
    const one = new Float32Array([1]);
    const held = f.keep(one);
    expect(() => f(one)).toThrow(/z \(negate f32\[300000\]\): needs 2.3 MiB at one time/);
    for (const value of held) value.free();
    expect(f(one)[1]?.[7]).toBe(-1);
  });

  it("may call other programs in the middle, not themselves", () => {
    const inner = engine.compile(SUM);
    const outer = engine.compile(`ENTRY e { x = f32[3] parameter(0)
      ROOT y = f32[3] custom-call(x), custom_call_target="nested" }`);
    let program = inner;
    engine.registerCustomCall("nested", ({ operands, result }) => {
      const x = (operands[0] as { data: Float32Array }).data;
      const [y] = program === inner ? program(x, x) : program(x);
      (result as { data: Float32Array }).data.set(y as Float32Array);
      return undefined;
    });
    expect(outer(X)).toEqual([new Float32Array([2, 4, 6])]);
    program = outer;
    expect(() => outer(X)).toThrow(/it cannot call itself/);
    program = inner;
    expect(outer(Y)).toEqual([new Float32Array([20, 40, 60])]);
    engine.unregisterCustomCall("nested");
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
