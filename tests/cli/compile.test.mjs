// `hlo compile`: programs that run without this project give the same bits as `hlo run`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

// Tests run without Node's own fetch (programs of Emscripten would take it for a browser's): of a
// response there is what the modules ask for.
globalThis.Response ??= class {
  constructor(body, { status = 200 } = {}) {
    Object.assign(this, { body, status, ok: status < 400, url: "", statusText: "" });
  }
  arrayBuffer() {
    return Promise.resolve(this.body);
  }
};

const hlo = (args) => spawnSync("build/native/hlo", args, { encoding: "utf8" });

// Regions that several programs use.
const ADD = "add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }\n";
const MAX =
  "max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] maximum(a, b) }\n";
const LESS =
  "less { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = pred[] compare(a, b), direction=LT }\n";

/** A loop over (s32, and these arrays), so many times. */
const loop = (times, types, body, regions = "") => {
  const state = `(s32[], ${types.join(", ")})`;
  const elements = types.map(
    (type, i) => `  x${i} = ${type} get-tuple-element(s), index=${i + 1}\n`,
  );
  const parameters = types.map((type, i) => `  x${i} = ${type} parameter(${i})\n`);
  return `${regions}condition {
  s = ${state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(${times})
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  s = ${state} parameter(0)
  i = s32[] get-tuple-element(s), index=0
${elements.join("")}  one = s32[] constant(1)
  next = s32[] add(i, one)
${body}}
ENTRY e {
${parameters.join("")}  zero = s32[] constant(0)
  s = ${state} tuple(zero, ${types.map((_, i) => `x${i}`).join(", ")})
  ROOT w = ${state} while(s), condition=condition, body=body
}
`;
};

