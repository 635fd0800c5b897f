// This engine beside others: copies the benchmark of peers into build/peers, installs them there, and
// prints by case what this engine reaches, the best peer of the same run, and the ratio.
//
//   node tests/bench/peers.mjs FOLDER [node|chrome] [CASE,...]
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const [folder, where = "node", cases] = process.argv.slice(2);
const root = fileURLToPath(new URL("../..", import.meta.url));
const build = join(root, "build/peers");
const NAME = "hlo";

for (const part of ["lib", "run_peers.mjs", "package.json"]) {
  cpSync(join(folder, part), join(build, part), { recursive: true });
}
rmSync(join(build, "hlo"), { recursive: true, force: true });
cpSync(join(root, "build/npm"), join(build, "hlo"), { recursive: true });
cpSync(join(root, "tests/bench/peer.mjs"), join(build, "hlo_peer.mjs"));
if (!existsSync(join(build, "node_modules"))) {
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: build,
    stdio: "inherit",
  });
}
const own = `${NAME}=hlo_peer.mjs,1${where === "chrome" ? ",chrome" : ""}`;
const out = join(build, "results.json");
// Peers of one thread, in WebAssembly or JavaScript, as this engine is.
const listed = execFileSync(process.execPath, ["run_peers.mjs", "--list"], { cwd: build });
const peers = String(listed)
  .split("\n")
  .filter((name) => name.endsWith(`/${where}`));
execFileSync(
  process.execPath,
  // biome-ignore format: an option and its value are a pair
  ["run_peers.mjs", "--add", own, "--peers", [NAME, ...peers].join(","), "--out", out,
    ...(cases ? ["--cases", cases] : [])],
  { cwd: build, stdio: ["ignore", "ignore", "inherit"] },
);

const { results } = JSON.parse(readFileSync(out, "utf8"));
const columns = [16, 12, 12, 20, 8, 14, 14, 8];
const print = (...cells) =>
  console.log(cells.map((cell, i) => String(cell).padStart(columns[i])).join(""));
const least = (entries, key) =>
  entries.filter(([, x]) => x[key] > 0).sort(([, a], [, b]) => a[key] - b[key])[0];
print("case", "here, ms", "best, ms", "best peer", "ratio", "first, ms", "best first", "ratio");
for (const [name, entries] of Object.entries(results)) {
  const here = entries[NAME];
  const others = Object.entries(entries).filter(([peer]) => peer !== NAME);
  const best = least(others, "ms");
  const first = least(others, "firstMs");
  const ratio = (peer, key) => (here?.[key] && peer ? (peer[1][key] / here[key]).toFixed(2) : "-");
  print(
    name,
    here?.ms ?? here?.error ?? "-",
    best?.[1].ms ?? "-",
    best?.[0] ?? "-",
    ratio(best, "ms"),
    here?.firstMs ?? "-",
    first?.[1].firstMs ?? "-",
    ratio(first, "firstMs"),
  );
}
