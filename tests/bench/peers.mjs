// This engine beside others: copies the benchmark of peers into build/peers, installs them there, and
// prints by case what this engine reaches, the best peer of the same run, the ratio, and what the machine allows.
//
// All engines take turns in rounds, and a round's time is the median of its calls. A time here is the median over the
// rounds; the best peer is the one whose time is the least. The ratio is how many times as long as this engine the best
// peer takes: the median of the ratios within each round, with half the range between their quartiles after the ±. Above
// 1 this engine is faster. A round is compared with the peer that is the best in all other rounds: the best in the same
// rounds is the luckiest of those that are equal, against which any engine seems slow. In return peers that differ by
// less than the noise count as one, which favours this engine by less than the spread.
// Cases that come out near 1 are measured again, with more rounds and without the peers that were clearly slower, and
// only these rounds count then: the case is marked with a *.
//
//   node tests/bench/peers.mjs FOLDER [node|chrome] [CASE,...]     BENCH=quick: fewer, shorter rounds
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundle } from "./bundle.mjs";
import { fastest, median, ratioOf, ratioText, ratioToBest } from "./ratios.mjs";

const [folder, where = "node", cases] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const build = join(root, "build/peers");
const NAME = "hlo";
const FUSED = "fused";
const LIMIT = "limit";
/** Two threads, where the page has them. */
const TWO = "two";
const OWN = [NAME, FUSED, LIMIT, ...(where === "chrome" ? [TWO] : [])];
const isQuick = process.env.BENCH === "quick";
const effort = isQuick ? { rounds: 2, ms: 15 } : { rounds: 3, ms: 30 };
/** Of the cases whose ratio is between these, and of peers of which the time is at most so many times the best one's. */
const CLOSE = { from: 0.6, to: 1.3, peers: 1.3, rounds: 9, ms: 40 };

const { CASES } = await import(pathToFileURL(resolve(folder, "lib/cases.mjs")).href);
const unknown = (cases?.split(",") ?? []).filter((name) => !Object.hasOwn(CASES, name));
if (unknown.length > 0) {
  const known = Object.keys(CASES).join(", ");
  console.error(`There is no case ${unknown.join(", ")}. There are: ${known}`);
  process.exit(1);
}

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
// It keeps the median over the rounds alone, but ratios are those within a round.
const runner = readFileSync(join(build, "run_peers.mjs"), "utf8");
writeFileSync(join(build, "run_peers.mjs"), runner.replace("delete x.r;", ""));
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
/** Measures cases (all if undefined) in these engines: { results, meta }. */
function run(names, cases, { rounds, ms }) {
  execFileSync(
    process.execPath,
    // biome-ignore format: an option and its value are a pair
    ["run_peers.mjs", ...own, "--peers", names.join(","), "--out", out,
      "--rounds", String(rounds), "--ms", String(ms), ...(cases ? ["--cases", cases] : [])],
    { cwd: build, stdio: ["ignore", "ignore", process.env.BENCH_DEBUG ? "inherit" : "ignore"] },
  );
  return JSON.parse(readFileSync(out, "utf8"));
}

const othersOf = (entries) => Object.entries(entries).filter(([peer]) => !OWN.includes(peer));
/** Peers of one thread. */
const singleOf = (entries) => othersOf(entries).filter(([peer]) => !isOfTwo(peer));
const timeOf = (entry) => (entry?.r?.length > 0 ? median(entry.r) : undefined);

const { results, meta } = run([...OWN, ...peers], cases, effort);
for (const [name, { error }] of Object.entries(meta)) if (error) console.log(`  ${name}: ${error}`);
if (!Object.values(results).some((entries) => Object.values(entries).some(({ r }) => r))) {
  throw new Error("run_peers.mjs says nothing about its rounds");
}

/** Cases that came out near 1, by the engines to measure again: what measures the same is started once. */
function closeCases() {
  const groups = new Map();
  for (const [name, entries] of Object.entries(results)) {
    const best = fastest(singleOf(entries))?.[1];
    const ratio = ratioToBest(singleOf(entries), entries[NAME]?.r)?.middle;
    if (!(ratio > CLOSE.from && ratio < CLOSE.to)) continue;
    const near = singleOf(entries).filter(([, x]) => timeOf(x) < CLOSE.peers * timeOf(best));
    const names = [NAME, FUSED, LIMIT, ...near.map(([peer]) => peer)].join(",");
    groups.set(names, [...(groups.get(names) ?? []), name]);
  }
  return groups;
}

