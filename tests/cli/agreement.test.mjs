// The native program and the Wasm one compute the same, bit for bit. Arguments are spread over all
// bit patterns of a type, and over numbers of ordinary size; results are compared as bit patterns.
// Only which NaN it is may differ.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";

const native = ["build/native/hlo"];
const flags = process.allowedNodeEnvironmentFlags.has("--experimental-fetch")
  ? ["--no-experimental-fetch"]
  : [];
const wasm = [process.execPath, ...flags, "build/wasm/hlo.js"];
// Instructions for fused multiply-adds, which Node has by itself from 22 on.
const relaxed =
  Number.parseInt(process.versions.node, 10) < 22
    ? wasm.toSpliced(1, 0, "--experimental-wasm-relaxed-simd")
    : wasm;

// [element type, unsigned type of its width, number of arguments, odd factor that spreads them]
const types = [
  ["f16", "u16", 65536, "1"],
  ["bf16", "u16", 65536, "1"],
  ["f32", "u32", 20000, "2654435761"],
  ["f64", "u64", 20000, "11400714819323198485"],
];
const complexTypes = [
  ["c64", "f32", "u32", 5000, "2654435761"],
  ["c128", "f64", "u64", 5000, "11400714819323198485"],
];
// For numbers from 1/8 to 32 in magnitude: the bits to keep, and what to add to them.
const ordinary = {
  f16: [0x9fffn, 0x3000n],
  bf16: [0x83ffn, 0x3e00n],
  f32: [0x83ffffffn, 0x3e000000n],
  f64: [0x807fffffffffffffn, 0x3fc0000000000000n],
};
const functions = [
  ...["exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "sine", "cosine"],
  ...["tan", "tanh", "cbrt", "acos", "acosh", "asin", "asinh", "atanh", "power", "atan2", "sqrt"],
  ...["rsqrt", "add", "subtract", "multiply", "divide", "abs", "negate", "sign", "sinh", "cosh"],
];
const realFunctions = [
  ...["erf", "remainder", "maximum", "minimum", "ceil", "floor", "round-nearest-afz"],
  ...["round-nearest-even"],
];
const targets = [
  ...["chlo.erfc", "chlo.erf_inv", "chlo.lgamma", "chlo.digamma", "chlo.bessel_i1e", "chlo.zeta"],
  ...["chlo.polygamma", "xla_builder.math.Igamma"],
];
const binary = new Set([
  ...["power", "atan2", "add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"],
  ...["chlo.zeta", "chlo.polygamma", "xla_builder.math.Igamma"],
]);

const call = (op, args) =>
  op.includes(".") ? `custom-call(${args}), custom_call_target="${op}"` : `${op}(${args})`;

/** Lines that define `name`: bit patterns from `first` on, spread over all, or ordinary numbers. */
function spread(name, first, [type, bits, count, factor], isOrdinary) {
  const broadcast = (part, number) => [
    `${name}_${part}0 = ${bits}[] constant(${number})`,
    `${name}_${part} = ${bits}[${count}] broadcast(${name}_${part}0), dimensions={}`,
  ];
  const [mask, least] = ordinary[type];
  return [
    `${name}_i = ${bits}[${count}] iota(), iota_dimension=0`,
    ...broadcast("first", first),
    ...broadcast("factor", factor),
    ...broadcast("mask", mask),
    ...broadcast("least", least),
    `${name}_n = ${bits}[${count}] add(${name}_i, ${name}_first)`,
    `${name}_all = ${bits}[${count}] multiply(${name}_n, ${name}_factor)`,
    `${name}_and = ${bits}[${count}] and(${name}_all, ${name}_mask)`,
    `${name}_or = ${bits}[${count}] add(${name}_and, ${name}_least)`,
    `${name} = ${type}[${count}] bitcast-convert(${name}_${isOrdinary ? "or" : "all"})`,
  ];
}

/** A module whose results are `[name, unsigned type]`, as bits, in one tuple. */
function module(lines, results, count) {
  return `ENTRY e {
  ${lines.join("\n  ")}
  ROOT t = (${results.map(([, bits]) => `${bits}[${count}]`).join(", ")}) tuple(${results.map(([name]) => name).join(", ")})
}
`;
}

/** Every op on the same arguments. */
function program(row, ops, isOrdinary) {
  const [type, bits, count] = row;
  const lines = spread("x", 0, row, isOrdinary);
  lines.push(`y = ${type}[${count}] reverse(x), dimensions={0}`);
  ops.forEach((op, i) => {
    lines.push(`v${i} = ${type}[${count}] ${call(op, binary.has(op) ? "x, y" : "x")}`);
    lines.push(`b${i} = ${bits}[${count}] bitcast-convert(v${i})`);
  });
  return module(
    lines,
    ops.map((_, i) => [`b${i}`, bits]),
    count,
  );
}

/** The same on complex numbers: the results are real parts, then imaginary ones. */
function complexProgram([complex, ...row], ops, isOrdinary) {
  const [type, bits, count] = row;
  const lines = [
    ...spread("a", 0, row, isOrdinary),
    ...spread("b", 7 * count, row, isOrdinary),
    `x = ${complex}[${count}] complex(a, b)`,
    `y = ${complex}[${count}] reverse(x), dimensions={0}`,
  ];
  const parts = ["real", "imag"];
  ops.forEach((op, i) => {
    const out = op === "abs" ? type : complex;
    lines.push(`v${i} = ${out}[${count}] ${call(op, binary.has(op) ? "x, y" : "x")}`);
    for (const part of parts) {
      lines.push(`${part}${i} = ${type}[${count}] ${part}(v${i})`);
      lines.push(`${part}b${i} = ${bits}[${count}] bitcast-convert(${part}${i})`);
    }
  });
  return module(
    lines,
    parts.flatMap((part) => ops.map((_, i) => [`${part}b${i}`, bits])),
    count,
  );
}

function run(command, text, options = []) {
  const result = spawnSync(command[0], [...command.slice(1), "run", "-", "--json", ...options], {
    input: text,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, HLO_CODE_AFTER: "1" },
  });
  assert.equal(result.status, 0, result.stderr);
  const literal = JSON.parse(result.stdout).output.literal;
  return [...literal.matchAll(/\{(\d+, [\d, ]+)\}/g)].map((m) => m[1].split(",").map(BigInt));
}

