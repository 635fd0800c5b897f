// `hlo compile`: functions of f64 and of complex numbers, and whole kernels, give the same bits as
// `hlo run`, of numbers of any size and of special values.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { unzipSync } from "fflate";

globalThis.Response ??= class {
  // Only the name is asked for.
};

// Instructions for fused multiply-adds, which Node has by itself from 22 on.
if (Number.parseInt(process.versions.node, 10) < 22) {
  setFlagsFromString("--experimental-wasm-relaxed-simd");
}

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

/** Floats of few bits, in every kind of code; and what rounding to them decides. */
function fewBits(type) {
  const array = `${type}[133]`;
  const region = `add { a = ${type}[] parameter(0)  b = ${type}[] parameter(1)  ROOT r = ${type}[] add(a, b) }
less { a = ${type}[] parameter(0)  b = ${type}[] parameter(1)  ROOT r = pred[] compare(a, b), direction=LT }
`;
  const { n, lines } = table("f64");
  return program(
    [array, array, "s32[133]", "u64[133]"],
    [
      lines[0],
      `scalars = f64[19] constant({5.9e-39, 8.8e-39, 8.81e-39, 8.9e-39, 1e-38, 1.2e-38, 2.9e-39, 1e-300, 0, -1, 2.99, 3, 3.01, 6, 1e38, 2.55e38, 2.6e38, inf, nan})`,
      `${type}[19] convert(scalars)`,
      "narrow = f32[19] convert(scalars)",
      `${type}[19] convert(narrow)`,
      `line_of_f64 = ${type}[${n}] convert(line)`,
      `${type}[${n}] copy(line_of_f64)`,
      `f64[${n}] convert(line_of_f64)`,
      `from_s32 = ${type}[133] convert(p2)`,
      `${array} add(from_s32, p0)`,
      `${array} convert(p3)`,
      ..."add multiply divide maximum power".split(" ").map((op) => `${array} ${op}(p0, p1)`),
      ..."exponential negate sqrt floor sign".split(" ").map((op) => `${array} ${op}(p0)`),
      `k = ${type}[] constant(1)`,
      `${type}[] reduce(p0, k), dimensions={0}, to_apply=add`,
      `${type}[130] reduce-window(p0, k), window={size=4}, to_apply=add`,
      `${array} sort(p0), dimensions={0}, to_apply=less`,
      `${type}[7] iota(), iota_dimension=0`,
      `m = ${type}[19,7] reshape(p0)`,
      `${type}[7,7] dot(m, m), lhs_contracting_dims={0}, rhs_contracting_dims={0}`,
    ],
    region,
  );
}

/** Complex numbers where regions are applied, and where they begin and end. */
function complexRegions(type) {
  const part = type === "c64" ? "f32" : "f64";
  const regions = `add { a = ${type}[] parameter(0)  b = ${type}[] parameter(1)  ROOT r = ${type}[] add(a, b) }
times { a = ${type}[] parameter(0)  b = ${type}[] parameter(1)  c = ${type}[] multiply(a, b)  ROOT r = ${type}[] sine(c) }
larger { a = ${type}[] parameter(0)  b = ${type}[] parameter(1)  x = ${part}[] abs(a)  y = ${part}[] abs(b)  ROOT r = pred[] compare(x, y), direction=GE }
less { a = ${type}[] parameter(0)  b = ${type}[] parameter(1)  x = ${part}[] real(a)  y = ${part}[] real(b)  ROOT r = pred[] compare(x, y), direction=LT }
condition { s = (s32[], ${type}[]) parameter(0)  i = s32[] get-tuple-element(s), index=0  n = s32[] constant(9)  ROOT r = pred[] compare(i, n), direction=LT }
body { s = (s32[], ${type}[]) parameter(0)  i = s32[] get-tuple-element(s), index=0  z = ${type}[] get-tuple-element(s), index=1
  one = s32[] constant(1)  j = s32[] add(i, one)  w = ${type}[] multiply(z, z)  ROOT t = (s32[], ${type}[]) tuple(j, w) }
`;
  return program(
    [`${type}[6,35]`, `${type}[5]`, `${type}[3,3,2,4]`, "s32[40]", "pred[9]", "bf16[9]"],
    [
      `k = ${type}[] constant((0.5, -1))`,
      `${type}[6] reduce(p0, k), dimensions={1}, to_apply=add`,
      `${type}[35] reduce(p0, k), dimensions={0}, to_apply=times`,
      `${type}[6,33] reduce-window(p0, k), window={size=1x3}, to_apply=add`,
      `zero = ${type}[] constant((0, 0))`,
      `${type}[6,35] reduce-window(p0, zero), window={size=1x35 pad=0_0x34_0}, to_apply=add`,
      `${type}[6,35] sort(p0), dimensions={1}, is_stable=true, to_apply=less`,
      `i = s32[5,1] constant({{3}, {0}, {3}, {35}, {1}})`,
      `rows = ${type}[1,35] slice(p0), slice={[2:3], [0:35]}`,
      `row = ${type}[35] reshape(rows)`,
      `${type}[35] scatter(row, i, p1), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add`,
      `images = ${type}[1,6,35,1] reshape(p0)`,
      `image = ${type}[1,6,35,2] concatenate(images, images), dimensions={3}`,
      `${type}[1,4,33,4] convolution(image, p2), window={size=3x3}, dim_labels=b01f_01io->b01f`,
      `sources = ${type}[6,17] slice(p0), slice={[0:6], [3:20]}`,
      `${type}[6,35] select-and-scatter(p0, sources, k), window={size=1x3 stride=1x2}, select=larger, scatter=add`,
      `start = s32[] constant(0)`,
      `state = (s32[], ${type}[]) tuple(start, k)`,
      `loop = (s32[], ${type}[]) while(state), condition=condition, body=body`,
      `${type}[] get-tuple-element(loop), index=1`,
      `${type}[4,5] iota(), iota_dimension=1`,
      ...["p3", "p4", "p5"].map((x, number) => `${type}[${[40, 9, 9][number]}] convert(${x})`),
      ...["s32", "pred", "bf16", "u8", part].map((to) => `${to}[5] convert(p1)`),
    ],
    regions,
  );
}

