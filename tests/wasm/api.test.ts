// @vitest-environment node
/** Every call of the JavaScript API on the built engine. */
import { beforeAll, describe, expect, it } from "vitest";
import { type EngineApi, TOKEN_KINDS } from "../../wasm/index";
import { loadEngine } from "./setup";

const PROGRAM = `HloModule m
ENTRY e {
  p = f32[2,3]{1,0} parameter(0)
  q = f32[2,3]{1,0} parameter(1)
  s = f32[2,3]{1,0} add(p, q)
  ROOT t = (f32[2,3]{1,0}, f32[2,3]{1,0}) tuple(s, p)
}
`;
const INPUTS = ["{{1,2,3},{4,5,6}}", "constant:0.5"];

let engine: EngineApi;
beforeAll(async () => {
  engine = await loadEngine();
});

describe("texts", () => {
  it("check: parameters and result of a good program", () => {
    const result = engine.check(PROGRAM);
    expect(result.diagnostics).toEqual([]);
    expect(result).toMatchObject({ ok: true, kind: "hlo", module: "m", instructionCount: 4 });
    expect(result.parameters.map((p) => [p.name, p.shape])).toEqual([
      ["p", "f32[2,3]{1,0}"],
      ["q", "f32[2,3]{1,0}"],
    ]);
  });

  it("check: ranges count UTF-16 code units", () => {
    const text = "// \u{1F600} é\nENTRY e { ROOT x = f32[] frob(y) }";
    const [first] = engine.check(text).diagnostics;
    expect(first?.code).toBe("opcode-unknown");
    expect(text.slice(...(first?.range ?? [0, 0]))).toBe("frob");
  });

  it("check: several faults in one pass", () => {
    const text =
      "ENTRY e {\n a = f32[2] parameter(0)\n b = f32[3] frob(a)\n c = f32[] add(a)\n ROOT d = f32[2] negate(zz)\n}";
    expect(engine.check(text).diagnostics.length).toBeGreaterThanOrEqual(3);
  });

  it("half of a surrogate pair takes no character with it", () => {
    // It is no character of a literal, and the `-` behind it stays.
    const text = "ENTRY e { ROOT c = s32[2] constant({\uD800-1,-2}) }";
    const [first] = engine.check(text).diagnostics;
    expect(text.slice(...(first?.range ?? [0, 0]))).toBe("\uD800");
    const comment = "ENTRY e { // \uDC00\n ROOT c = s32[2] constant({-1,-2}) // \uD800";
    expect(engine.check(`${comment}\n}`)).toMatchObject({ ok: true, instructionCount: 1 });
    const run = engine.run(PROGRAM, { inputs: ["{{1,2,3},{4,5,6}}", "\uD800constant:0.5"] });
    expect(run.ok).toBe(false);
    expect(run.diagnostics.length).toBeGreaterThan(0);
  });

  it("a byte-order mark and line ends of old Macs are space", () => {
    expect(engine.check(`\uFEFF${PROGRAM}`).ok).toBe(true);
    const mac = PROGRAM.replace("ROOT", "// the result\n  ROOT").replaceAll("\n", "\r");
    expect(engine.check(mac)).toMatchObject({ ok: true, instructionCount: 4 });
  });

  it("tokens cover the text in order", () => {
    const tokens = engine.tokens(PROGRAM);
    expect(tokens.length % 3).toBe(0);
    let last = 0;
    for (let i = 0; i < tokens.length; i += 3) {
      expect(TOKEN_KINDS[tokens[i] ?? 99]).toBeDefined();
      expect(tokens[i + 1]).toBeGreaterThanOrEqual(last);
      last = tokens[i + 2] ?? 0;
    }
    expect(last).toBeLessThanOrEqual(PROGRAM.length);
  });

  it("outline and place agree with the text", () => {
    const [computation] = engine.outline(PROGRAM);
    const add = computation?.instructions.find((i) => i.name === "s");
    expect(PROGRAM.slice(...(add?.nameRange ?? [0, 0]))).toBe("s");
    expect(add?.operands).toEqual([0, 1]);
    const place = engine.place(PROGRAM, PROGRAM.indexOf("add("));
    expect(place.opcode).toBe("add");
    expect(place.lines.join(" ").length).toBeGreaterThan(20);
    const operand = engine.place(PROGRAM, PROGRAM.indexOf("(p, q)") + 1);
    expect(operand.shape).toBe("f32[2,3]{1,0}");
    expect(PROGRAM.slice(...(operand.definition ?? [0, 0]))).toBe("p");
    expect(operand.uses).toBe(2);
    const next = operand.nextUse?.range ?? [0, 0];
    expect(PROGRAM.slice(...next)).toBe("p");
  });

  it("complete offers opcodes", () => {
    const text = "ENTRY e {\n  p = f32[2] parameter(0)\n  ROOT x = f32[2] neg";
    const { from, items } = engine.complete(text, text.length);
    expect(text.slice(from)).toBe("neg");
    expect(items.map((i) => i.label)).toContain("negate");
    expect(engine.complete(text, text.length).word).toContain("-");
  });

  it("format is a fixed point and leaves broken text alone", () => {
    const once = engine.format(PROGRAM);
    expect(engine.format(once)).toBe(once);
    expect(engine.format("ENTRY {")).toBe("ENTRY {");
  });

  it("convert links lines, and pythonScript holds the program and its inputs", () => {
    const there = engine.convert(PROGRAM, { to: "stablehlo" });
    expect(there).toMatchObject({ ok: true, from: "hlo", to: "stablehlo", diagnostics: [] });
    const lines = there.text.split("\n");
    const sum = lines.findIndex((line) => line.includes("stablehlo.add"));
    const pairs = [...there.lines].map((from, i) => [from, there.lines[i + 1]]);
    expect(pairs.filter((_, i) => i % 2 === 0)).toContainEqual([4, sum]);
    const back = engine.convert(there.text, { to: "hlo" });
    expect(back.text).toContain("add(arg0, arg1)");
    const script = engine.pythonScript(PROGRAM, { inputs: INPUTS });
    expect(script.ok).toBe(true);
    expect(script.text).toContain("stablehlo.add");
    expect(script.text).toContain("def main():");
  });

  it("passes: steps with changes, counts, buffers and the text of one", () => {
    const result = engine.passes(PROGRAM, { step: 5 });
    expect(result.ok).toBe(true);
    expect(result.steps.map((step) => step.pass)).toEqual(result.table.map((pass) => pass.name));
    expect(result.text).toContain("s = f32[2,3]{1,0:T(2,128)} add(p, q)");
    expect(result.counts.instructions).toBe(4);
    const last = result.steps.at(-1);
    expect(last?.buffers.length).toBe(last?.bufferCount);
    expect(last?.bufferBytes).toBeGreaterThan(0);
    const one = engine.passes(PROGRAM, { passes: ["assign-layouts"], begin: 1, count: 2 });
    expect(one.steps[0]).toMatchObject({ pass: "assign-layouts", changed: true });
    expect(one.steps[0]?.changes.length).toBe(2);
    expect(one.text).toBe("");
    expect(engine.passes("f32[2]", {}).ok).toBe(false);
    expect(engine.passes(PROGRAM, { passes: ["nothing"] }).why).toContain("nothing");
  });
});

