/** What the precision view says; what is said of it before it is loaded is in `strings.ts`. */
import type { PrecisionFinding } from "../../../../wasm/engine_api";
import { words } from "../../strings";
import type { Order, Reference } from "./session";

export const precisionWords = {
  reference: "Compare with",
  references: {
    f64: "This program in f64",
    f32: "This program in f32",
    f32sums: "This program in f32, sums in f64",
    sums: "This program with sums in f64",
    inputs: "This program, run otherwise",
    other: "Another program",
    expected: "Expected results",
  } satisfies Record<Reference, string>,
  referenceHint: {
    f64: "Every narrower float is read as f64.",
    f32: "f16, bf16 and f8 are read as f32; f32 stays f32.",
    f32sums:
      "f16, bf16 and f8 are read as f32. Products, convolutions and reductions add up in f64 and round once, so that what is left is the error of storing values, and of nothing that is summed.",
    sums: "Every float keeps its type, but products, convolutions and reductions add up in f64 and round once: the difference is what adding up in narrow floats costs.",
    inputs:
      "The second run is of the same program, with another seed, other inputs, or other products and sums.",
    other:
      "A program in HLO or StableHLO, on the same inputs; instructions are matched by what they compute, as in Compare.",
    expected:
      "A literal, an expression or an .npy file for each result. Floats may be of a wider type than the result.",
  } satisfies Record<Reference, string>,
  choose: "Choose a file…",
  keep: "Keep this version",
  keepHint: "Later versions of this program are compared with it as it is now",
  earlier: "earlier version",
  noOther: "no program chosen",
  run: "Compare runs",
  compareNow: "Run and compare",
  stop: "Stop",
  running: "Both programs run…",
  stopped: "Stopped.",
  changeFirst: "Give the second run another seed, another precision, or another input.",
  expectFirst: "Say what the result should be, or choose or drop an .npy file.",
  elementFirst: "An element of a tuple is written as a number, or 1.0 for the first of its second.",
  secondRun: "Other seed, precision or inputs for its run",
  seed: "Seed",
  same: (what: string) => `same: ${what}`,
  random: "random",
  resultIs: "The result is",
  elementOf: "Element",
  wholeResult: "all",
  expectedValue: "Expected",
  expectedExample: "{1, 2.5, nan} or exp(i0) or f64[2] {1, 2}",
  npy: ".npy…",
  chooseNpy: "Choose an .npy file with the expected result",
  npyHint: "An .npy file with the expected result; it can be dropped here too",
  removeFile: (name: string) => `Remove ${name}`,
  removeExpected: "Remove",
  addExpected: "Add another element",
  result: "Result",
  results: "Results",
  relativeColumn: "Relative",
  onDevice: (device: number) => ` on device ${device}`,
  arrayError: (differing: string, ulp: string, relative: string) =>
    `${differing} elements differ, by at most ${ulp} ulp, relative ${relative}`,
  exact: (n: number, of: number) =>
    `In ${n} of ${words.count(of, "array", "arrays")} of the result no element differs.`,
  worstOf: (name: string) => `Worst elements: ${name}`,
  at: "At",
  value: "Value",
  expectedColumn: "Expected",
  growth: "Error along the run",
  growthAbout: (n: number, joined: boolean) =>
    `The error (RMS, relative) of each of ${words.count(n, "value", "values")} in the order of execution, logarithmic. ${joined ? "A bar stands for several values: the largest error of them. " : ""}Shaded: in a loop, by iteration where there is room. Click a bar for its instruction.`,
  growthSlider: "Value along the run; Enter goes to its instruction",
  growthPoint: (name: string, iterations: readonly number[], error: string) =>
    `${name}${iterations.length > 0 ? `, iteration ${iterations.join(".")}` : ""}: error ${error}`,
  iteration: (iterations: readonly number[]) => `, iteration ${iterations.join(".")}`,
  executed: (at: string, of: string) => `value ${at} of ${of}`,
  pointError: (norm: string, ulp: string, introduced: string) =>
    `error ${norm}, at most ${ulp} ulp, introduced ${introduced}`,
  chooseFirst: "Choose the other program, or keep this version and edit it.",
  stale: "Of the program as it was when both were run.",
  outdated: (what: string) =>
    `From an earlier comparison with “${what}”: what is compared, or how it is run, has changed since.`,
  failed: "The comparison ends where a run has failed; what was executed before is below.",
  nothing: (n: number) =>
    `No value differs, of ${words.count(n, "instruction", "instructions")} that ran.`,
  rows: (n: number, of: number) =>
    `${words.count(n, "instruction differs", "instructions differ")}, of ${of.toLocaleString("en-US")} that ran`,
  cut: (n: number) => `The ${n} that introduce most are listed.`,
  notCompared: (n: number) =>
    `${words.count(n, "value has", "values have")} no counterpart in the other run, or too late a one.`,
  findings: {
    introduced: "Most error introduced by",
    differs: "First that differs",
    overflow: "First overflow",
    underflow: "First underflow",
    nan: "First NaN",
    parted: "Control flow parts at",
    times: "Executed a different number of times",
  } satisfies Record<PrecisionFinding["kind"], string>,
  line: (n: number) => `line ${n}`,
  columns: {
    order: "Instruction",
    introduced: "Introduced",
    error: "Error",
    ulp: "Max ulp",
    relative: "Max relative",
    grows: "Growth",
    times: "Runs",
  } satisfies Record<Order, string>,
  columnHints: {
    order: "In the order of execution",
    introduced:
      "The error of the value beyond that of its operands. Bars are logarithmic, from 1e-9 to 1",
    error: "Root mean square of the errors, relative to that of the values",
    ulp: "The largest error in units in the last place; a correctly rounded result has at most 0.5",
    relative: "The largest error of one element, relative to it",
    grows: "The error of the value relative to that of its operands",
    times: "Executions that were compared; figures are of the worst one",
  } satisfies Record<Order, string>,
  worst: "Worst element",
  table: "Sort by",
  sortBy: (name: string) => `Sort by ${name}`,
  details: "Details",
  element: (at: string, value: string, expected: string) => `${at}: ${value}, expected ${expected}`,
  differing: (n: number | string, of: number | string) => `${n} of ${of}`,
  facts: {
    worst: "Worst element",
    differing: "Elements that differ",
    error: "Error (RMS, relative)",
    introduced: "Introduced",
    grows: "Growth",
    ulp: "Max ulp",
    relative: "Max relative",
    absolute: "Max absolute",
    overflows: "Overflows",
    underflows: "Underflows",
    nans: "NaNs",
  },
  shapeDiffers: "The shapes differ: elements are not compared.",
  cancelled: (a: string, b: string) =>
    `Cancellation: ${a} and ${b} nearly cancel, so what remains is mostly their error.`,
  histogram: "Elements by error, in ulp",
  bucket: (label: string, n: number) => `${label}: ${n}`,
  series: (n: number) => `Error over ${n} executions`,
  about:
    "Roundings to narrower types do not take place in the wider program; what looks at bits works on the narrow types.",
};