const PROGRAMS = {
  "bits of remainders, where there is none": `ENTRY e {
  a = f32[8] constant({0, 1, -1, inf, -inf, nan, 3, -nan})
  b = f32[8] constant({0, 0, -0, 2, 2, 1, nan, 2})
  r = f32[8] remainder(a, b)
  x = u32[8] bitcast-convert(r)
${["f64", "f16", "bf16", "f8e4m3fn", "f8e5m2"]
  .map((type) => {
    const bits = { f64: "u32[8,2]", f16: "u16[8]", bf16: "u16[8]" }[type] ?? "u8[8]";
    return `  ${type}a = ${type}[8] convert(a)
  ${type}b = ${type}[8] convert(b)
  ${type}r = ${type}[8] remainder(${type}a, ${type}b)
  ${type}x = ${bits} bitcast-convert(${type}r)
`;
  })
  .join("")}  ROOT t = tuple(x, f64x, f16x, bf16x, f8e4m3fnx, f8e5m2x)
}
`,
  "the sign of the NaN of types without -0": `ENTRY e {
  p = f32[8] parameter(0)
  root = f32[8] sqrt(p)
${["f8e5m2fnuz", "f8e4m3fnuz", "f8e4m3b11fnuz"]
  .map((type) => {
    const order = (name, a, b) =>
      `  ${name} = pred[8] compare(${a}, ${b}), type=TOTALORDER, direction=`;
    return `  ${type}x = ${type}[8] convert(p)
  ${type}y = ${type}[8] convert(root)
  ${type}z = ${type}[8] reverse(${type}y), dimensions={0}
${order(`${type}a`, `${type}x`, `${type}y`)}LT
${order(`${type}b`, `${type}y`, `${type}z`)}GE
  ${type}c = f8e4m3fn[8] convert(${type}y)
  ${type}d = u8[8] bitcast-convert(${type}c)
  ${type}e = f32[8] convert(${type}z)
  ${type}f = u32[8] bitcast-convert(${type}e)
  ${type}t = tuple(${["a", "b", "d", "f"].map((end) => type + end).join(", ")})
`;
  })
  .join("")}  ROOT t = tuple(f8e5m2fnuzt, f8e4m3fnuzt, f8e4m3b11fnuzt)
}
`,
  "custom-calls that mark a value, or run a computation": loop(
    3,
    ["f32[8]", "f32[2]"],
    `  a = f32[8] custom-call(x0), custom_call_target="Sharding", sharding={replicated}
  b = f32[2] custom-call(x1), custom_call_target="MoveToDevice"
  c = f32[8] custom-call(a), custom_call_target="xla_builder.test.Twice", called_computations={twice}
  d = f32[8] custom-call(c), custom_call_target="HostExecute", called_computations={twice}
  ROOT t = (s32[], f32[8], f32[2]) tuple(next, d, b)
`,
    "twice { x = f32[8] parameter(0)  ROOT y = f32[8] add(x, x) }\n",
  ),
  "custom-calls that are ops under another name": `ENTRY e {
  x = f32[5,3] parameter(0)
  p = f32[4] parameter(1)
  y = f64[4] convert(p)
  a = f32[5,3] custom-call(x), custom_call_target="chlo.acos"
  b = f32[5,3] custom-call(a), custom_call_target="Sharding"
  c = f32[5,3] custom-call(b), custom_call_target="mhlo.erf"
  d = f32[5,3] custom-call(x, c), custom_call_target="chlo.atan2"
  e = f32[5,3] custom-call(d), custom_call_target="xla_builder.math.RoundToEven"
  z = c64[5,3] complex(x, c)
  f = c64[5,3] custom-call(z), custom_call_target="xla_builder.math.Asinh"
  g = f64[4] custom-call(y), custom_call_target="chlo.cosh"
  h = f64[4] opt-barrier(g)
  k = f32[4] convert(h)
  ROOT t = (f32[5,3], f32[5,3], c64[5,3], f32[4]) tuple(d, e, f, k)
}
`,
  "element-wise": `ENTRY e {
  x = f32[3,37] parameter(0)
  y = f32[3,37] parameter(1)
  a = f32[3,37] exponential(x)
  b = f32[3,37] tanh(y)
  c = f32[3,37] multiply(a, b)
  ROOT r = (f32[3,37], f32[3,37]) tuple(c, b)
}`,
  "rare operands of functions": `ENTRY e {
  x = f32[64] parameter(0)
  y = f32[64] parameter(1)
  scale = f32[] constant(12345678)
  scales = f32[64] broadcast(scale), dimensions={}
  large = f32[64] multiply(x, scales)
  sine = f32[64] sine(large)
  cosine = f32[64] cosine(large)
  tan = f32[64] tan(large)
  power = f32[64] power(x, y)
  whole = f32[64] floor(y)
  powers = f32[64] power(x, whole)
  rest = f32[64] remainder(large, y)
  ROOT r = (f32[64], f32[64], f32[64], f32[64], f32[64], f32[64]) tuple(sine, cosine, tan, power, powers, rest)
}`,
  "a softmax": `${MAX}${ADD}ENTRY e {
  x = f32[5,33] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[5] reduce(x, low), dimensions={1}, to_apply=max
  ms = f32[5,33] broadcast(m), dimensions={0}
  d = f32[5,33] subtract(x, ms)
  e = f32[5,33] exponential(d)
  t = f32[5] reduce(e, zero), dimensions={1}, to_apply=add
  ts = f32[5,33] broadcast(t), dimensions={0}
  ROOT r = f32[5,33] divide(e, ts)
}`,
  "rows that are too short for vectors": `${ADD}ENTRY e {
  x = f32[9,3] parameter(0)
  zero = f32[] constant(0)
  a = f32[9,3] multiply(x, x)
  t = f32[9] reduce(a, zero), dimensions={1}, to_apply=add
  ts = f32[9,3] broadcast(t), dimensions={0}
  ROOT r = f32[9,3] divide(x, ts)
}`,
  "sums across, along and of all": `${ADD}ENTRY e {
  x = f32[19,7,43] parameter(0)
  zero = f32[] constant(0.5)
  a = f32[7,43] reduce(x, zero), dimensions={0}, to_apply=add
  b = f32[19,43] reduce(x, zero), dimensions={1}, to_apply=add
  c = f32[7] reduce(x, zero), dimensions={0,2}, to_apply=add
  d = f32[] reduce(x, zero), dimensions={0,1,2}, to_apply=add
  ROOT r = (f32[7,43], f32[19,43], f32[7], f32[]) tuple(a, b, c, d)
}`,
  "sums of narrow floats": `${ADD.replaceAll("f32", "bf16")}ENTRY e {
  x = f32[11,29] parameter(0)
  n = bf16[11,29] convert(x)
  zero = bf16[] constant(0)
  s = bf16[11] reduce(n, zero), dimensions={1}, to_apply=add
  ROOT r = f32[11] convert(s)
}`,
  "where the largest is": `best {
  v = f32[] parameter(0)
  i = s32[] parameter(1)
  w = f32[] parameter(2)
  k = s32[] parameter(3)
  p = pred[] compare(v, w), direction=GE
  a = f32[] select(p, v, w)
  b = s32[] select(p, i, k)
  ROOT t = (f32[], s32[]) tuple(a, b)
}
ENTRY e {
  x = f32[6,50] parameter(0)
  n = s32[6,50] iota(), iota_dimension=1
  low = f32[] constant(-inf)
  zero = s32[] constant(0)
  ROOT r = (f32[6], s32[6]) reduce(x, n, low, zero), dimensions={1}, to_apply=best
}`,
  "an array and its first element, which the result may not overwrite": `ENTRY e {
  x = f32[9] parameter(0)
  s = f32[1] slice(x), slice={[0:1]}
  r = f32[] reshape(s)
  b = f32[9] broadcast(r), dimensions={}
  ROOT y = f32[9] add(x, b)
}`,
  "complex numbers": `ENTRY e {
  i = f32[13] parameter(0)
  k = f32[13] parameter(1)
  x = c64[13] complex(i, k)
  y = c64[13] complex(k, k)
  m = c64[13] multiply(x, y)
  n = c64[13] negate(m)
  p = pred[13] compare(x, n), direction=NE
  s = c64[13] select(p, n, x)
  w = c128[13] convert(s)
  v = c128[13] add(w, w)
  a = f64[13] real(v)
  b = f64[13] imag(v)
  ROOT t = (f64[13], f64[13]) tuple(a, b)
}`,
  "dense layers": `ENTRY e {
  x = f32[9,20] parameter(0)
  w = f32[20,19] parameter(1)
  b = f32[19] parameter(2)
  d = f32[9,19] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  bs = f32[9,19] broadcast(b), dimensions={1}
  s = f32[9,19] add(d, bs)
  zero = f32[] constant(0)
  zeros = f32[9,19] broadcast(zero), dimensions={}
  ROOT r = f32[9,19] maximum(s, zeros)
}`,
  "batches of products, transposed": `ENTRY e {
  x = f32[5,3,7] parameter(0)
  y = f32[3,11,5] parameter(1)
  ROOT d = f32[3,7,11] dot(x, y), lhs_batch_dims={1}, lhs_contracting_dims={0}, rhs_batch_dims={0}, rhs_contracting_dims={2}
}`,
  "products of integers and narrow floats": `ENTRY e {
  x = f32[4,6] parameter(0)
  y = f32[6,5] parameter(1)
  a = s8[4,6] convert(x)
  b = s8[6,5] convert(y)
  c = bf16[4,6] convert(x)
  d = bf16[6,5] convert(y)
  i = s32[4,5] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  f = bf16[4,5] dot(c, d), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  g = f32[4,5] convert(f)
  ROOT r = (s32[4,5], f32[4,5]) tuple(i, g)
}`,
  "a convolution": `ENTRY e {
  x = f32[2,7,6,4] parameter(0)
  w = f32[3,2,2,10] parameter(1)
  ROOT c = f32[2,4,6,10] convolution(x, w), window={size=3x2 stride=2x1 pad=1_1x0_1}, dim_labels=b01f_01io->b01f, feature_group_count=2
}`,
  "pooling and a cumulative sum": `${MAX}${ADD}ENTRY e {
  x = f32[8,37] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  p = f32[4,18] reduce-window(x, low), window={size=3x2 stride=2x2 pad=1_0x0_0}, to_apply=max
  c = f32[8,37] reduce-window(x, zero), window={size=1x37 pad=0_0x36_0}, to_apply=add
  ROOT r = (f32[4,18], f32[8,37]) tuple(p, c)
}`,
  movement: `ENTRY e {
  x = f32[4,5] parameter(0)
  y = f32[4,3] parameter(1)
  c = f32[4,8] concatenate(x, y), dimensions={1}
  v = f32[] constant(-1)
  p = f32[6,15] pad(c, v), padding=1_1x-1_1_1
  s = f32[3,5] slice(p), slice={[0:6:2], [1:11:2]}
  t = f32[5,3] transpose(s), dimensions={1,0}
  r = f32[5,3] reverse(t), dimensions={0,1}
  q = f32[15] reshape(r)
  ROOT o = (f32[6,15], f32[15]) tuple(p, q)
}`,
  "gather, scatter and dynamic slices": `${ADD}ENTRY e {
  x = f32[7,5] parameter(0)
  u = f32[4,5] parameter(1)
  i = s32[4,1] constant({{3}, {-2}, {9}, {3}})
  g = f32[4,5] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,5}
  s = f32[7,5] scatter(x, i, u), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
  two = s32[] constant(2)
  far = s32[] constant(99)
  d = f32[2,5] dynamic-slice(s, two, far), dynamic_slice_sizes={2,5}
  w = f32[7,5] dynamic-update-slice(s, d, far, two)
  ROOT r = (f32[4,5], f32[7,5], f32[2,5], f32[7,5]) tuple(g, s, d, w)
}`,
  "a sort": `${LESS}ENTRY e {
  x = f32[5,23] parameter(0)
  a = f32[5,23] sort(x), dimensions={1}, to_apply=less
  b = f32[5,23] sort(x), dimensions={0}, to_apply=less
  ROOT r = (f32[5,23], f32[5,23]) tuple(a, b)
}`,
  "a loop over scalars": loop(
    40,
    ["f32[]"],
    "  k = f32[] constant(0.75)\n  y = f32[] multiply(x0, k)\n  z = f32[] sine(y)\n  ROOT r = (s32[], f32[]) tuple(next, z)\n",
  ),
  "a loop over arrays": loop(
    7,
    ["f32[4,5]", "f32[5,5]"],
    "  d = f32[4,5] dot(x0, x1), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n  t = f32[4,5] tanh(d)\n  ROOT r = (s32[], f32[4,5], f32[5,5]) tuple(next, t, x1)\n",
  ),
  "a loop that exchanges arrays": loop(
    5,
    ["f32[9]", "f32[9]", "f32[9]"],
    "  a = f32[9] add(x0, x1)\n  ROOT r = (s32[], f32[9], f32[9], f32[9]) tuple(next, x1, x0, a)\n",
  ),
  "a loop that writes rows": loop(
    6,
    ["f32[6,4]", "f32[4]"],
    "  z = s32[] constant(0)\n  h = f32[4] cosine(x1)\n  row = f32[1,4] reshape(h)\n  u = f32[6,4] dynamic-update-slice(x0, row, i, z)\n  ROOT r = (s32[], f32[6,4], f32[4]) tuple(next, u, h)\n",
  ),
  "a loop whose state is used after an update": loop(
    4,
    ["f32[8]"],
    "  z = s32[] constant(0)\n  u = f32[1] slice(x0), slice={[7:8]}\n  w = f32[8] dynamic-update-slice(x0, u, z)\n  v = f32[8] reverse(x0), dimensions={0}\n  a = f32[8] subtract(w, v)\n  ROOT r = (s32[], f32[8]) tuple(next, a)\n",
  ),
  "loops in loops": loop(
    3,
    ["f32[6]"],
    "  zero = s32[] constant(0)\n  t = (s32[], f32[6], f32[6]) tuple(zero, x0, x0)\n  v = (s32[], f32[6], f32[6]) while(t), condition=inner_condition, body=inner_body\n  y = f32[6] get-tuple-element(v), index=1\n  k = f32[6] multiply(y, x0)\n  z = f32[6] tanh(k)\n  ROOT r = (s32[], f32[6]) tuple(next, z)\n",
    `inner_condition {
  s = (s32[], f32[6], f32[6]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(4)
  ROOT less = pred[] compare(i, n), direction=LT
}
inner_body {
  s = (s32[], f32[6], f32[6]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  a = f32[6] get-tuple-element(s), index=1
  b = f32[6] get-tuple-element(s), index=2
  one = s32[] constant(1)
  next = s32[] add(i, one)
  c = f32[6] reverse(a), dimensions={0}
  d = f32[6] add(c, b)
  ROOT r = (s32[], f32[6], f32[6]) tuple(next, d, a)
}
`,
  ),
  branches: loop(
    6,
    ["f32[5]", "f32[5]"],
    `  t = (f32[5], f32[5]) tuple(x0, x1)
  b = (f32[5], f32[5]) conditional(i, t, t, t), branch_computations={swap, grow, keep}
  y = f32[5] get-tuple-element(b), index=0
  z = f32[5] get-tuple-element(b), index=1
  ROOT r = (s32[], f32[5], f32[5]) tuple(next, y, z)
`,
    `swap { t = (f32[5], f32[5]) parameter(0)  a = f32[5] get-tuple-element(t), index=0  b = f32[5] get-tuple-element(t), index=1  ROOT r = (f32[5], f32[5]) tuple(b, a) }
grow { t = (f32[5], f32[5]) parameter(0)  a = f32[5] get-tuple-element(t), index=0  b = f32[5] get-tuple-element(t), index=1  c = f32[5] add(a, b)  ROOT r = (f32[5], f32[5]) tuple(c, c) }
keep { ROOT t = (f32[5], f32[5]) parameter(0) }
`,
  ),
  "a condition on a predicate": `yes { x = f32[3] parameter(0)  ROOT r = f32[3] negate(x) }
no { x = f32[3] parameter(0)  ROOT r = f32[3] exponential(x) }
ENTRY e {
  x = f32[3] parameter(0)
  y = f32[] parameter(1)
  zero = f32[] constant(0)
  p = pred[] compare(y, zero), direction=GT
  a = f32[3] conditional(p, x, x), true_computation=yes, false_computation=no
  q = pred[] not(p)
  b = f32[3] conditional(q, x, x), true_computation=yes, false_computation=no
  ROOT r = (f32[3], f32[3]) tuple(a, b)
}`,
  "results that are parameters and constants": `ENTRY e {
  x = f32[3] parameter(0)
  unused = f32[2] parameter(1)
  c = f32[2,2] constant({{1, 2}, {3, 4}})
  n = f32[3] negate(x)
  ROOT r = (f32[3], f32[2,2], f32[3], f32[3]) tuple(x, c, n, n)
}`,
};

