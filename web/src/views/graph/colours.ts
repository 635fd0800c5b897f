/** What boxes are coloured by, a row each. A colour is never alone: the value is in the box. */
import type {
  GraphBox,
  InstructionBox,
  OpClassName,
  RunPlan,
  TextRange,
} from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { bytes, percent, seconds } from "../../ui/format";
import type { ColourId } from "./kinds";
import type { ShownGraph } from "./session";
import { graphWords as w } from "./words";

/** A colour of the style sheet: `tint-3`, `heat-2`; "" for none. */
export type Tint = string;

export interface Shade {
  tint: Tint;
  /** The value, in words. */
  note: string;
}
export interface LegendRow {
  tint: Tint;
  label: string;
}
/** A colouring of one picture. */
export interface Colouring {
  /** By index of the boxes. */
  shades: Shade[];
  legend: LegendRow[];
  /** What it assumes; "" where it is exact. */
  model: string;
}

const NONE: Shade = { tint: "", note: "" };
const TINTS = 8;
const HEATS = 5;

const CLASS_TINTS: Readonly<Record<OpClassName, Tint>> = {
  parameter: "tint-7",
  constant: "",
  elementwise: "tint-0",
  movement: "tint-2",
  product: "tint-1",
  reduction: "tint-4",
  fusion: "tint-5",
  control: "tint-6",
  communication: "tint-3",
  random: "heat-3",
  custom: "heat-1",
  tuple: "tint-8",
  other: "tint-9",
};

function byClass(boxes: readonly GraphBox[]): Colouring {
  const shades = boxes.map((box): Shade => {
    return box.kind === "instruction" ? { tint: CLASS_TINTS[box.opClass], note: "" } : NONE;
  });
  const there = new Set(boxes.flatMap((box) => (box.kind === "instruction" ? box.opClass : [])));
  const legend = Object.entries(w.classes).flatMap(([id, label]) =>
    there.has(id as OpClassName) ? [{ tint: CLASS_TINTS[id as OpClassName], label }] : [],
  );
  return { shades, legend, model: "" };
}

/** Numbers in five steps, each as many times larger than the one before. */
function byNumber(
  boxes: readonly GraphBox[],
  measure: (box: InstructionBox, i: number) => number | null,
  text: (value: number) => string,
  nothing: string,
): Colouring {
  const values = boxes.map((box, i) => (box.kind === "instruction" ? measure(box, i) : null));
  const known = values.filter((value): value is number => value !== null && value > 0);
  const most = Math.max(...known, 0);
  const least = Math.min(...known, most);
  const step = (value: number): number => {
    if (most <= least) return HEATS - 1;
    const share = Math.log(value / least) / Math.log(most / least);
    return Math.min(HEATS - 1, Math.floor(share * HEATS));
  };
  const shades = values.map((value, i): Shade => {
    if (value === null) return { tint: "", note: boxes[i]?.kind === "instruction" ? nothing : "" };
    return value > 0
      ? { tint: `heat-${step(value)}`, note: text(value) }
      : { tint: "", note: text(value) };
  });
  const legend =
    known.length === 0
      ? []
      : [...new Set(known.map(step))].sort().map((at) => {
          const highest = Math.max(...known.filter((value) => step(value) === at));
          return { tint: `heat-${at}`, label: w.upTo(text(highest)) };
        });
  return { shades, legend, model: "" };
}

function byPadding(boxes: readonly GraphBox[]): Colouring {
  const share = (box: InstructionBox): number => box.paddingBytes / Math.max(1, box.bytes);
  const step = (value: number): number => Math.min(HEATS - 1, Math.floor(value * HEATS));
  const shades = boxes.map((box): Shade => {
    if (box.kind !== "instruction") return NONE;
    if (box.paddingBytes < 0) return { tint: "", note: w.unknown };
    if (box.paddingBytes === 0) return { tint: "", note: w.noPadding };
    const note = `${bytes(box.paddingBytes)} (${percent(share(box))})`;
    return { tint: `heat-${step(share(box))}`, note };
  });
  const there = new Set(shades.map(({ tint }) => tint));
  const legend = Array.from({ length: HEATS }, (_, at) => ({
    tint: `heat-${at}`,
    label: w.padded(percent((at + 1) / HEATS)),
  })).filter(({ tint }) => there.has(tint));
  return { shades, legend: [{ tint: "", label: w.noPadding }, ...legend], model: "" };
}