describe("texts that are no good Unicode, and arguments that are no good", () => {
  const text =
    "ENTRY e {\n  // half \ud800\n  x = s32[2] parameter(0)\n  ROOT y = s32[2] negate(x)\n}";

  it("half a surrogate pair swallows nothing, and moves nothing", () => {
    expect(engine.check(text)).toMatchObject({ ok: true, instructionCount: 2 });
    const run = engine.run(text, { inputs: ["\udc00"] });
    expect(run.ok).toBe(false);
    expect(run.diagnostics[0]?.message).toBeTruthy();
    const good = engine.run(text, { inputs: ["{1,2}"] });
    expect(good.output?.preview.replace(/\s/g, "")).toBe("{-1,-2}");
    expect(engine.definition(text, "y")?.range[0]).toBe(text.indexOf("y ="));
    expect(engine.check(`\udc00\ud800 ${text} \ud800`).diagnostics.length).toBeGreaterThan(0);
    for (const half of ["\ud800", "\udc00", "a\ud800", "\ud800\ud800\udc00\udc00"]) {
      expect(engine.layout(half).ok).toBe(false);
      expect(engine.tokens(half).at(-1) ?? 0).toBeLessThanOrEqual(half.length);
    }
  });

  it("are Errors, and the engine goes on", () => {
    for (const bad of [5, null, undefined, {}, Symbol("x"), 5n]) {
      expect(() => engine.check(bad as never)).toThrow(Error);
    }
    for (const bad of [Symbol("x"), 5n]) {
      expect(() => engine.valueText({ handle: 0, entry: 0, path: [] }, bad as never)).toThrow(
        Error,
      );
    }
    expect(engine.check(PROGRAM).ok).toBe(true);
  });

  it("finds where an instruction is defined", () => {
    const found = engine.definition(PROGRAM, "s");
    const [begin, end] = found?.range ?? [0, 0];
    expect(PROGRAM.slice(begin - 2, end + 2)).toBe("  s =");
    // Links that were written earlier have the sigil.
    expect(engine.definition(PROGRAM, "%s")).toEqual(found);
    expect(engine.definition(PROGRAM, "none")).toBeNull();
    // The module numbers equal names; a computation has the one that its text has.
    const twice = "b { ROOT x = f32[] parameter(0) }\nENTRY main { ROOT x = f32[] parameter(0) }";
    const last = twice.lastIndexOf("x =");
    expect(engine.definition(twice, "x", "%main")).toEqual({
      range: [last, last + 1],
      name: engine.place(twice, last).instruction,
      computation: "main",
    });
    // Where no computation is named, the entry's comes first.
    expect(engine.definition(twice, "x")?.range[0]).toBe(last);
    expect(engine.definition(PROGRAM, " ".repeat(1e6))).toBeNull();
    expect(engine.definition(" ".repeat(1e6), "s")).toBeNull();
    expect(engine.definition("no program", "s")).toBeNull();
  });

  it("shows names with their sigils, as the text has them", () => {
    const shown = (text: string) =>
      engine.outline(text).flatMap((c) => [c.shown, ...c.instructions.map((i) => i.shown)]);
    expect(shown("ENTRY e { v0 = f32[] parameter(0)  ROOT %v1 = f32[] add(v0, v0) }")).toEqual([
      "e",
      "v0",
      "%v1",
    ]);
    const text = `func.func @main(%a: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.add %a, %a : tensor<f32>
      %12 = stablehlo.negate %0 : tensor<f32>
      return %12 : tensor<f32>
    }`;
    expect(shown(text)).toEqual(["@main", "%a", "%0", "%12"]);
    const names = engine.run(text, {}).trace.map((entry) => [entry.name, entry.shown]);
    expect(names).toEqual([
      ["a", "%a"],
      ["v0", "%0"],
      ["v12", "%12"],
    ]);
  });

  it("renames a thing everywhere, with the sigil that it has", () => {
    const text = "ENTRY e { %x = f32[] parameter(0)  ROOT y = f32[] add(%x, %x) }";
    const at = [...text.matchAll(/%x/g)].map(({ index }) => index);
    for (const name of ["z", "%z"]) {
      const renaming = engine.rename(text, text.indexOf("%x"), name);
      expect(renaming?.text).toBe("%z");
      const begins = [...(renaming?.ranges ?? [])].filter((_, i) => i % 2 === 0);
      expect(begins.sort((a, b) => a - b)).toEqual(at);
    }
    expect(engine.rename(text, text.indexOf("y ="), "z")?.text).toBe("z");
    expect(engine.rename(text, 0, "z")).toBeNull();
    expect(engine.rename("", 0, "z")).toBeNull();
  });

  it("says which constants are left out", () => {
    expect(engine.check("ENTRY e { ROOT c = f32[9] constant({...}) }").elided).toBe(true);
    expect(engine.check("ENTRY e { ROOT c = f32[] constant(1) } // {...}").elided).toBe(false);
  });

  it("offers at most 1,000 names, those that are being written", () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `  n${i} = f32[] parameter(${i})`);
    const text = `ENTRY e {\n${lines.join("\n")}\n  ROOT y = f32[] add(n29`;
    const { items, word } = engine.complete(text, text.length);
    expect(items.every(({ label }) => label.includes("n29"))).toBe(true);
    expect(items.map(({ label }) => label)).toContain("n2999");
    expect(word).toBeNull();
    const all = engine.complete(text.slice(0, -3), text.length - 3);
    expect(all.items.length).toBe(1000);
  });
});

