// Runs the test suites, two at a time where there are two cores, adds up what they report, and ends
// with one line: "N passed, N failed". `node tests/run.mjs [suite...]` runs the named ones only.
// With LONG=1 in the environment there are 10,000 generated programs instead of 300; with SLOWEST=N the
// N longest tests of each suite that says how long its tests take are listed under it.
// Lines come in the order of the table, whichever suite ends first.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import process from "node:process";

const node = (file, ...args) => [process.execPath, "--no-experimental-fetch", file, ...args];
// Where each piece of memory came from is left out, which saves a sixth of the time: to see it in a
// report, run the program without this.
const asan = {
  ASAN_OPTIONS: "detect_leaks=1:allocator_may_return_null=1:malloc_context_size=1",
  UBSAN_OPTIONS: "print_stacktrace=1",
};
// Code is made for every program, however short (wasm/region_installer.cc).
const codeAtOnce = { HLO_CODE_AFTER: "1" };
const slowest = Number(process.env.SLOWEST ?? 0);
const generated = process.env.LONG === "1" ? { HLO_GENERATED_PROGRAMS: "10000" } : {};

// How each runner reports its counts.
const doctest = /\[doctest\] test cases:\s+\d+ \|\s+(\d+) passed \|\s+(\d+) failed/;
const plain = /^(\d+) passed, (\d+) failed/m;
const nodeTest = /# pass (\d+)[\s\S]*# fail (\d+)/;

// Long suites start first, so that the short ones fill the other slot.
const suites = [
  {
    id: "native",
    title: "unit tests",
    command: ["build/native/unit"],
    counts: doctest,
    env: generated,
  },
  {
    id: "native",
    title: "golden files",
    command: ["build/native/golden", "tests/data"],
    counts: plain,
  },
  {
    id: "native",
    title: "command line",
    command: node("--test", "--test-reporter=tap", "tests/cli/"),
    counts: nodeTest,
  },
  {
    id: "native",
    title: "format",
    command: ["make", "--silent", "format-check"],
    counts: null,
  },
  {
    id: "asan",
    title: "unit tests, sanitizers",
    command: ["build/asan/unit"],
    counts: doctest,
    env: asan,
    long: true,
  },
  {
    id: "asan",
    title: "golden files, sanitizers",
    command: ["build/asan/golden", "tests/data"],
    counts: plain,
    env: asan,
  },
  { id: "wasm", title: "unit tests, Wasm", command: node("build/wasm/unit.js"), counts: doctest },
  {
    id: "wasm",
    title: "golden files, Wasm",
    command: node("build/wasm/golden.js", "tests/data"),
    counts: plain,
  },
  {
    id: "wasm",
    title: "golden files, generated code",
    command: node("build/wasm/golden.js", "tests/data"),
    counts: plain,
    env: codeAtOnce,
  },
  {
    id: "wasm",
    title: "programs, generated code",
    command: node(
      "build/wasm/unit.js",
      "-tc=*region*,generated programs*,scan*,map*,flows*,*along rows*,rows *",
    ),
    counts: doctest,
    env: { ...codeAtOnce, ...generated },
  },
  {
    id: "wasm",
    title: "JavaScript API",
    command: ["npm", "run", "--silent", "test:wasm"],
    counts: "vitest",
  },
  { id: "web", title: "types", command: ["npm", "run", "--silent", "typecheck"], counts: null },
  { id: "web", title: "lint", command: ["npm", "run", "--silent", "lint"], counts: null },
  {
    id: "web",
    title: "page units",
    command: ["npm", "run", "--silent", "test:web"],
    counts: "vitest",
  },
  {
    id: "browser",
    title: "page in Chromium",
    command: ["npm", "run", "--silent", "test:browser"],
    counts: "playwright",
    long: true,
  },
];