/** Roundings that go through f32, and that do not: halves of the narrow type that f32 loses. */
function ties() {
  return program(
    [],
    [
      "d = f64[4] constant({1.0004882821813226, -1.0004882821813226, 1.0039062500001, 65519.999999})",
      "i = s32[3] constant({1077936129, -1077936129, 16777217})",
      "l = s64[3] constant({36170086419038209, -36170086419038209, 9223372036854775807})",
      "u = u64[2] constant({18446744073709551615, 9259400833873739777})",
      ...["f16", "bf16", "f8e4m3fn", "f8e5m2"].flatMap((type) => [
        `${type}[4] convert(d)`,
        `${type}[3] convert(i)`,
        `${type}[3] convert(l)`,
        `${type}[2] convert(u)`,
      ]),
    ],
  );
}

function bitStrings() {
  return program(
    ["f32[3]", "u8[6,2]", "s4[5,8]", "u2[4,2]", "s8[10]", "f16[3]", "u4[2,5,2]"],
    [
      "u4[3,8] bitcast-convert(p0)",
      "s2[3,16] bitcast-convert(p0)",
      "u16[6] bitcast-convert(p1)",
      "s4[6,2,2] bitcast-convert(p1)",
      "u32[5] bitcast-convert(p2)",
      "s2[5,8,2] bitcast-convert(p2)",
      "s4[4] bitcast-convert(p3)",
      "pred[10] bitcast-convert(p4)",
      "f4e2m1fn[3,4] bitcast-convert(p5)",
      "u8[2,5] bitcast-convert(p6)",
      "packed = u4[2,5,2]{2,1,0:E(4)} copy(p6)",
      "u8[2,5] bitcast(packed)",
      "pred[2,5]{0,1} bitcast(p4)",
    ],
  );
}

const SUM = "sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] add(a, b) }\n";

function rareOperations() {
  return program(
    [
      "f32[133]",
      "u32[133]",
      "f64[133]",
      "u64[133]",
      "bf16[1,2,3,4]",
      "f32[]",
      "pred[9]",
      "pred[9]",
    ],
    [
      "s8[133] stochastic-convert(p0, p1)",
      "s32[133] stochastic-convert(p0, p1)",
      "k = f64[] constant(4e18)",
      "kk = f64[133] broadcast(k), dimensions={}",
      "large = f64[133] multiply(p2, kk)",
      "s64[133] stochastic-convert(large, p3)",
      "c = bf16[] constant(5)",
      "wide = f32[1,2,3,4] convert(p4)",
      "f32[1,2,3,3] reduce-window(wide, c), window={size=1x1x1x2}, to_apply=sum",
      "f32[133] reduce-window(p0, p5), window={size=133 pad=132_0}, to_apply=sum",
      "zero = f32[] subtract(p5, p5)",
      "f32[133] reduce-window(p0, zero), window={size=133 pad=132_0}, to_apply=sum",
    ],
    SUM,
  );
}

/** Positions of what is stored, in blocks of 8. */
const SPARSE = program(
  ["f32[3,16]", "f32[2,2]", "s32[2,2]"],
  [
    "f32[3,2] convolution(p0, p1, p2), dim_labels=bf_io->bf, sparsity_config={rhs={sparsity=1x8 dimension=0 stride=1 idx=2}}",
  ],
);

