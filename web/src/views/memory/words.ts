/** What the memory view says; what is said of it before it is loaded is in `strings.ts`. */
import { words } from "../../strings";

const reportTitles = {
  ranOut: "XLA ran out of memory",
  assignment: "Buffer assignment",
  usage: "Memory usage report",
};
export type ReportKind = keyof typeof reportTitles;

export const memoryWords = {
  reportTitle: (kind: ReportKind, space: string) =>
    `${reportTitles[kind]}${space ? ` (${space})` : ""}`,
  exceeded: (n: string) => `${n} too much`,
  ofPadding: (n: string) => `including ${n} of padding`,
  used: "used",
  capacity: "capacity",
  peak: (n: string) => `${n} at the peak`,
  peakAt: (name: string, at: string) => `at ${name}, position ${at}`,
  incomplete: "arrays of unknown size are left out",
  /** What lives at the peak. */
  parameters: "parameters",
  constants: "constants",
  outputs: "outputs",
  temporaries: "temporaries",
  assumes:
    "A model: one buffer per instruction, in the order of the text, freed after its last use; loops and updates of slices write in place. XLA's own schedule and fusions take less.",
  apart: "Every memory has a peak of its own.",
  timeline: (positions: string, peak: string, name: string) =>
    `Live bytes over ${positions} instructions; the peak of ${peak} is at ${name}`,
  picture: (count: string, peak: string) =>
    `Buffers over time: ${count} of them; the peak is ${peak}`,
  buffer: (name: string, shape: string, size: string, begin: number, end: number) =>
    `${name}  ${shape}  ${size}, live from ${begin} to ${end}`,
  legend: {
    parameter: "parameter",
    constant: "constant",
    output: "output",
    temporary: "temporary",
    padding: "padding",
    rest: "smaller buffers, added up",
    peak: (n: string) => `- - peak, ${n}`,
  },
  explained: (n: number, share: string) =>
    n === 1 ? `One buffer is ${share} of the peak:` : `${n} buffers are ${share} of the peak:`,
  savingsTitle: "What would lower the peak",
  saves: (n: string, share: string) => `−${n} (${share})`,
  savings: {
    donation: "donation",
    "in-place": "in place",
    schedule: "schedule",
    layout: "layout",
  },
  liveAt: (at: string, live: string) => `position ${at}: ${live}`,
  cursor: (memory: string) => `Position in the program, of ${memory}`,
  buffers: (n: number) => words.count(n, "buffer", "buffers"),
  scope: "Which",
  scopes: { peak: "live at the peak", at: "live at the cursor", all: "all" },
  at: (n: string) => `at position ${n},`,
  order: "Order",
  by: { size: "by size", padding: "by padding" },
  columns: (unit: string) => [
    `Size, ${unit}`,
    `Unpadded, ${unit}`,
    `Padding, ${unit}`,
    "Name",
    "Shape",
    "Why, and where",
  ],
  exactly: (n: number) => words.count(n, "byte", "bytes"),
  lives: (begin: number, end: number) => `live from ${begin} to ${end}`,
  noPadding: (n: number) => (n < 0 ? "?" : "none"),
  toLine: "Go to its line",
  goToLine: (name: string) => `${name}\nGo to its line`.trim(),
  unnamed: "(no name)",
  showLayout: (shape: string) => `${shape}\nShow its layout`,
};