describe("runs", () => {
  it("say what ran, and that long loops have generated code", () => {
    const text = (count: number) =>
      `ENTRY e { x = f32[${count}] parameter(0)  y = f32[${count}] add(x, x)  z = f32[${count}] multiply(y, x)  ROOT r = f32[${count}] reverse(z), dimensions={0} }`;
    const { plan } = engine.run(text(1 << 20), { trace: false });
    expect(plan?.islands).toMatchObject([{ computation: "e", times: 1, steps: 3 }]);
    expect(plan?.steps).toMatchObject([
      { how: "code", shown: "z", instructions: { count: 2, shown: ["y", "z"] }, times: 1 },
      { how: "operation", opcode: "reverse", times: 1 },
    ]);
    expect(plan?.executor).toBeNull();
    expect(engine.run(text(8), { trace: false }).plan?.steps[0]?.how).toBe("blocks");
    expect(engine.run(text(8), {}).plan).toBeUndefined();
    expect(engine.plan(text(8), { as: "code" }).text).toContain(";; z = multiply");
    const lines = engine.plan(text(8), { as: "plan" }).lines;
    expect([...lines].slice(0, 2)).toEqual([0, 1]);
  });

  it("values by window, text, statistics, .npy and bytes", () => {
    const result = engine.run(PROGRAM, { inputs: INPUTS });
    expect(result.diagnostics).toEqual([]);
    expect(result.trace.map((t) => t.name)).toEqual(["p", "q", "s", "t"]);
    const ref = { handle: result.handle, entry: "output", path: [0] };
    const window = { origin: [0, 0], rowDim: 0, colDim: 1, rows: 2, cols: 3 };
    const values = engine.valueWindow(ref, window);
    expect([...values.numbers]).toEqual([1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
    expect(values.text[4]).toBe("5.5");
    expect(engine.valueStats(ref)).toMatchObject({
      count: 6,
      min: 1.5,
      max: 6.5,
      mean: 4,
      nans: 0,
    });
    expect(engine.valueText(ref, 100).replace(/\s/g, "")).toContain("{1.5,2.5,3.5}");
    expect(new TextDecoder("latin1").decode(engine.valueNpy(ref).slice(1, 6))).toBe("NUMPY");
    const memory = engine.memory(ref, "f32[2,3]{0,1:T(2,2)}", 0, 48);
    expect(memory.bytes.length).toBe(32);
    expect([...new Float32Array(memory.bytes.slice(0, 16).buffer)]).toEqual([1.5, 4.5, 2.5, 5.5]);
    engine.release(result.handle);
    expect(() => engine.release(result.handle)).not.toThrow();
  });

  it("the same seed gives the same numbers", () => {
    const output = (seed: number) => engine.run(PROGRAM, { seed }).output?.elements[0]?.preview;
    expect(output(1)).toBe(output(1));
    expect(output(1)).not.toBe(output(2));
  });

  it("takes .npy files", () => {
    const first = engine.run(PROGRAM, { inputs: INPUTS });
    const bytes = engine.valueNpy({ handle: first.handle, entry: "input:0", path: [] });
    const second = engine.run(PROGRAM, { inputs: ["", "zero"], files: [{ parameter: 0, bytes }] });
    expect(second.output?.elements[0]?.preview.replace(/\s/g, "")).toContain("{1,2,3}");
  });

  it("limits and bad inputs are diagnostics", () => {
    const endless =
      "c { i = s32[] parameter(0)  ROOT t = pred[] constant(true) }\n" +
      "ENTRY e { z = s32[] constant(0)  ROOT w = s32[] while(z), condition=c, body={ ROOT i = s32[] parameter(0) } }";
    expect(engine.run(endless, { timeLimit: 0.1 }).diagnostics[0]?.code).toBe("time-exceeded");
    const big =
      "ENTRY e { z = f32[] constant(0)  ROOT b = f32[1000000,1000] broadcast(z), dimensions={} }";
    const result = engine.run(big, { memoryLimit: 1e6 });
    expect(result.diagnostics[0]?.code).toBe("memory-exceeded");
    expect(result.diagnostics[0]?.message).toContain("b");
    expect(engine.run(PROGRAM, { inputs: ["{{1,2}}"] }).ok).toBe(false);
    const files = [{ parameter: 0, bytes: new Uint8Array([1, 2, 3]) }];
    expect(engine.run(PROGRAM, { files }).ok).toBe(false);
    expect(engine.run("ENTRY e {", {}).ok).toBe(false);
  });

  it("values that options cannot have are errors", () => {
    const wrong = (options: Record<string, unknown>) => () => engine.run(PROGRAM, options);
    expect(wrong({ seed: "1" })).toThrow(
      new TypeError('run: seed is a whole number from 0, not "1"'),
    );
    expect(wrong({ trace: 1 })).toThrow(new TypeError("run: trace is true or false, not 1"));
    expect(wrong({ timeLimit: -1 })).toThrow(
      new RangeError("run: timeLimit is a number from 0, not -1"),
    );
    expect(wrong({ replicas: 1.5 })).toThrow(RangeError);
    expect(wrong({ inputs: "zero" })).toThrow(new TypeError('run: inputs is an array, not "zero"'));
    expect(wrong({ products: "f16" })).toThrow(
      new TypeError('run: products is "" or "bf16" or "tf32", not "f16"'),
    );
    const compile = () => engine.compileProgram(PROGRAM, { memoryLimit: Number.POSITIVE_INFINITY });
    expect(compile).toThrow("compileProgram: memoryLimit is a number from 0, not Infinity");
    expect(wrong({ products: "bf16", timeLimit: 0.5, seed: undefined })).not.toThrow();
  });

  it("asks beyond the memory there is: an answer, not a trap", () => {
    const big =
      "ENTRY e { z = f32[] constant(0)  ROOT b = f32[1000000,1000000] broadcast(z), dimensions={} }";
    const result = engine.run(big, { memoryLimit: 1e15 });
    expect(result.diagnostics[0]?.code).toBe("memory-exceeded");
    expect(engine.run(PROGRAM, { inputs: INPUTS }).ok).toBe(true);
  });
});

describe("layouts", () => {
  const shape = "f32[3,5]{1,0:T(2,2)}";

  it("sizes of the tiling document's first figure", () => {
    expect(engine.layout(shape)).toMatchObject({
      ok: true,
      physicalDims: [2, 3, 2, 2],
      physicalElements: 24,
      physicalBytes: 96,
      logicalBytes: 60,
    });
  });

  it("windows and addresses agree both ways", () => {
    const { offsets } = engine.logicalWindow(shape, {
      origin: [0, 0],
      rowDim: 0,
      colDim: 1,
      rows: 3,
      cols: 5,
    });
    expect(offsets[2 * 5 + 3]).toBe(17);
    expect(engine.address(shape, [2, 3])).toMatchObject({ ok: true, offset: 17, byteOffset: 68 });
    const { indices } = engine.linearWindow(shape, 0, 24);
    offsets.forEach((offset, i) => {
      expect([indices[2 * offset], indices[2 * offset + 1]]).toEqual([Math.floor(i / 5), i % 5]);
    });
    expect([...indices].filter((i) => i === -1).length).toBe(2 * 9);
  });

  it("answers for samples that are steps apart", () => {
    const window = { origin: [0, 0], rowDim: 0, colDim: 1, rows: 3, cols: 3 };
    const { offsets } = engine.logicalWindow(shape, window, 2, 3);
    expect([...offsets]).toEqual([0, 5, -1, 12, 17, -1, -1, -1, -1]);
    const { indices } = engine.linearWindow(shape, 2, 6, 5);
    expect([...indices.slice(6, 8)]).toEqual([2, 3]);
    expect([...indices.slice(10)]).toEqual([-1, -1]);
    const huge = "f32[1000000,1000000]{1,0:T(8,128)}";
    const corners = { ...window, rows: 2, cols: 2 };
    expect([...engine.logicalWindow(huge, corners, 999999, 999999).offsets]).toEqual(
      [0, 0, 999999, 999999].map(
        (_, i) => engine.address(huge, [i < 2 ? 0 : 999999, i % 2 === 0 ? 0 : 999999]).offset,
      ),
    );
  });

  it("answers for shapes no memory holds", () => {
    const huge = "f32[1000000,1000000]{1,0:T(8,128)}";
    expect(engine.layout(huge).ok).toBe(true);
    const window = { origin: [999990, 999990], rowDim: 0, colDim: 1, rows: 8, cols: 8 };
    expect(engine.logicalWindow(huge, window).offsets.length).toBe(64);
  });

  it("takes every notation of the table, and converts between them", () => {
    const notations = engine.layoutNotations();
    expect(notations.map((n) => n.key)).toEqual(["shape", "padded", "morello", "cute", "strides"]);
    for (const { key, examples } of notations) {
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const info = engine.layout(`${key}: ${example}`);
        expect(info.diagnostics, key).toEqual([]);
        expect(info.notation).toBe(key);
        expect(engine.layout(info.subject).subject).toBe(info.subject);
        expect(engine.layout(example).subject).toBe(info.subject);
      }
    }
    const packed = "morello: f32[6,8] [1, 0, 1 p(4)]";
    expect(engine.layout(packed)).toMatchObject({
      formula: "24*(i1/4) + 4*i0 + i1%4",
      dims: [6, 8],
      tiles: [],
    });
    expect(engine.address(packed, [5, 7])).toMatchObject({ ok: true, offset: 47 });
    const text = Object.fromEntries(
      engine.layoutConversions(packed).map((c) => [c.notation, c.text || c.reason]),
    );
    expect(text).toMatchObject({
      shape: "f32[6,8]{0,1:T(4,1)}",
      morello: packed,
      cute: "cute: f32 (6,(4,2)):(4,(1,24))",
      strides: "A dimension has one stride, but dimension 1 is cut at every 4 values.",
    });
    expect(engine.layoutConversions("f32[2]{1}")).toEqual([]);
  });

  it("compares two layouts", () => {
    const [xla, morello] = ["f32[6,8]{0,1:T(4,1)}", "6x8[1,0,1p(4)]"];
    expect(engine.compareLayouts(xla, morello)).toMatchObject({ equal: true, difference: null });
    expect(engine.compareLayouts("f32[4,4]{1,0}", "cute: (4,4):(1,4)")).toMatchObject({
      equal: false,
      difference: { index: [0, 1], offsetA: 1, offsetB: 4 },
    });
    expect(engine.compareLayouts(xla, "f32[2]").comparable).toBe(false);
  });

  it("refuses what is no layout, on the character", () => {
    const result = engine.layout("f32[3,5]{1,0:T(0,2)}");
    expect(result.ok).toBe(false);
    expect(result.diagnostics[0]?.range[0]).toBeGreaterThanOrEqual(13);
    expect(engine.address(shape, [9, 9]).ok).toBe(false);
    expect(engine.layout("").ok).toBe(false);
  });
});

describe("reference", () => {
  it("ops are documented", () => {
    const ops = engine.ops();
    expect(ops.length).toBeGreaterThan(130);
    for (const op of ops) expect(op.doc, op.name).not.toBe("");
    expect(engine.version()).toMatch(/^\d+\.\d+/);
  });
});