/** Sums of products of every kind, of f32 or f64. */
function sumsOfProducts(type) {
  return program(
    [
      `${type}[2,5,37]`,
      `${type}[2,37,19]`,
      `${type}[1,8,8,4]`,
      `${type}[3,3,4,11]`,
      `${type}[11,5]`,
      `${type}[3,5,4]`,
      "bf16[7,5]",
    ],
    [
      // Digits beyond those of random numbers.
      `k = ${type}[] constant(3)`,
      `kk = ${type}[2,5,37] broadcast(k), dimensions={}`,
      `x = ${type}[2,5,37] divide(p0, kk)`,
      `${type}[2,5,19] dot(x, p1), ${BATCHED}`,
      `w = ${type}[3,3] constant({{inf, 3.4e38, 1e-40}, {nan, -1, 1e-30}, {0, -0, 1}})`,
      `${type}[3,3] dot(w, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}`,
      `${type}[1,6,6,11] convolution(p2, p3), window={size=3x3}, dim_labels=b01f_01io->b01f`,
      "s = s32[3] constant({4, 2, 5})",
      `${type}[11,4] ragged-dot(p4, p5, s), lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, rhs_group_dims={0}`,
      "bf16[7,7] dot(p6, p6), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
    ],
  );
}

/** Programs by group; options of the command. */
const GROUPS = {
  "functions of f64": [functionsOfF64()],
  "functions of complex numbers": [functionsOfComplex("c64"), functionsOfComplex("c128")],
  "angles and powers of f32": [angles()],
  "Fourier transforms": [
    ...[1, 2, 7, 31, 33, 64, 100, 16384, 32768].map(transforms),
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
  "floats of few bits": ["f8e8m0fnu", "f4e2m1fn", "f6e2m3fn", "f6e3m2fn", "f8e3m4"].map(fewBits),
  "complex numbers in regions": ["c64", "c128"].map(complexRegions),
  "ties of conversions": [ties()],
  "strings of bits": [bitStrings()],
  "rare operations": [rareOperations()],
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

  /** `file`: the module that runs, by default the one that the script takes. */
  async function check(name, text, options = [], file = undefined) {
    const path = join(folder, `${name}.hlo`);
    writeFileSync(path, text);
    const made = hlo(["compile", path, "-o", folder, ...options]);
    assert.equal(made.status, 0, made.stderr);
    const script = await import(pathToFileURL(join(folder, `${name}.mjs`)).href);
    const module = await script.instantiate(file && readFileSync(join(folder, name + file)));
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

  it("fuses multiply-adds as a run does, with and without an instruction for it", async () => {
    const fused = ["--multiply-add", "fused"];
    for (const type of ["f32", "f64"]) {
      const text = sumsOfProducts(type);
      const name = `sums_${type}`;
      const separate = await check(`${name}_separate`, text);
      const taken = await check(name, text, fused);
      assert.notDeepEqual(taken[0], separate[0]);
      await check(name, text, fused, ".wasm");
      const faster = readFileSync(join(folder, `${name}.fused.wasm`));
      assert.equal(existsSync(join(folder, `${name}_separate.fused.wasm`)), false);
      const hasInstruction =
        WebAssembly.validate(faster) &&
        (await WebAssembly.instantiate(faster)).instance.exports.fuses() === 1;
      if (hasInstruction) await check(name, text, fused, ".fused.wasm");
    }
    await check("sums_rounded", sumsOfProducts("f32"), [...fused, "--products", "bf16"]);
  });

  it("sparse convolutions, whose positions may be wrong", async () => {
    const path = join(folder, "sparse.hlo");
    writeFileSync(path, SPARSE);
    assert.equal(hlo(["compile", path, "-o", folder]).status, 0);
    const { load } = await import(pathToFileURL(join(folder, "sparse.mjs")).href);
    const { run } = await load();
    const x = Float32Array.from({ length: 48 }, (_, i) => i);
    const weights = new Float32Array([2, 3, 5, 7]);
    // Row by row: 2 x[1] + 5 x[8 + 7], 3 x[0] + 7 x[8 + 4].
    const wanted = [0, 16, 32].flatMap((k) => [2 * (k + 1) + 5 * (k + 15), 3 * k + 7 * (k + 12)]);
    assert.deepEqual([...run(x, weights, new Int32Array([1, 0, 7, 4]))[0]], wanted);
    for (const wrong of [8, -1]) {
      assert.throws(
        () => run(x, weights, new Int32Array([1, wrong, 7, 4])),
        /^RangeError: r0: a position is not inside its block of 8$/,
      );
    }
    assert.deepEqual([...run(x, weights, new Int32Array([1, 0, 7, 4]))[0]], wanted);
  });
});
