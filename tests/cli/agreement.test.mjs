// The native program and the Wasm one compute the same: functions that the C library supplies
// within 4 units in the last place, everything else bit for bit. Arguments are spread over all bit
// patterns of a type; results are compared as bit patterns.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { describe, it } from "node:test";

const LIBRARY_ULPS = 4n;
const native = ["build/native/hlo"];
const flags = process.allowedNodeEnvironmentFlags.has("--experimental-fetch")
  ? ["--no-experimental-fetch"]
  : [];
const wasm = [process.execPath, ...flags, "build/wasm/hlo.js"];

// [element type, unsigned type of its width, number of arguments, odd factor that spreads them]
const types = [
  ["f16", "u16", 65536, "1"],
  ["bf16", "u16", 65536, "1"],
  ["f32", "u32", 20000, "2654435761"],
  ["f64", "u64", 20000, "11400714819323198485"],
];
const library = [
  ...["exponential", "exponential-minus-one", "log", "log-plus-one", "logistic", "sine", "cosine"],
  ...["tan", "tanh", "erf", "cbrt", "acos", "acosh", "asin", "asinh", "atanh", "power", "atan2"],
];
const exact = [
  ...["add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "sqrt", "rsqrt"],
  ...["abs", "negate", "sign", "ceil", "floor", "round-nearest-afz", "round-nearest-even"],
];
const binary = new Set([
  ...["power", "atan2", "add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"],
]);

/** Every op on the same arguments; the results, as integers, in one tuple. */
function program([type, bits, count, factor], ops) {
  const steps = ops.flatMap((op, i) => {
    const args = binary.has(op) ? "x, y" : "x";
    return [
      `v${i} = ${type}[${count}] ${op}(${args})`,
      `b${i} = ${bits}[${count}] bitcast-convert(v${i})`,
    ];
  });
  const parts = ops.map((_, i) => `b${i}`).join(", ");
  return `ENTRY e {
  i = ${bits}[${count}] iota(), iota_dimension=0
  f = ${bits}[] constant(${factor})
  fs = ${bits}[${count}] broadcast(f), dimensions={}
  xb = ${bits}[${count}] multiply(i, fs)
  x = ${type}[${count}] bitcast-convert(xb)
  y = ${type}[${count}] reverse(x), dimensions={0}
  ${steps.join("\n  ")}
  ROOT t = (${ops.map(() => `${bits}[${count}]`).join(", ")}) tuple(${parts})
}
`;
}

function run(command, text) {
  const result = spawnSync(command[0], [...command.slice(1), "run", "-", "--json"], {
    input: text,
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  assert.equal(result.status, 0, result.stderr);
  const literal = JSON.parse(result.stdout).output.literal;
  return [...literal.matchAll(/\{(\d+, [\d, ]+)\}/g)].map((m) => m[1].split(",").map(BigInt));
}

/** Bit patterns of floats, in the order of their values. */
function ordered(bits, width) {
  const sign = 1n << (width - 1n);
  return bits & sign ? -(bits & (sign - 1n)) : bits;
}

function isNan(bits, type) {
  const infinity = { f16: 0x7c00n, bf16: 0x7f80n, f32: 0x7f800000n, f64: 0x7ff0000000000000n }[
    type
  ];
  const sign = { f16: 15n, bf16: 15n, f32: 31n, f64: 63n }[type];
  return (bits & ((1n << sign) - 1n)) > infinity;
}

function worst(a, b, [type, bits]) {
  const width = BigInt(bits.slice(1));
  let most = 0n;
  a.forEach((x, i) => {
    const y = b[i];
    if (x === y || (isNan(x, type) && isNan(y, type))) return;
    const apart = ordered(x, width) - ordered(y, width);
    const ulps = isNan(x, type) || isNan(y, type) ? 1n << 64n : apart < 0n ? -apart : apart;
    if (ulps > most) most = ulps;
  });
  return most;
}

describe("native and Wasm agree", { skip: !existsSync("build/wasm/hlo.js") }, () => {
  for (const type of types) {
    for (const [ops, limit] of [
      [library, LIBRARY_ULPS],
      [exact, 0n],
    ]) {
      it(`${ops[0]} and others on ${type[0]}, within ${limit} ulp`, () => {
        const text = program(type, ops);
        const [here, there] = [run(native, text), run(wasm, text)];
        assert.equal(here.length, ops.length);
        const far = ops
          .map((op, i) => [op, worst(here[i], there[i], type)])
          .filter(([, ulps]) => ulps > limit)
          .map(([op, ulps]) => `${op}: ${ulps} ulp`);
        assert.deepEqual(far, []);
      });
    }
  }
});
