// `hlo compile`: functions of f64 and of complex numbers, and whole kernels, give the same bits as
// `hlo run`, of numbers of any size and of special values.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";

globalThis.Response ??= class {
  // Only the name is asked for.
};

const hlo = (args) => spawnSync("build/native/hlo", args, { encoding: "utf8", maxBuffer: 2 ** 28 });

const SPECIAL = [
  ..."0 -0 1 -1 0.5 -0.5 2 -2 0.75 1.3 -1.25 5.9 6.1 -7 27.9 28.5 1e-30 0.1 -0.3 0.99".split(" "),
  ..."1.00001 -0.99999 3.14159265358979 1.5707963267948966 100 -100 700.5 -745 709.9".split(" "),
  ..."711.5 1048577 -1e15 1e22 0.7071 -0.41 0.0625 41 -41 20.5 1e-9 1e9 inf -inf nan".split(" "),
];
const EXTREMES = {
  f64: ["1e-300", "-1e-310", "4.9e-324", "1e300", "-1e308"],
  f32: ["1e-37", "-1e-40", "1e-45", "1e37", "-3e38"],
};

/** A program whose result has what all of these lines compute: `name = shape op(...)`. */
function program(parameters, lines, regions = "") {
  const inputs = parameters.map((shape, i) => `  p${i} = ${shape} parameter(${i})\n`).join("");
  const results = [];
  const body = lines
    .map((line, i) => {
      if (/^\w+ = /.test(line)) return `  ${line}\n`;
      const shape = line.startsWith("(")
        ? line.slice(0, line.indexOf(")") + 1)
        : line.split(" ")[0];
      results.push([`r${i}`, shape]);
      return `  r${i} = ${line}\n`;
    })
    .join("");
  const shapes = results.map(([, shape]) => shape).join(", ");
  const names = results.map(([name]) => name).join(", ");
  return `${regions}ENTRY e {\n${inputs}${body}  ROOT all = (${shapes}) tuple(${names})\n}\n`;
}

/** Values of a type, first along one dimension of a table and then along the other. */
function table(type) {
  const values = [...SPECIAL, ...EXTREMES[type]];
  const n = values.length;
  return {
    n,
    lines: [
      `line = ${type}[${n}] constant({${values.join(", ")}})`,
      `x = ${type}[${n},${n}] broadcast(line), dimensions={0}`,
      `y = ${type}[${n},${n}] broadcast(line), dimensions={1}`,
    ],
  };
}

const FUNCTIONS =
  "exponential exponential-minus-one logistic log log-plus-one sine cosine tan sinh cosh tanh asin acos atan asinh acosh atanh cbrt sqrt rsqrt sign".split(
    " ",
  );

function functionsOfF64() {
  const { n, lines } = table("f64");
  return program(
    ["f64[1031]"],
    [
      ...lines,
      "k = f64[] constant(3)",
      "kk = f64[1031] broadcast(k), dimensions={}",
      "z = f64[1031] multiply(p0, kk)",
      ...[...FUNCTIONS, "erf"].flatMap((op) => [`f64[${n}] ${op}(line)`, `f64[1031] ${op}(z)`]),
      ...["power", "atan2", "remainder"].map((op) => `f64[${n},${n}] ${op}(x, y)`),
    ],
  );
}

function functionsOfComplex(type) {
  const part = type === "c64" ? "f32" : "f64";
  const { n, lines } = table(part);
  return program(
    [`${type}[129]`, `${type}[129]`],
    [
      ...lines,
      `z = ${type}[${n},${n}] complex(x, y)`,
      `w = ${type}[${n},${n}] reverse(z), dimensions={0}`,
      ...FUNCTIONS.flatMap((op) => [`${type}[${n},${n}] ${op}(z)`, `${type}[129] ${op}(p0)`]),
      `${part}[${n},${n}] abs(z)`,
      ...["divide", "power", "atan2"].flatMap((op) => [
        `${type}[${n},${n}] ${op}(z, w)`,
        `${type}[129] ${op}(p0, p1)`,
      ]),
    ],
  );
}

function transforms(n) {
  const half = Math.floor(n / 2) + 1;
  const length = `fft_length={${n}}`;
  return program(
    [`c64[3,${n}]`, `f32[2,${n}]`],
    [
      `c64[3,${n}] fft(p0), fft_type=FFT, ${length}`,
      `c64[3,${n}] fft(p0), fft_type=IFFT, ${length}`,
      `s = c64[2,${half}] fft(p1), fft_type=RFFT, ${length}`,
      `c64[2,${half}] copy(s)`,
      `f32[2,${n}] fft(s), fft_type=IRFFT, ${length}`,
    ],
  );
}

