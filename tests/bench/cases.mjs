// The page's cases (web/bench) in Node: this engine, plain JavaScript, the limit. `node tests/bench/cases.mjs [CASE,...]`
import process from "node:process";
import v8 from "node:v8";
import { createEngine } from "../../build/npm/index.js";
import { bundle } from "./bundle.mjs";

await bundle("measure.ts", "build/bench/measure.mjs");
const { cases, measure, QUICK, rateOf, USUAL } = await import("../../build/bench/measure.mjs");
const names = process.argv[2]?.split(",") ?? cases.map(({ name }) => name);
const effort = process.env.BENCH === "quick" ? QUICK : USUAL;
const columns = [16, 11, 16, 11, 16, 8, 11, 10, 11];
// Before Node 22 there are instructions for fused multiply-adds only when asked.
if (Number.parseInt(process.versions.node, 10) < 22) {
  v8.setFlagsFromString("--experimental-wasm-relaxed-simd");
}
const print = (...cells) =>
  console.log(cells.map((cell, i) => String(cell).padStart(columns[i])).join(""));
const digits = (x) => (x === null ? "-" : x.toPrecision(4));

const engine = await createEngine();
print(
  "case",
  "ours, ms",
  "rate",
  "fused, ms",
  "JavaScript, ms",
  "ratio",
  "limit, ms",
  "of limit",
  "first, ms",
);
for (const bench of cases.filter(({ name }) => names.includes(name))) {
  const { name, ours, fused, plain, limit, first, differs } = measure(engine, bench, {
    ...effort,
    isFusedToo: true,
  });
  print(
    ...[name, digits(ours), `${rateOf(bench, ours).toFixed(1)} ${bench.unit}`],
    ...[digits(fused ?? null), digits(plain)],
    ...[plain ? (plain / ours).toFixed(2) : "-", digits(limit)],
    ...[limit ? `${Math.round((100 * limit) / ours)} %` : "-", first.toFixed(1)],
    ...(differs ? [" results differ"] : []),
  );
}