function isNan(bits, type) {
  const infinity = { f16: 0x7c00n, bf16: 0x7f80n, f32: 0x7f800000n, f64: 0x7ff0000000000000n }[
    type
  ];
  const sign = { f16: 15n, bf16: 15n, f32: 31n, f64: 63n }[type];
  return (bits & ((1n << sign) - 1n)) > infinity;
}

/** The first element that differs, in words. */
function difference(name, here, there, type) {
  const at = here.findIndex((x, i) => {
    const y = there[i];
    return x !== y && !(isNan(x, type) && isNan(y, type));
  });
  return at < 0 ? [] : [`${name}: element ${at} is ${here[at]} and ${there[at]}`];
}

function compare(text, names, type, options = [], other = wasm) {
  const [here, there] = [run(native, text, options), run(other, text, options)];
  assert.equal(here.length, names.length);
  assert.deepEqual(
    names.flatMap((name, i) => difference(name, here[i], there[i], type)),
    [],
  );
}

/** Products and convolutions of several shapes, of arguments of any bits or of ordinary size. */
function productProgram(row, isOrdinary) {
  const [type, bits] = row;
  const size = 2304;
  const sized = [type, bits, size, row[3]];
  const lines = [...spread("a", 0, sized, isOrdinary), ...spread("b", 5 * size, sized, isOrdinary)];
  const shaped = (name, from, dims) =>
    lines.push(`${name} = ${type}[${dims}] reshape(${from})`) && name;
  const contract = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const [square, other] = [shaped("sa", "a", [48, 48]), shaped("sb", "b", [48, 48])];
  const results = [
    ["blocks", [48, 48], `dot(${square}, ${other}), ${contract}`],
    [
      "turned",
      [48, 48],
      `dot(${square}, ${other}), lhs_contracting_dims={1}, rhs_contracting_dims={1}`,
    ],
    [
      "columns",
      [768, 3],
      `dot(${shaped("ca", "a", [768, 3])}, ${shaped("cb", "ct", [3, 3])}), ${contract}`,
    ],
    [
      "rows",
      [3, 768],
      `dot(${shaped("cc", "ct", [3, 3])}, ${shaped("ra", "a", [3, 768])}), ${contract}`,
    ],
    [
      "convolution",
      [1, 16, 16, 9],
      `convolution(${shaped("ia", "a", [1, 16, 16, 9])}, ${shaped("ka", "kt", [3, 3, 9, 9])}), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f`,
    ],
    [
      "depthwise",
      [1, 16, 16, 9],
      `convolution(ia, ${shaped("da", "dt", [3, 3, 1, 9])}), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=9`,
    ],
    [
      "single",
      [1, 46, 46, 1],
      `convolution(${shaped("ja", "a", [1, 48, 48, 1])}, ${shaped("ea", "ct", [3, 3, 1, 1])}), window={size=3x3}, dim_labels=b01f_01io->b01f`,
    ],
  ];
  const parts = [
    ["ct", 9],
    ["kt", 729],
    ["dt", 81],
  ].map(([name, count]) => `${name} = ${type}[${count}] slice(b), slice={[7:${7 + count}]}`);
  const head = lines.filter((line) => !/ reshape\((ct|kt|dt)\)$/.test(line));
  const tail = lines.filter((line) => / reshape\((ct|kt|dt)\)$/.test(line));
  const made = results.flatMap(([name, dims, text]) => {
    const count = dims.reduce((x, y) => x * y);
    const padded = `${bits}[${size}] pad(${name}_f, pad_zero), padding=0_${size - count}`;
    return [
      `${name}_v = ${type}[${dims}] ${text}`,
      `${name}_c = ${bits}[${dims}] bitcast-convert(${name}_v)`,
      `${name}_f = ${bits}[${count}] reshape(${name}_c)`,
      `${name} = ${count === size ? `${bits}[${size}] add(${name}_f, zeros)` : padded}`,
    ];
  });
  const zero = [
    `pad_zero = ${bits}[] constant(0)`,
    `zeros = ${bits}[${size}] broadcast(pad_zero), dimensions={}`,
  ];
  return [
    module(
      [...head, ...parts, ...tail, ...zero, ...made],
      results.map(([name]) => [name, bits]),
      size,
    ),
    results.map(([name]) => name),
  ];
}

