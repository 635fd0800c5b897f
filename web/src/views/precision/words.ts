/** What the precision view says; what is said of it before it is loaded is in `strings.ts`. */
import type { PrecisionFinding } from "../../../../wasm/engine_api";
import { words } from "../../strings";
import type { Order, Reference } from "./session";

export const precisionWords = {
  reference: "Compare with",
  references: {
    f64: "This program in f64",
    f32: "This program in f32",
    other: "Another program",
  } satisfies Record<Reference, string>,
  referenceHint: {
    f64: "Every narrower float is read as f64",
    f32: "f16, bf16 and f8 are read as f32",
    other: "On the same inputs; instructions are matched as in Compare",
  } satisfies Record<Reference, string>,
  choose: "Choose a file…",
  keep: "Keep this version",
  keepHint: "Later versions of this program are compared with it as it is now",
  earlier: "earlier version",
  noOther: "no program chosen",
  run: "Compare runs",
  stop: "Stop",
  running: "Both programs run…",
  stopped: "Stopped.",
  chooseFirst: "Choose the other program, or keep this version and edit it.",
  stale: "Of the program as it was when both were run.",
  failed: "The comparison ends where a run has failed; what was executed before is below.",
  nothing: (n: number) =>
    `No value differs, of ${words.count(n, "instruction", "instructions")} that ran.`,
  rows: (n: number, of: number) =>
    `${words.count(n, "instruction differs", "instructions differ")}, of ${of} that ran`,
  cut: (n: number) => `The ${n} that introduce most are listed.`,
  notCompared: (n: number) =>
    `${words.count(n, "value has", "values have")} no counterpart in the other run.`,
  findings: {
    introduced: "Most error introduced by",
    differs: "First that differs",
    overflow: "First overflow",
    underflow: "First underflow",
    nan: "First NaN",
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
  differing: (n: number, of: number) => `${n} of ${of}`,
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
