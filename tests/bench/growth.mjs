// How the cost of everything that the page asks of the engine grows with the program and with its arrays: exponents
// of time, by least squares in the upper half of the sizes. Time of the process, not of the clock.
//
//   node tests/bench/growth.mjs [FORM,...|arrays]     BENCH=quick: up to 10,000 instructions; LONG=1: programs may take an hour
//
// One form of programs goes to a million instructions, the others to 10,000; arrays go to 1 GB. What a call takes for
// the next size is estimated from the last ones: a call for which there is no time is left out there, and named.
import process from "node:process";
import { createEngine } from "../../build/npm/index.js";
import { growArrays } from "./growth_arrays.mjs";
import { affordable } from "./growth_budget.mjs";
import { calls, needs, openProgram, timeOf, timesOf } from "./growth_calls.mjs";
import { printLegend, printRows } from "./growth_rows.mjs";
import { forms } from "./programs.mjs";

const isQuick = process.env.BENCH === "quick";
const isLong = Boolean(process.env.LONG);
const SMALL = isQuick ? [300, 1_000, 3_000, 10_000] : [100, 1_000, 10_000];
const LARGE = [100_000, 1_000_000];
/** The form that goes to a million. */
const LONGEST = "chain";
/** Up to so many instructions a call is timed more than once. */
const OFTEN = 1_000;
/** In ms: what all forms may take together, and a call, and how much of it the other forms have. */
const ALL = isLong ? 3.6e6 : 75_000;
const MOST = isLong ? 6e5 : 6_000;
const OTHERS = 0.25;

const start = performance.now();
const sizeText = (size) => size.toLocaleString("en-US");

/**
 * Measures the calls about one program, in the order in which they are listed: some keep what later ones need. What
 * fails, as for want of memory, is left out.
 */
function measure(engine, form, size, names, note, fail) {
  const about = openProgram(engine, form, size);
  for (const name of Object.keys(calls).filter(
    (each) => each === "check" || names.includes(each),
  )) {
    try {
      note(name, timeOf(engine, name, about));
    } catch (error) {
      fail(name, error.message);
    }
  }
}

/** Every call, for programs of one form, until `end`. */
async function growProgram(form, sizes, end) {
  let engine = await createEngine();
  // The compiler of the machine that runs the engine is done with it after these.
  for (let i = 0; i < 3; ++i) timesOf(engine, form, 300);
  const rows = new Map(Object.keys(calls).map((name) => [name, []]));
  const left = new Map(Object.keys(calls).map((name) => [name, []]));
  const note = (size) => (name, ms) => rows.get(name).push([size, Math.max(ms, 1e-3)]);
  const fail = (size) => (name, why) => left.get(name).push([size, why]);
  for (const size of sizes) {
    if (size <= OFTEN) {
      const times = timesOf(engine, form, size, undefined, 3);
      for (const [name, ms] of Object.entries(times)) note(size)(name, ms);
      continue;
    }
    const limits = { most: MOST, budget: end - performance.now() };
    // Reading comes first, whatever it takes.
    const { taken, left: costly } = affordable(rows, size, limits);
    for (const [name, why] of costly) if (name !== "check") fail(size)(name, why);
    for (const [name, before] of Object.entries(needs)) {
      if (taken.includes(before) || !taken.includes(name)) continue;
      taken.splice(taken.indexOf(name), 1);
      fail(size)(name, `goes with "${before}"`);
    }
    // Memory that an engine had for a smaller program is in pieces.
    if (size >= LARGE[0]) engine = await createEngine();
    measure(engine, form, size, taken, note(size), fail(size));
    engine.close(1);
  }
  printRows(`growth of programs, ${form}: exponent of time over instructions`, rows, left, {
    sizeText,
  });
}

const asked = process.argv[2]?.split(",") ?? [
  ...(isQuick ? ["layers"] : Object.keys(forms)),
  "arrays",
];
const programs = asked.filter((name) => name in forms);
const others = programs.filter((form) => form !== LONGEST);
for (const [i, form] of others.entries()) {
  await growProgram(form, SMALL, start + (ALL * OTHERS * (i + 1)) / others.length);
}
if (programs.includes(LONGEST))
  await growProgram(LONGEST, [...SMALL, ...(isQuick ? [] : LARGE)], start + ALL);
if (asked.includes("arrays")) await growArrays(isQuick ? { most: 2 ** 20, seconds: 20 } : {});
printLegend();