/** Softmax over rows of so many elements each, whose sums have as many parts as code has lanes. */
function softmaxProgram(lengths, isOrdinary) {
  const [type, bits, count, factor] = ["f32", "u32", 2048, "2654435761"];
  const lines = spread("x", 0, [type, bits, count, factor], isOrdinary);
  lines.push(
    "zero = f32[] constant(0)",
    "least = f32[] constant(-inf)",
    "pad_zero = u32[] constant(0)",
  );
  for (const length of lengths) {
    const rows = Math.floor(count / length);
    const [matrix, row] = [`${type}[${rows},${length}]`, `${type}[${rows}]`];
    const unused = count - rows * length;
    const reduce = (of, init, by) =>
      `${row} reduce(${of}, ${init}), dimensions={1}, to_apply=${by}`;
    lines.push(
      `s_${length} = ${type}[${rows * length}] slice(x), slice={[0:${rows * length}]}`,
      `a_${length} = ${matrix} reshape(s_${length})`,
      `m_${length} = ${reduce(`a_${length}`, "least", "larger")}`,
      `n_${length} = ${matrix} broadcast(m_${length}), dimensions={0}`,
      `d_${length} = ${matrix} subtract(a_${length}, n_${length})`,
      `e_${length} = ${matrix} exponential(d_${length})`,
      `t_${length} = ${reduce(`e_${length}`, "zero", "sum")}`,
      `u_${length} = ${matrix} broadcast(t_${length}), dimensions={0}`,
      `q_${length} = ${matrix} divide(e_${length}, u_${length})`,
      `c_${length} = ${bits}[${rows},${length}] bitcast-convert(q_${length})`,
      `f_${length} = ${bits}[${rows * length}] reshape(c_${length})`,
      `r_${length} = ${bits}[${count}] pad(f_${length}, pad_zero), padding=0_${unused}`,
    );
  }
  const computation = (name, op) =>
    `${name} {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  ROOT r = f32[] ${op}(a, b)\n}\n`;
  const results = lengths.map((length) => [`r_${length}`, bits]);
  return (
    computation("larger", "maximum") + computation("sum", "add") + module(lines, results, count)
  );
}

describe("native and Wasm agree", { skip: !existsSync("build/wasm/hlo.js") }, () => {
  for (const isOrdinary of [false, true]) {
    const kind = isOrdinary ? "numbers of ordinary size" : "any bits";
    for (const type of types) {
      it(`on ${type[0]}, ${kind}`, () => {
        const ops = [...functions, ...realFunctions];
        compare(program(type, ops, isOrdinary), ops, type[0]);
      });
      it(`on ${type[0]}, ${kind}: special functions`, () => {
        compare(program([type[0], type[1], 500, type[3]], targets, isOrdinary), targets, type[0]);
      });
    }
    for (const type of types) {
      for (const step of ["separate", "fused"]) {
        it(`on products of ${type[0]}, ${kind}, with ${step} multiply-add`, () => {
          const [text, names] = productProgram(type, isOrdinary);
          for (const other of step === "fused" ? [wasm, relaxed] : [wasm]) {
            compare(text, names, type[0], ["--multiply-add", step], other);
          }
        });
      }
    }
    it(`on softmax over rows of any length, ${kind}`, () => {
      const lengths = [3, ...Array.from({ length: 34 }, (_, i) => i + 7), 1024, 1032];
      compare(softmaxProgram(lengths, isOrdinary), lengths, "f32");
    });
    for (const type of complexTypes) {
      it(`on ${type[0]}, ${kind}`, () => {
        const names = ["real", "imag"].flatMap((part) => functions.map((op) => `${op}, ${part}`));
        compare(complexProgram(type, functions, isOrdinary), names, type[1]);
      });
    }
  }
});
