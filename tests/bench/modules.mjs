// XLA's CPU benchmark modules, from a folder of HLO files: the first call of each in a fresh engine, from its text on,
// with the making of its inputs, and the best of the runs after it, without.
//
//   node tests/bench/modules.mjs FOLDER
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createEngine } from "../../build/npm/index.js";

const PREFIX = "backends__cpu__benchmarks__hlo__";
/** What the runs after the first may take together, in ms. */
const MOST = 300;
const OPTIONS = {
  trace: false,
  memoryLimit: 2 ** 32 - 2 ** 20,
  timeLimit: 60,
  fillElided: "iota",
};

const folder = process.argv[2];
const files = readdirSync(folder).filter((file) => file.startsWith(PREFIX));
const ms = (time) => time.toFixed(time < 10 ? 2 : 0).padStart(10);

console.log(`${"XLA's CPU benchmark modules".padEnd(56)}  first, ms   best, ms   peak, MB`);
for (const file of files) {
  const text = readFileSync(join(folder, file), "utf8");
  const engine = await createEngine();
  const run = () => {
    const start = performance.now();
    const result = engine.run(text, OPTIONS);
    const time = performance.now() - start;
    if (result.handle) engine.release(result.handle);
    return { ...result, time };
  };
  const first = run();
  const name = file.slice(PREFIX.length).replace(/\.hlo$/, "");
  if (!first.ok) {
    console.log(`  ${name.padEnd(54)}  ${first.diagnostics[0]?.message}`);
    continue;
  }
  let best = Number.POSITIVE_INFINITY;
  for (let left = MOST; left > 0; ) {
    const { time, plan } = run();
    const parts = [...plan.islands, ...(plan.executor ? [plan.executor] : [])];
    best = Math.min(best, 1e3 * parts.reduce((sum, { seconds }) => sum + seconds, 0));
    left -= time;
  }
  const peak = (first.peakBytes / 1e6).toFixed(1).padStart(10);
  console.log(`  ${name.padEnd(54)} ${ms(first.time)} ${ms(best)} ${peak}`);
}