function solutions(type) {
  const options = [];
  for (const lower of [true, false]) {
    for (const unit of [true, false]) {
      for (const op of ["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]) {
        options.push(`lower=${lower}, unit_diagonal=${unit}, transpose_a=${op}`);
      }
    }
  }
  return program(
    [`${type}[2,5,5]`, `${type}[2,5,3]`, `${type}[2,3,5]`],
    [
      `t = ${type}[2,5,5] transpose(p0), dimensions={0,2,1}`,
      `d = ${type}[2,5,5] dot(p0, t), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}`,
      `${type}[2,5,5] cholesky(d), lower=true`,
      `${type}[2,5,5] cholesky(d), lower=false`,
      // Some of these have no factor.
      `${type}[2,5,5] cholesky(p0), lower=true`,
      ...options.flatMap((each) => [
        `${type}[2,5,3] triangular-solve(p0, p1), left_side=true, ${each}`,
        `${type}[2,3,5] triangular-solve(p0, p2), left_side=false, ${each}`,
      ]),
    ],
  );
}

function norms(type, dims, feature) {
  const array = `${type}[${dims}]`;
  const line = `${type}[${dims[feature]}]`;
  const all = `(${array}, ${line}, ${line})`;
  const options = `epsilon=0.001, feature_index=${feature}`;
  return program(
    [array, line, line, line, line, array],
    [
      `v = ${line} abs(p4)`,
      `${all} batch-norm-training(p0, p1, p2), ${options}`,
      `${array} batch-norm-inference(p0, p1, p2, p3, v), ${options}`,
      `${all} batch-norm-grad(p0, p1, p3, v, p5), ${options}`,
    ],
  );
}

function randomBits(type) {
  const states = [
    ["rng_default", 2],
    ["rng_three_fry", 2],
    ["rng_philox", 2],
    ["rng_default", 3],
  ];
  return program(
    ["u64[2]", "u64[3]"],
    states.flatMap(([algorithm, n]) =>
      ["", "7", "3,5", "3,4,5"].map(
        (dims) =>
          `(u64[${n}], ${type}[${dims}]) rng-bit-generator(p${n - 2}), algorithm=${algorithm}`,
      ),
    ),
  );
}

const REGIONS = `ge { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = pred[] compare(a, b), direction=GE }
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }
`;

function picks() {
  const scatter = "select=ge, scatter=add";
  return program(
    ["f32[2,9,7,3]", "f32[2,5,4,3]", "f32[2,9,7,3]", "bf16[3,37]", "s64[3,37]"],
    [
      "k = f32[] constant(0.25)",
      `f32[2,9,7,3] select-and-scatter(p0, p1, k), window={size=1x3x3x1 stride=1x2x2x1 pad=0_0x1_1x1_1x0_0}, ${scatter}`,
      `f32[2,9,7,3] select-and-scatter(p0, p2, k), window={size=1x3x3x1 pad=0_0x1_1x1_1x0_0}, ${scatter}`,
      "w = f32[2,8] constant({{nan,-nan,0,-0,inf,-inf,1,1}, {0,-0,0,-0,nan,nan,2,2}})",
      "(f32[2,6], s32[2,6]) topk(w), k=6, largest=true",
      "(f32[2,8], s32[2,8]) topk(w), k=8, largest=false",
      "(bf16[3,5], s32[3,5]) topk(p3), k=5, largest=true",
      "(s64[3,37], s32[3,37]) topk(p4), k=37, largest=false",
    ],
    REGIONS,
  );
}

function integers(type) {
  const array = `${type}[133]`;
  const binary =
    "add subtract multiply divide remainder maximum and xor shift-left shift-right-arithmetic shift-right-logical power mulhi";
  const unary = `negate not popcnt count-leading-zeros${type.startsWith("s") ? " abs sign" : ""}`;
  const others = ["s4", "u2", "u4", "s8", "s32", "f32", "pred"].filter((other) => other !== type);
  return program(
    [array, array],
    [
      ...binary.split(" ").map((op) => `${array} ${op}(p0, p1)`),
      ...unary.split(" ").map((op) => `${array} ${op}(p0)`),
      ...others.flatMap((other) => [
        `to_${other} = ${other}[133] convert(p0)`,
        `${other}[133] copy(to_${other})`,
        `${array} convert(to_${other})`,
      ]),
    ],
  );
}

function precisions(type) {
  const bits = [
    [8, 7],
    [5, 10],
    [5, 2],
    [4, 3],
    [2, 0],
    [11, 52],
    [1, 3],
  ];
  return program(
    [`${type}[133]`],
    bits.map(
      ([exponent, mantissa]) =>
        `${type}[133] reduce-precision(p0), exponent_bits=${exponent}, mantissa_bits=${mantissa}`,
    ),
  );
}

const BATCHED =
  "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}";

function products() {
  const plain = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  return program(
    ["c64[2,5,7]", "c64[2,7,3]", "s4[9,7]", "bf16[7,5]", "f8e4m3fn[6,32]", "f8e8m0fnu[6,1]"],
    [
      `c64[2,5,3] dot(p0, p1), ${BATCHED}`,
      "w = c64[2,2] constant({{(inf,nan), (1,2)}, {(3e38,3e38), (0,-0)}})",
      `c64[2,2] dot(w, w), ${plain}`,
      `bf16[9,5] dot(p2, p3), ${plain}`,
      "f32[6,6] scaled-dot(p4, p4, p5, p5), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
    ],
  );
}

function raggedProducts() {
  const type = "f32";
  return program(
    [`${type}[11,5]`, `${type}[3,5,4]`, `${type}[11,4]`, `${type}[2,11,5]`, `${type}[11,5,4]`],
    [
      "s = s32[3] constant({4, -1, 5})",
      "b = s32[3] constant({4, 20, 5})",
      "t = s64[2,3] constant({{2, 3, 4}, {0, 9, 9}})",
      `${type}[11,4] ragged-dot(p0, p1, s), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}`,
      `${type}[11,4] ragged-dot(p0, p1, b), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}`,
      `${type}[3,5,4] ragged-dot(p0, p2, s), lhs_contracting_dims={0}, rhs_contracting_dims={0}, lhs_ragged_dims={0}`,
      `${type}[2,11,4] ragged-dot(p3, p1, t), lhs_contracting_dims={2}, rhs_contracting_dims={1}, lhs_ragged_dims={1}, rhs_group_dims={0}`,
      `g = ${type}[11,5,3] broadcast(p0), dimensions={0,1}`,
      `${type}[11,3,4] ragged-dot(g, p4, s), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}`,
    ],
  );
}

function roundedProducts() {
  return program(
    ["f32[2,5,37]", "f32[2,37,3]", "f32[1,8,8,4]", "f32[3,3,4,5]"],
    [
      `f32[2,5,3] dot(p0, p1), ${BATCHED}`,
      `f32[2,5,3] dot(p0, p1), ${BATCHED}, operand_precision={high,high}`,
      `f32[2,5,3] dot(p0, p1), ${BATCHED}, operand_precision={highest,default}`,
      `f32[2,5,3] dot(p0, p1), ${BATCHED}, algorithm=dot_tf32_tf32_f32_x3`,
      "w = f32[2,2] constant({{inf, 3.4e38}, {nan, 1.00390625}})",
      "f32[2,2] dot(w, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={high,high}",
      "f32[1,6,6,5] convolution(p2, p3), window={size=3x3}, dim_labels=b01f_01io->b01f",
    ],
  );
}

function layouts() {
  return program(
    ["f32[5,6]", "bf16[16,128]", "s4[9]", "f4e2m1fn[7]", "u32[3,4]"],
    [
      "a = f32[5,6]{0,1} bitcast(p0)",
      "f32[5,6]{1,0} copy(a)",
      "b = f32[3,10]{0,1} bitcast(p0)",
      "f32[3,10]{1,0} copy(b)",
      "t = bf16[16,128]{1,0:T(8,128)(2,1)} copy(p1)",
      "c = bf16[8,2,128]{2,1,0} bitcast(t)",
      "bf16[8,2,128]{2,1,0} copy(c)",
      "u4[9] bitcast-convert(p2)",
      "f32[7] convert(p3)",
      "s = (u32[3,4], u32[3,4], u32[]) copy-start(p4)",
      "u32[3,4] copy-done(s)",
      "s32[] get-dimension-size(p4), dimensions={1}",
    ],
  );
}

function angles() {
  return program(
    ["f32[133]", "f32[133]"],
    [
      "k = f32[] constant(3e8)",
      "kk = f32[133] broadcast(k), dimensions={}",
      "large = f32[133] multiply(p0, kk)",
      "n = bf16[133] convert(p0)",
      "m = bf16[133] convert(p1)",
      "f32[133] atan2(p0, p1)",
      "bf16[133] atan2(n, m)",
      ...["sine", "cosine", "tan"].map((op) => `f32[133] ${op}(large)`),
      "f32[133] power(p0, p1)",
      "f32[133] remainder(large, p1)",
    ],
  );
}

/** Programs by group; options of the command. */
const GROUPS = {
  "functions of f64": [functionsOfF64()],
  "functions of complex numbers": [functionsOfComplex("c64"), functionsOfComplex("c128")],
  "angles and powers of f32": [angles()],
  "Fourier transforms": [
    ...[1, 2, 7, 31, 33, 64, 100, 16384].map(transforms),
    program(
      ["c128[2,5,12]", "c64[3,9]"],
      [
        "c128[2,5,12] fft(p0), fft_type=IFFT, fft_length={2,5,12}",
        "c64[3,9] fft(p1), fft_type=FFT, fft_length={6}",
        "c64[3,9] fft(p1), fft_type=IFFT, fft_length={5,12}",
      ],
    ),
  ],
  "factors of matrices": ["f32", "bf16", "c64", "c128"].map(solutions),
  "batch norms": [
    norms("f32", [4, 5, 6, 3], 3),
    norms("bf16", [4, 3, 7], 1),
    norms("f64", [3, 5], 0),
  ],
  "random bits": ["u8", "s16", "f32", "u64", "u4", "s4"].map(randomBits),
  "picked elements": [picks()],
  "narrow integers and their functions": ["s2", "u4", "s8", "u32", "s64"].map(integers),
  "reduced precision": ["f16", "f32", "f64"].map(precisions),
  products: [products(), raggedProducts()],
  layouts: [layouts()],
};

/** The bytes of an array of an .npz file. */
function dataOf(npy) {
  const view = new DataView(npy.buffer, npy.byteOffset);
  const start = npy[6] === 1 ? 10 + view.getUint16(8, true) : 12 + view.getUint32(8, true);
  return npy.slice(start);
}

const ARRAYS = {
  s8: Int8Array,
  s4: Int8Array,
  s2: Int8Array,
  s16: Int16Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  s32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  c64: Float32Array,
  f64: Float64Array,
  c128: Float64Array,
  s64: BigInt64Array,
  u64: BigUint64Array,
};
/** Bytes as the typed array that a program takes. */
function arrayOf(type, bytes) {
  const array = ARRAYS[type] ?? Uint8Array;
  return new array(bytes.slice().buffer);
}

const PARTS = { c64: "f32", c128: "f64" };
const FLOATS = { f32: Float32Array, f64: Float64Array };

/** Where two arrays differ; one NaN is like another. */
function difference(type, expected, actual) {
  if (Buffer.compare(Buffer.from(expected), Buffer.from(actual)) === 0) return undefined;
  const Floats = FLOATS[PARTS[type] ?? type];
  if (!Floats || expected.length !== actual.length) return "bytes";
  const [a, b] = [expected, actual].map((bytes) => new Floats(bytes.slice().buffer));
  const at = a.findIndex((x, i) => !Object.is(x, b[i]));
  return at < 0 ? undefined : `element ${at}: ${a[at]} by run, ${b[at]} compiled`;
}

describe("hlo compile: kernels", () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "hlo-kernels-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Random inputs of a program: by number the .npy file, and the bytes. */
  function inputsOf(module) {
    return module.inputs.map(({ type, shape }, i) => {
      const path = join(folder, "input.hlo");
      writeFileSync(path, `ENTRY e { ROOT p = ${type}[${shape}] parameter(0) }`);
      const saved = join(folder, "input.npz");
      const result = hlo(["run", path, "--seed", String(i + 1), "--save", saved]);
      assert.equal(result.status, 0, result.stderr);
      const npy = Object.values(unzipSync(readFileSync(saved)))[0];
      const file = join(folder, `input${i}.npy`);
      writeFileSync(file, npy);
      return { file, bytes: dataOf(npy) };
    });
  }

  async function check(name, text, options = []) {
    const path = join(folder, `${name}.hlo`);
    writeFileSync(path, text);
    const made = hlo(["compile", path, "-o", folder, ...options]);
    assert.equal(made.status, 0, made.stderr);
    const script = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    const module = await script.load();
    const inputs = inputsOf(module);
    const saved = join(folder, "results.npz");
    const given = inputs.flatMap(({ file }, i) => ["--input", `${i}=@${file}`]);
    const run = hlo(["run", path, "--save", saved, ...options, ...given]);
    assert.equal(run.status, 0, run.stderr);
    const expected = Object.values(unzipSync(readFileSync(saved))).map(dataOf);
    const arrays = inputs.map(({ bytes }, i) => arrayOf(module.inputs[i].type, bytes));
    const actual = [module.run(...arrays)].flat();
    assert.equal(actual.length, expected.length);
    for (const [i, array] of actual.entries()) {
      const { type, shape } = module.outputs[i];
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      assert.equal(difference(type, expected[i], bytes), undefined, `${i}: ${type}[${shape}]`);
    }
    return expected;
  }

  for (const [group, programs] of Object.entries(GROUPS)) {
    it(group, async () => {
      const name = group.replaceAll(/\W/g, "_");
      for (const [i, text] of programs.entries()) await check(`${name}_${i}`, text);
    });
  }

  it("rounds products as a run does", async () => {
    const results = [];
    for (const products of ["f32", "bf16", "tf32"]) {
      results.push(await check(`rounded_${products}`, roundedProducts(), ["--products", products]));
    }
    assert.notDeepEqual(results[1][0], results[0][0]);
    assert.notDeepEqual(results[2][0], results[0][0]);
  });
});