/** Numbers for an input: of both signs, none twice. */
const numbersOf = ({ shape }, seed) =>
  Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) =>
    Math.fround(3 * Math.sin(1 + 7 * seed + i * 1.37)),
  );

/** An array as a literal. */
function literalOf(values, shape) {
  if (shape.length === 0) return String(values[0]);
  const step = values.length / shape[0];
  const parts = Array.from({ length: shape[0] }, (_, i) =>
    literalOf(values.subarray(i * step, (i + 1) * step), shape.slice(1)),
  );
  return `{${parts.join(",")}}`;
}

/** The numbers of a printed value, array by array. */
function numbersIn(text) {
  const arrays = text
    .replaceAll(/\/\*.*?\*\//g, "")
    .split(/[a-z]\w*\[[^\]]*\](?:\{[^}]*\})? /)
    .slice(1);
  return arrays.map((array) =>
    (array.match(/-?(?:inf|nan|[\d.]+(?:e[+-]?\d+)?)/g) ?? []).map((word) =>
      Math.fround(Number(word.replace("inf", "Infinity").replace("nan", "NaN"))),
    ),
  );
}

describe("hlo compile", () => {
  let folder;
  const write = (name, text) => {
    const path = join(folder, `${name}.hlo`);
    writeFileSync(path, text);
    return path;
  };
  const compiled = async (name, text) => {
    const path = write(name, text);
    const result = hlo(["compile", path, "-o", join(folder, "out")]);
    assert.equal(result.status, 0, result.stderr);
    const script = pathToFileURL(join(folder, "out", `${name}.mjs`));
    return { path, module: await import(script.href) };
  };
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "hlo-compile-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const [name, text] of Object.entries(PROGRAMS)) {
    it(`${name}: the same bits as run`, async () => {
      const { path, module } = await compiled(name.replaceAll(/\W/g, "_"), text);
      const program = await module.load();
      // Twice: a run leaves nothing behind for the next one.
      for (const seed of [1, 2]) {
        const inputs = program.inputs.map((input, i) => numbersOf(input, seed + i));
        const given = program.inputs.flatMap(({ shape }, i) => [
          "--input",
          `${i}=${literalOf(inputs[i], shape)}`,
        ]);
        const expected = hlo(["run", path, ...given]);
        assert.equal(expected.status, 0, expected.stderr);
        const results = [program.run(...inputs)].flat();
        assert.deepEqual(
          results.map((array) => [...array]),
          numbersIn(expected.stdout),
        );
      }
    });
  }

  it("a module imports nothing, and has the functions and arrays that it says", async () => {
    const { path, module } = await compiled("described", PROGRAMS["dense layers"]);
    const bytes = readFileSync(path.replace("described.hlo", "out/described.wasm"));
    const wasm = await WebAssembly.compile(bytes);
    assert.deepEqual(WebAssembly.Module.imports(wasm), []);
    assert.deepEqual(
      WebAssembly.Module.exports(wasm).map(({ name }) => name),
      ["memory", "run"],
    );
    const program = await module.instantiate(wasm);
    assert.deepEqual(program.inputs[1], { name: "w", type: "f32", shape: [20, 19] });
    assert.deepEqual(program.outputs, [{ name: "result", type: "f32", shape: [9, 19] }]);
    for (const source of [bytes, Promise.resolve(bytes), new Response(bytes)]) {
      assert.equal((await module.instantiate(source)).inputs.length, 3);
    }
    await assert.rejects(module.instantiate(new Response("", { status: 404 })), /404/);
    await assert.rejects(module.instantiate(new Uint8Array([1, 2, 3])), WebAssembly.CompileError);
  });

  it("every element type has its typed array", async () => {
    const types = {
      pred: Uint8Array,
      s4: Int8Array,
      u4: Uint8Array,
      s8: Int8Array,
      u8: Uint8Array,
      s16: Int16Array,
      u16: Uint16Array,
      s32: Int32Array,
      u32: Uint32Array,
      s64: BigInt64Array,
      u64: BigUint64Array,
      f8e4m3fn: Uint8Array,
      f16: Uint16Array,
      bf16: Uint16Array,
      f32: Float32Array,
      f64: Float64Array,
      c64: Float32Array,
      c128: Float64Array,
    };
    for (const [type, array] of Object.entries(types)) {
      const { module } = await compiled(
        `type_${type}`,
        `ENTRY e { x = ${type}[2,3] parameter(0)  ROOT t = ${type}[3,2] transpose(x), dimensions={1,0} }`,
      );
      const program = await module.load();
      const parts = type.startsWith("c") ? 2 : 1;
      const element = (i) => (type.endsWith("64") && /^[su]/.test(type) ? BigInt(i) : i);
      const given = array.from({ length: 6 * parts }, (_, i) =>
        element(type === "pred" ? i % 2 : i),
      );
      const wanted = array.from({ length: 6 * parts }, (_, i) => {
        const at = Math.floor(i / parts);
        return given[((at % 2) * 3 + Math.floor(at / 2)) * parts + (i % parts)];
      });
      assert.deepEqual(program.run(given), wanted, type);
    }
  });

  it("arguments that do not fit are refused by name", async () => {
    const { module } = await compiled("refusing", PROGRAMS["element-wise"]);
    const { run } = await module.load();
    const x = new Float32Array(111);
    assert.throws(() => run(x), /the program takes 2 arrays, not 1/);
    assert.throws(() => run(x, x, x), TypeError);
    assert.throws(
      () => run(x, new Float64Array(111)),
      /y: f32\[3,37\] is a Float32Array of 111, but is given as: Float64Array/,
    );
    assert.throws(() => run(x, [1, 2]), TypeError);
    assert.throws(() => run(null, x), /x: .* given as: object/);
    assert.throws(() => run(new Float32Array(110), x), RangeError);
    assert.throws(() => run(x, undefined), /y: f32\[3,37\] is .* given as: undefined/);
    // What was refused leaves nothing behind.
    assert.equal(run(x, x)[0].length, 111);
  });

  it("says so where there is no memory for it", async () => {
    const { path, module } = await compiled("starved", PROGRAMS["element-wise"]);
    const bytes = readFileSync(path.replace("starved.hlo", "out/starved.wasm"));
    const { instantiate } = WebAssembly;
    WebAssembly.instantiate = () => {
      throw new RangeError("WebAssembly.instantiate(): Out of memory");
    };
    try {
      await assert.rejects(
        module.instantiate(bytes),
        /RangeError: there is no memory for the \d+ bytes that the program needs/,
      );
    } finally {
      WebAssembly.instantiate = instantiate;
    }
  });

  it("what cannot be compiled is named, with the reason", () => {
    const refused = (text, reason) => {
      const result = hlo(["compile", write("refused", text), "-o", join(folder, "none")]);
      assert.equal(result.status, 1, result.stdout);
      assert.match(result.stderr, reason);
      assert.match(result.stderr, /\[(not-executable|too-large)\]/);
      assert.equal(existsSync(join(folder, "none")), false);
    };
    refused(
      'ENTRY e { x = f32[2] parameter(0)  ROOT c = f32[2] custom-call(x), custom_call_target="f" }',
      /refused\.hlo:1:\d+: error: c \(custom-call of f32\) cannot be compiled: a custom call/,
    );
    refused(
      'ENTRY e { x = f32[2] parameter(0)  ROOT c = f32[2] custom-call(x), custom_call_target="chlo.lgamma" }',
      /c \(custom-call of f32\) cannot be compiled: no code is written for calls of chlo\.lgamma/,
    );
    refused(
      'ENTRY e { x = f32[2] parameter(0)  c = f32[2] custom-call(x), custom_call_target="chlo.lgamma"  ROOT k = (f32[1], s32[1]) custom-call(c), custom_call_target="TopK", called_computations={} }',
      /k \(custom-call of f32 to f32, s32\) cannot be compiled: no code is written for calls of TopK/,
    );
    refused(
      `${ADD}ENTRY e { x = f32[2] parameter(0)  ROOT s = f32[2] all-reduce(x), replica_groups={}, to_apply=add }`,
      /s \(all-reduce of f32\) cannot be compiled: all-reduce exchanges data with other devices/,
    );
    refused(
      "ENTRY e { a = f32[] constant(0)  b = f32[] constant(1)  ROOT r = f32[3] rng(a, b), distribution=rng_uniform }",
      /r \(rng of f32\) cannot be compiled: rng draws random numbers/,
    );
    refused(
      "ENTRY e { x = f32[<=4] parameter(0)  ROOT n = f32[<=4] negate(x) }",
      /x \(parameter of f32\) cannot be compiled: its sizes are known only when it runs/,
    );
    refused(
      "ENTRY e { x = c64[2] parameter(0)  y = c64[2] parameter(1)  ROOT m = c64[2] maximum(x, y) }",
      /m \(maximum of c64\) cannot be compiled: it has no meaning, and a run fails there, too/,
    );
    refused(
      `f { a = f32[] parameter(0)  b = f32[2] broadcast(a), dimensions={}  c = f32[1] slice(b), slice={[0:1]}  ROOT r = f32[] reshape(c) }
ENTRY e { x = f32[8] parameter(0)  ROOT m = f32[8] map(x), dimensions={0}, to_apply=f }`,
      /m \(map of f32\) cannot be compiled: its computation is applied to elements, and b in it \(broadcast of f32\) is not a scalar/,
    );
    refused(
      "f { x = f32[2] parameter(0)  y = token[] after-all()  i = ((f32[2]), token[]) infeed(y)  t = (f32[2]) get-tuple-element(i), index=0  ROOT r = f32[2] get-tuple-element(t), index=0 }\nENTRY e { x = f32[2] parameter(0)  ROOT c = f32[2] call(x), to_apply=f }",
      /i \(infeed of f32\) cannot be compiled: infeed is seen outside of the program/,
    );
    // Every one of them.
    refused(
      "ENTRY e { x = c64[2] parameter(0)  m = c64[2] maximum(x, x)  n = c64[2] minimum(m, x)  k = f32[2] real(n)  s = f32[2] shift-left(k, k)  ROOT r = f32[2] negate(s) }",
      /m \(maximum of c64\)[\s\S]*n \(minimum of c64\)[\s\S]*s \(shift-left of f32\)/,
    );
    refused(
      'ENTRY e { x = f32[2] parameter(0)  c = f32[2] custom-call(x), custom_call_target="f"  d = f32[2] custom-call(c), custom_call_target="g"  ROOT p = u32[] partition-id() }',
      /c \(custom-call of f32\)[\s\S]*d \(custom-call of f32\)[\s\S]*p \(partition-id of u32\) cannot be compiled: partition-id depends on the device/,
    );
    refused(
      "ENTRY e { x = f32[40000,40000] parameter(0)  y = f32[40000,40000] negate(x)  ROOT t = f32[40000,40000] transpose(y), dimensions={1,0} }",
      /needs \d+ bytes for its arrays and \d+ for its constants/,
    );
  });

  it("reports faults of the text, of the arguments and of the folder", () => {
    const good = write("good", PROGRAMS["element-wise"]);
    const bad = hlo(["compile", write("bad", "ENTRY e { x = f32[2] ad(x) }"), "-o", folder]);
    assert.equal(bad.status, 1);
    assert.match(bad.stderr, /opcode-unknown/);
    assert.equal(hlo(["compile", good]).status, 2);
    assert.equal(hlo(["compile", "-o", folder]).status, 2);
    assert.equal(hlo(["compile", join(folder, "missing.hlo"), "-o", folder]).status, 2);
    const blocked = hlo(["compile", good, "-o", join(good, "folder")]);
    assert.equal(blocked.status, 2);
    assert.match(blocked.stderr, /good\.wasm: /);
    assert.equal(hlo(["compile", write("empty", ""), "-o", folder]).status, 1);
    assert.equal(hlo(["compile", write("shape", "f32[2,3]"), "-o", folder]).status, 1);
  });

  it("as Wasm it makes a program that gives the same", {
    skip: !existsSync("build/wasm/hlo.js"),
  }, async () => {
    const path = write("agreed", PROGRAMS["a softmax"]);
    const flags = process.allowedNodeEnvironmentFlags.has("--experimental-fetch")
      ? ["--no-experimental-fetch"]
      : [];
    const native = join(folder, "native");
    const wasm = join(folder, "wasm");
    assert.equal(hlo(["compile", path, "-o", native]).status, 0);
    const result = spawnSync(
      process.execPath,
      [...flags, "build/wasm/hlo.js", "compile", path, "-o", wasm],
      { encoding: "utf8" },
    );
    assert.equal(result.status, 0, result.stderr);
    // Compilers number locals in another order, so the bytes of the module are others.
    assert.equal(
      readFileSync(join(wasm, "agreed.mjs"), "utf8"),
      readFileSync(join(native, "agreed.mjs"), "utf8"),
    );
    const results = [];
    for (const made of [native, wasm]) {
      const { load } = await import(pathToFileURL(join(made, "agreed.mjs")).href);
      const program = await load();
      results.push(program.run(numbersOf(program.inputs[0], 1)));
    }
    assert.deepEqual(results[1], results[0]);
  });
});
