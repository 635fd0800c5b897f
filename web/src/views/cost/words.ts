/** What the cost view says; what is said of it before it is loaded is in `strings.ts`. */
import { words } from "../../strings";

export const costWords = {
  machine: "Machine",
  here: "This browser (measured)",
  typed: "Typed figures",
  measuring: "This browser is being measured.",
  from: {
    datasheet: "datasheet",
    assumed: "assumed",
    measured: "measured",
    typed: "typed",
  },
  figures: {
    peak64: "64-bit, TFLOP/s",
    peak32: "32-bit, TFLOP/s",
    peak16: "16-bit, TFLOP/s",
    peak8: "8-bit, TFLOP/s",
    bandwidth: "Memory, GB/s",
  },
  totals: {
    time: "at least (modelled)",
    flops: "FLOPs",
    transcendentals: "transcendentals",
    read: "read",
    written: "written",
    padding: "padding",
    intensity: "operations per byte",
  },
  unknownCalls: (n: number) =>
    n === 1
      ? "1 custom call is not known and counts as nothing."
      : `${n} custom calls are not known and count as nothing.`,
  unknownLoops: (n: number) =>
    n === 1
      ? "1 loop whose trip count is not known counts one iteration."
      : `${n} loops whose trip counts are not known count one iteration.`,
  assumes:
    "A model, not a measurement: each instruction takes as long as its operations at the machine's peak, or its bytes with padding at its bandwidth, whichever is longer. Instructions follow one another, a transcendental is one operation, and starting an instruction or talking to other devices takes no time; nor does, on a TPU, what is in its vector memory, S(1).",
  columns: {
    name: "Instruction",
    time: "Time",
    flops: "FLOPs",
    transcendentals: "Transc.",
    read: "Read",
    written: "Written",
    padding: "Padding",
    intensity: "op/B",
    times: "Runs",
  },
  boundColumn: "Bound",
  bound: { none: "none", compute: "compute", memory: "memory", parts: "parts" },
  partsHelp:
    "What it runs has rows of its own, whose time is in this one too: shares of both add up to more than 100 %.",
  rows: (n: number) => words.count(n, "executed instruction", "executed instructions"),
  table: "Costs, of all executions",
  sortBy: (name: string) => `Sort by ${name}`,
  roofline: "Roofline",
  plot: (n: number) =>
    `Operations per second over operations per byte, of the ${n} instructions that take longest`,
  axisX: "operations per byte",
  axisY: "op/s",
  point: (name: string, intensity: string, rate: string, bound: string) =>
    `${name}: ${intensity} op/B, ${rate} by the model, bound by ${bound}`,
  once: "Details",
  formula: { work: "Operations", traffic: "Bytes", source: "Rule of" },
  inside: "It runs inside of another instruction: its own cost, once.",
  saved: (n: number) => words.count(n, "possible saving", "possible savings"),
  noSavings:
    "No cheap instruction that could be computed by its users instead, and no padding that another layout would save.",
  saves: (bytes: string, time: string) => `${bytes}, ${time}`,
  kinds: { fuse: "fuse", layout: "layout" },
  loading: "…",
};