/** Texts, the most frequent first; those beyond the colours have none. */
function byText(
  boxes: readonly GraphBox[],
  measure: (box: InstructionBox) => string,
  nothing: string,
): Colouring {
  const counts = new Map<string, number>();
  for (const box of boxes) {
    const value = box.kind === "instruction" ? measure(box) : "";
    if (value) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const order = [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
  const tintOf = (value: string): Tint => {
    const at = order.indexOf(value);
    return at >= 0 && at < TINTS ? `tint-${at}` : "";
  };
  const shades = boxes.map((box): Shade => {
    if (box.kind !== "instruction") return NONE;
    const value = measure(box);
    return { tint: tintOf(value), note: value || nothing };
  });
  const legend = order.slice(0, TINTS).map((label) => ({ tint: tintOf(label), label }));
  if (order.length > TINTS) legend.push({ tint: "", label: w.otherValues(order.length - TINTS) });
  return { shades, legend: [...legend, { tint: "", label: nothing }], model: "" };
}

function byPrecision(boxes: readonly GraphBox[]): Colouring {
  const tints = { narrowed: "heat-4", after: "heat-1", whole: "" };
  const shades = boxes.map(
    ({ precision }): Shade => ({ tint: tints[precision], note: w.precision[precision] }),
  );
  const there = new Set(boxes.map(({ precision }) => precision));
  const legend = (["narrowed", "after", "whole"] as const)
    .filter((each) => there.has(each))
    .map((each) => ({ tint: tints[each], label: w.precision[each] }));
  return { shades, legend, model: w.modelled };
}

/** The last part of a path with a line: what fits into a box. */
const tail = (path: string): string => path.replace(/^.*\//, "");

/**
 * Seconds of every box in which something ended that was timed; of a closed one also of all that it
 * runs, wherever that was called from.
 */
export function timesOf(boxes: readonly GraphBox[], plan: RunPlan): (number | null)[] {
  const isIn = (a: TextRange, b: TextRange): boolean => a[0] >= b[0] && a[1] <= b[1];
  const within = (box: InstructionBox): number | null => {
    let sum: number | null = null;
    for (const { range, seconds: time } of plan.steps) {
      const inside = !box.isOpen && box.runs.some((runs) => isIn(range, runs));
      if (inside || isIn(box.range, range)) sum = (sum ?? 0) + time;
    }
    return sum;
  };
  return boxes.map((box) => (box.kind === "instruction" ? within(box) : null));
}

/** The times of the last run, or why there are none. */
export function planOf(app: App, text: string): { plan: RunPlan } | { why: string } {
  const last = app.state.results.value;
  const plan = last?.compiled?.plan ?? last?.run.plan;
  if (!last || !plan) return { why: w.noTime.none };
  return last.text === text ? { plan } : { why: w.noTime.stale };
}

/** The colours of a picture. */
export function coloured(app: App, id: ColourId, { model, text }: ShownGraph): Colouring {
  const { boxes } = model;
  switch (id) {
    case "bytes":
      return byNumber(boxes, (box) => (box.bytes < 0 ? null : box.bytes), bytes, w.unknown);
    case "padding":
      return byPadding(boxes);
    case "devices":
      return byText(boxes, (box) => box.devices, w.noDevices);
    case "source":
      return byText(boxes, (box) => tail(box.source), w.noSource);
    case "precision":
      return byPrecision(boxes);
    case "time": {
      const found = planOf(app, text);
      if ("why" in found) return { shades: boxes.map(() => NONE), legend: [], model: found.why };
      const times = timesOf(boxes, found.plan);
      const colouring = byNumber(boxes, (_, i) => times[i] ?? null, seconds, w.untimed);
      return { ...colouring, model: w.timed };
    }
    default:
      return byClass(boxes);
  }
}