/** The results of the cases that were measured again, by name. */
const again = {};
for (const [names, close] of isQuick ? [] : closeCases()) {
  Object.assign(again, run(names.split(","), close.join(","), CLOSE).results);
}
const columns = [16, 11, 11, 19, 11, 11, 11, 11, 9, 11, 12, 19, 7];
const print = (...cells) =>
  console.log(cells.map((cell, i) => String(cell).padStart(columns[i])).join(""));
const least = (entries, key) =>
  entries.filter(([, x]) => x[key] > 0).sort(([, a], [, b]) => a[key] - b[key])[0];
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
const digits = (ms) => (ms === undefined ? "-" : String(Number(ms.toFixed(4))));
const behind = [];
const differs = [];
for (const [name, entries] of Object.entries(results)) {
  const measured = again[name] ?? entries;
  const [here, fused, limit] = [NAME, FUSED, LIMIT].map((each) => measured[each]);
  const best = fastest(singleOf(measured));
  const speed = ratioToBest(singleOf(measured), here?.r);
  if (speed?.middle < 1) behind.push(`${name} ${ratioText(speed)}`);
  const others = singleOf(entries);
  const first = least(others, "firstMs");
  const start = first && entries[NAME]?.firstMs ? first[1].firstMs / entries[NAME].firstMs : null;
  // Most of the others have to say the same: some peers compute something else.
  const samples = others.filter(([, { sample }]) => sample?.length > 0);
  const same = samples.filter(([, { sample }]) => agree(sample, here?.sample ?? []));
  if (here?.sample && samples.length > 0 && same.length === 0) differs.push(name);
  const [ms, limitMs] = [timeOf(here), timeOf(limit)];
  print(
    ...[name in again ? `${name} *` : name, here?.error ?? digits(ms), digits(timeOf(best?.[1]))],
    ...[best?.[0] ?? "-", ratioText(speed), digits(timeOf(fused))],
    ...[ratioText(ratioToBest(singleOf(measured), fused?.r)), digits(limitMs)],
    limitMs && ms ? `${Math.round((100 * limitMs) / ms)} %` : "-",
    ...[entries[NAME]?.firstMs ?? "-", first?.[1].firstMs ?? "-", first?.[0] ?? "-"],
    start?.toFixed(2) ?? "-",
  );
}
console.log(`  ratio below 1: ${behind.join(", ") || "nowhere"}`);
console.log(
  `  *: near 1, measured again in ${CLOSE.rounds} rounds; ± half the range between the quartiles`,
);
if (differs.length > 0) console.log(`  other results than every peer's: ${differs.join(", ")}`);

/** Two threads of ours beside one, and beside two of the best peer. */
function printTwo() {
  const widths = [16, 11, 11, 11, 11, 19, 11];
  const line = (...cells) =>
    console.log(cells.map((cell, i) => String(cell).padStart(widths[i])).join(""));
  const LONG = 10;
  const WANTED = 1.8;
  const slow = [];
  const last = [];
  console.log("  two threads:");
  line("case", "one, ms", "two, ms", "times", "best, ms", "best peer", "ratio");
  for (const [name, entries] of Object.entries(results)) {
    const [one, two] = [entries[NAME], entries[TWO]];
    const others = othersOf(entries).filter(([peer]) => isOfTwo(peer));
    const best = fastest(others);
    const gain = ratioOf(one?.r, two?.r);
    const ratio = ratioToBest(others, two?.r);
    if (timeOf(one) > LONG && gain?.middle < WANTED) slow.push(name);
    if (ratio?.middle < 1) last.push(name);
    line(
      ...[name, digits(timeOf(one)), two?.error ?? digits(timeOf(two)), ratioText(gain)],
      ...[digits(timeOf(best?.[1])), best?.[0] ?? "-", ratioText(ratio)],
    );
  }
  console.log(`  above ${LONG} ms and below ${WANTED} times: ${slow.join(", ") || "nowhere"}`);
  console.log(`  ratio of two threads below 1: ${last.join(", ") || "nowhere"}`);
}
if (OWN.includes(TWO)) printTwo();
