// @vitest-environment node
/** Custom calls whose targets are JavaScript functions. */
import { beforeAll, describe, expect, it } from "vitest";
import type { CustomCall, CustomCallArray, LocalEngine } from "../../wasm/index";
import { loadEngine } from "./setup";

let engine: LocalEngine;
beforeAll(async () => {
  engine = await loadEngine();
});

function array(value: CustomCall["result"]): CustomCallArray {
  if (value === null || Array.isArray(value)) throw new Error("no array");
  return value;
}

/** The output as text without spaces, or the first message. */
function outcome(text: string, inputs: string[] = []): string {
  const result = engine.run(text, { inputs });
  engine.release(result.handle);
  return result.output?.preview.replace(/\s/g, "") ?? result.diagnostics[0]?.message ?? "";
}

describe("registerCustomCall", () => {
  it("gives operands as typed arrays and takes what is filled in", () => {
    engine.registerCustomCall("js.scale", (call) => {
      const x = array(call.operands[0] ?? null);
      expect(x).toMatchObject({ type: "f32", dims: [2, 3] });
      expect(x.data).toBeInstanceOf(Float32Array);
      const out = array(call.result).data as Float32Array;
      const factor = Number(call.backendConfig);
      out.set((x.data as Float32Array).map((v) => v * factor));
    });
    const text = `ENTRY e { p = f32[2,3]{0,1} parameter(0)
      ROOT r = f32[2,3] custom-call(p), custom_call_target="js.scale", backend_config="3" }`;
    expect(outcome(text, ["{{1,2,3},{4,5,6}}"])).toBe("{{3,6,9},{12,15,18}}");
  });

  it("takes a returned array; 64-bit integers are BigInt", () => {
    engine.registerCustomCall("js.next", (call) =>
      (array(call.operands[0] ?? null).data as BigInt64Array).map((v) => v + 1n),
    );
    const text = `ENTRY e { p = s64[2] parameter(0)
      ROOT r = s64[2] custom-call(p), custom_call_target="js.next" }`;
    expect(outcome(text, ["{1,9007199254740993}"])).toBe("{2,9007199254740994}");
  });

  it("tuples are lists, tokens null, sub-byte and pred bits are cut", () => {
    engine.registerCustomCall("js.tuple", (call) => {
      const [pair, token] = call.operands;
      expect(token).toBeNull();
      const [a] = pair as CustomCallArray[];
      const [flag, nibble, half] = call.result as CustomCallArray[];
      flag?.data.fill(5 as never);
      nibble?.data.fill(-9 as never);
      half?.data.fill(0x3c00 as never);
      expect(a?.data).toEqual(Int8Array.of(-1, 7));
    });
    const text = `ENTRY e { p = s4[2] parameter(0)  q = f32[] constant(1)
      t = (s4[2], f32[]) tuple(p, q)  k = token[] after-all()
      ROOT r = (pred[1], s4[1], f16[1]) custom-call(t, k), custom_call_target="js.tuple" }`;
    const result = engine.run(text, { inputs: ["{-1,7}"] });
    expect(result.diagnostics).toEqual([]);
    const parts = [0, 1, 2].map((i) =>
      engine.valueText({ handle: result.handle, entry: "output", path: [i] }, 10),
    );
    expect(parts.map((part) => part.replace(/\s/g, ""))).toEqual(["{1}", "{7}", "{1}"]);
    engine.release(result.handle);
  });

  it("what it throws, and what does not fit, is a diagnostic at the instruction", () => {
    const text = `ENTRY e { ROOT r = f32[2] custom-call(), custom_call_target="js.bad" }`;
    const unknown = engine.run(text, {}).diagnostics[0];
    expect(unknown?.message).toContain('custom-call target "js.bad"');
    expect(unknown?.message).toContain("engine.registerCustomCall");
    expect(text.slice(...(unknown?.range ?? [0, 0]))).toContain("custom-call");
    engine.registerCustomCall("js.bad", () => {
      throw new Error("no luck");
    });
    expect(outcome(text)).toContain("custom-call to js.bad failed: no luck");
    engine.registerCustomCall("js.bad", () => Float32Array.of(1));
    expect(outcome(text)).toContain("the result is a Float32Array of 2 elements (f32)");
    engine.registerCustomCall("js.bad", () => Int32Array.of(1, 2));
    expect(outcome(text)).toContain("the result is a Float32Array of 2 elements (f32)");
    engine.registerCustomCall("js.bad", (() => "7") as never);
    expect(outcome(text)).toContain("returns a typed array or nothing");
    engine.registerCustomCall("js.bad", (call) => {
      const { data } = array(call.result);
      structuredClone(data, { transfer: [data.buffer] } as never);
    });
    expect(outcome(text)).toContain("gave its result's buffer away");
    expect(engine.unregisterCustomCall("js.bad")).toBe(true);
    expect(engine.unregisterCustomCall("js.bad")).toBe(false);
    expect(outcome(text)).toContain("register one");
  });

  it("wins over a built-in target", () => {
    const text = `ENTRY e { a = f32[1] constant({3})
      ROOT r = f32[1] custom-call(a), custom_call_target="Sharding" }`;
    expect(outcome(text)).toBe("{3}");
    engine.registerCustomCall("Sharding", () => Float32Array.of(4));
    expect(outcome(text)).toBe("{4}");
    engine.unregisterCustomCall("Sharding");
    expect(outcome(text)).toBe("{3}");
  });
});

describe("the function of a custom call", () => {
  const TEXT = `ENTRY e { x = f32[3] parameter(0)
    ROOT y = f32[3] custom-call(x), custom_call_target="js.inside" }`;
  const INPUTS = ["{1,2,3}"];

  it("cannot make the engine run or read anything else", () => {
    const other = "ENTRY e { ROOT c = f32[9000000] iota(), iota_dimension=0 }";
    const calls = [
      () => engine.run(TEXT, { inputs: INPUTS }),
      () => engine.run(other, {}),
      () => engine.check(other),
      () => engine.compile(other),
      () => engine.unregisterCustomCall("js.inside"),
    ];
    for (const call of calls) {
      engine.registerCustomCall("js.inside", () => {
        call();
        return undefined;
      });
      expect(outcome(TEXT, INPUTS)).toContain("a custom call is running");
    }
    engine.registerCustomCall("js.inside", ({ operands }) => array(operands[0] ?? null).data);
    expect(outcome(TEXT, INPUTS)).toBe("{1,2,3}");
  });

  it("cannot release the program that runs it", () => {
    const f = engine.compile(TEXT);
    engine.registerCustomCall("js.inside", () => {
      f.release();
      return undefined;
    });
    expect(() => f(new Float32Array(3))).toThrow(/a custom call is running/);
    engine.registerCustomCall("js.inside", ({ operands }) => array(operands[0] ?? null).data);
    expect(f(new Float32Array([1, 2, 3]))).toEqual([new Float32Array([1, 2, 3])]);
    f.release();
    engine.unregisterCustomCall("js.inside");
  });
});