function run(command, env) {
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk) => {
        text += chunk;
      });
    }
    child.on("error", (error) => resolve({ code: 127, text: String(error) }));
    child.on("close", (code, signal) => resolve({ code: signal ? 128 : code, text }));
  });
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal colours are control characters
const withoutColours = (text) => text.replace(/\u001b\[[0-9;]*m/g, "");
const sum = (text, pattern) => [...text.matchAll(pattern)].reduce((n, m) => n + Number(m[1]), 0);

/** [passed, failed], or null when the runner reported no count. */
function count(kind, text) {
  if (kind === null) return [1, 0];
  if (kind === "vitest") {
    const line = text.split("\n").find((l) => /^\s*Tests\s/.test(l));
    return line ? [sum(line, /(\d+) passed/g), sum(line, /(\d+) failed/g)] : null;
  }
  if (kind === "playwright") {
    const passed = /^\s*\d+ passed/m.test(text);
    return passed || /^\s*\d+ failed/m.test(text)
      ? [
          sum(text, /^\s*(\d+) passed/gm),
          sum(text, /^\s*(\d+) (?:failed|flaky|interrupted|did not run)/gm),
        ]
      : null;
  }
  const match = kind.exec(text);
  return match ? [Number(match[1]), Number(match[2])] : null;
}

/** The longest tests, a line each, of a runner that says how long each takes: doctest with `-d`, Playwright. */
function longest(text) {
  const tests = [...text.matchAll(/^([\d.]+) s: (.*)$|^\s*[✓✘].*? › (.*) \(([\d.]+)(ms|s|m)\)$/gm)];
  const units = { ms: 0.001, s: 1, m: 60 };
  return tests
    .map(([, seconds, name, story, time, unit]) => [
      seconds === undefined ? Number(time) * units[unit] : Number(seconds),
      name ?? story,
    ])
    .sort(([a], [b]) => b - a)
    .slice(0, slowest)
    .map(([seconds, name]) => `\n${seconds.toFixed(1).padStart(14)} s  ${name}`)
    .join("");
}

/** A runner's output without the lines about passed tests. */
const failuresOf = (text) =>
  text
    .split("\n")
    .filter((line) => !/^\s*(✓|ok\b|#)/.test(line))
    .join("\n");

/** Runs a suite: what it counted, and the lines that say so. */
async function judge(suite) {
  const start = Date.now();
  const timed = slowest > 0 && suite.counts === doctest ? ["-d=1"] : [];
  const result = await run([...suite.command, ...timed], suite.env);
  const text = withoutColours(result.text);
  let [good, bad] = count(suite.counts, text) ?? [0, 0];
  // A runner that fails without counting a failure (a crash, no tests at all) counts as one.
  if (result.code !== 0 && bad === 0) {
    if (suite.counts === null) good = 0;
    bad = 1;
  } else if (good + bad === 0) {
    bad = 1;
  }
  const seconds = ((Date.now() - start) / 1000).toFixed(1);
  const title = `${suite.id.padEnd(8)} ${suite.title.padEnd(28)}`;
  const line = `${bad ? "FAIL" : "ok  "} ${title} ${good} good, ${bad} bad (${seconds} s)`;
  return { good, bad, lines: (bad ? `${line}\n${failuresOf(text)}` : line) + longest(text) };
}

const wanted = process.argv.slice(2);
const chosen = suites.filter((suite) => wanted.length === 0 || wanted.includes(suite.id));
const waiting = [...chosen.filter((suite) => suite.long), ...chosen.filter((suite) => !suite.long)];
const verdicts = new Map();
let printed = 0;
async function lane() {
  for (let suite = waiting.shift(); suite; suite = waiting.shift()) {
    verdicts.set(suite, await judge(suite));
    for (; verdicts.has(chosen[printed]); ++printed) {
      console.log(verdicts.get(chosen[printed]).lines);
    }
  }
}
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));
const total = (what) => [...verdicts.values()].reduce((n, verdict) => n + verdict[what], 0);
console.log(`${total("good")} passed, ${total("bad")} failed`);
process.exit(total("bad") || chosen.length === 0 ? 1 : 0);
