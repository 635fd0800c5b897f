// This engine beside others: copies the benchmark of peers into build/peers, installs them there, and
// prints by case what this engine reaches, the best peer of the same run, the ratio, and what the machine allows.
//
//   node tests/bench/peers.mjs FOLDER [node|chrome] [CASE,...]     BENCH=quick: fewer, shorter rounds
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { bundle } from "./bundle.mjs";

const [folder, where = "node", cases] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const build = join(root, "build/peers");
const NAME = "hlo";
const FUSED = "fused";
const LIMIT = "limit";
/** Two threads, where the page has them. */
const TWO = "two";
const OWN = [NAME, FUSED, LIMIT, ...(where === "chrome" ? [TWO] : [])];
const effort = process.env.BENCH === "quick" ? { rounds: 2, ms: 15 } : { rounds: 3, ms: 50 };

for (const part of ["lib", "run_peers.mjs", "package.json"]) {
  cpSync(join(folder, part), join(build, part), { recursive: true });
}
rmSync(join(build, "hlo"), { recursive: true, force: true });
cpSync(join(root, "build/npm"), join(build, "hlo"), { recursive: true });
mkdirSync(join(build, "threads"), { recursive: true });
for (const part of ["mjs", "wasm", "worker.js"]) {
  cpSync(
    join(root, `build/wasm/engine_threads.${part}`),
    join(build, `threads/engine_threads.${part}`),
  );
}
for (const name of OWN) await bundle("peer.ts", `build/peers/${name}_peer.mjs`);
if (!existsSync(join(build, "node_modules"))) {
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: build,
    stdio: "inherit",
  });
}
// Under Node "rsimd" asks for the instructions for fused multiply-adds, which older versions hide.
const isOfTwo = (name) => name.endsWith(`/${where}/2t`);
const kindOf = (name) => (where === "chrome" ? ",chrome" : name === FUSED ? ",rsimd" : "");
const own = OWN.flatMap((name) => [
  "--add",
  `${name}=${name}_peer.mjs,${name === TWO ? 2 : 1}${kindOf(name)}`,
]);
const out = join(build, `results_${where}.json`);
// Peers in WebAssembly or JavaScript, as this engine is: of one thread, and of two beside two of ours.
const listed = execFileSync(process.execPath, ["run_peers.mjs", "--list"], { cwd: build });
const peers = String(listed)
  .split("\n")
  .filter((name) => name.endsWith(`/${where}`) || (OWN.includes(TWO) && isOfTwo(name)));
execFileSync(
  process.execPath,
  // biome-ignore format: an option and its value are a pair
  ["run_peers.mjs", ...own, "--peers", [...OWN, ...peers].join(","), "--out", out,
    "--rounds", String(effort.rounds), "--ms", String(effort.ms), ...(cases ? ["--cases", cases] : [])],
  { cwd: build, stdio: ["ignore", "ignore", process.env.BENCH_DEBUG ? "inherit" : "ignore"] },
);

const { results, meta } = JSON.parse(readFileSync(out, "utf8"));
for (const [name, { error }] of Object.entries(meta)) if (error) console.log(`  ${name}: ${error}`);
const columns = [16, 11, 11, 19, 7, 11, 7, 11, 9, 11, 12, 19, 7];
const print = (...cells) =>
  console.log(cells.map((cell, i) => String(cell).padStart(columns[i])).join(""));
const least = (entries, key) =>
  entries.filter(([, x]) => x[key] > 0).sort(([, a], [, b]) => a[key] - b[key])[0];
const othersOf = (entries) => Object.entries(entries).filter(([peer]) => !OWN.includes(peer));
/** Times as they are compared: of the best round, for what else the machine does counts for nobody. */
const key = "minMs";
const agree = (a, b) =>
  a.every((x, i) => b[i] === undefined || Math.abs(x - b[i]) <= 2e-3 * (1 + Math.abs(x)));
print(
  ...[
    "case",
    "ours, ms",
    "best, ms",
    "best peer",
    "ratio",
    "fused, ms",
    "ratio",
    "limit, ms",
    "of limit",
  ],
  ...["first, ms", "best first", "of", "ratio"],
);
const behind = [];
const differs = [];
for (const [name, entries] of Object.entries(results)) {
  const here = entries[NAME];
  const limit = entries[LIMIT]?.[key];
  const others = othersOf(entries).filter(([peer]) => !isOfTwo(peer));
  const fused = entries[FUSED]?.[key];
  const best = least(others, key);
  const first = least(others, "firstMs");
  const ratio = (peer, of) => (here?.[of] && peer ? peer[1][of] / here[of] : null);
  const [speed, start] = [ratio(best, key), ratio(first, "firstMs")];
  if (speed !== null && speed < 1) behind.push(name);
  // Most of the others have to say the same: some peers compute something else.
  const samples = others.filter(([, { sample }]) => sample?.length > 0);
  const same = samples.filter(([, { sample }]) => agree(sample, here?.sample ?? []));
  if (here?.sample && samples.length > 0 && same.length === 0) differs.push(name);
  print(
    ...[name, here?.[key] ?? here?.error ?? "-", best?.[1][key] ?? "-", best?.[0] ?? "-"],
    ...[speed?.toFixed(2) ?? "-", fused ?? "-"],
    ...[fused && best ? (best[1][key] / fused).toFixed(2) : "-", limit ?? "-"],
    limit && here?.[key] ? `${Math.round((100 * limit) / here[key])} %` : "-",
    ...[here?.firstMs ?? "-", first?.[1].firstMs ?? "-", first?.[0] ?? "-"],
    start?.toFixed(2) ?? "-",
  );
}
console.log(`  ratio below 1: ${behind.join(", ") || "nowhere"}`);
if (differs.length > 0) console.log(`  other results than every peer's: ${differs.join(", ")}`);

/** Two threads of ours beside one, and beside two of the best peer. */
function printTwo() {
  const widths = [16, 11, 11, 7, 11, 19, 7];
  const line = (...cells) =>
    console.log(cells.map((cell, i) => String(cell).padStart(widths[i])).join(""));
  const LONG = 10;
  const WANTED = 1.8;
  const slow = [];
  const last = [];
  console.log("  two threads:");
  line("case", "one, ms", "two, ms", "times", "best, ms", "best peer", "ratio");
  for (const [name, entries] of Object.entries(results)) {
    const [one, two] = [entries[NAME]?.[key], entries[TWO]?.[key]];
    const best = least(
      othersOf(entries).filter(([peer]) => isOfTwo(peer)),
      key,
    );
    const ratio = best && two ? best[1][key] / two : null;
    if (one > LONG && two && one / two < WANTED) slow.push(name);
    if (ratio !== null && ratio < 1) last.push(name);
    line(
      ...[name, one ?? "-", two ?? entries[TWO]?.error ?? "-"],
      ...[one && two ? (one / two).toFixed(2) : "-", best?.[1][key] ?? "-", best?.[0] ?? "-"],
      ratio?.toFixed(2) ?? "-",
    );
  }
  console.log(`  above ${LONG} ms and below ${WANTED} times: ${slow.join(", ") || "nowhere"}`);
  console.log(`  ratio of two threads below 1: ${last.join(", ") || "nowhere"}`);
}
if (OWN.includes(TWO)) printTwo();
