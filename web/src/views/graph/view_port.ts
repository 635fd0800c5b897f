/** The part of a picture that is on the screen. Pure. */
import type { Rect } from "../../graph/placing";

/** What of the graph is at the top left of the screen, and how large. */
export interface ViewPort {
  x: number;
  y: number;
  scale: number;
}
export interface Size {
  width: number;
  height: number;
}

export const LEAST_SCALE = 0.02;
export const MOST_SCALE = 3;
/** Smaller, letters cannot be read; but one word per box can, as large as the box, down to the other. */
export const LETTERS_SCALE = 0.42;
const WORD_SCALE = 0.1;

/** What is written in boxes at a scale. */
export type Letters = "all" | "word" | "none";
export function lettersAt(scale: number): Letters {
  if (scale >= LETTERS_SCALE) return "all";
  return scale >= WORD_SCALE ? "word" : "none";
}
/** At this scale they are read with ease. */
const READ_SCALE = 0.58;
/** What is the beginning of more begins a little larger, below the buttons of the picture. */
const BEGIN_SCALE = 0.7;
const BUTTONS = 48;
const FIT_MARGIN = 20;

/** By which what is drawn changes, in pixels of the screen. */
const STEP = 160;

const clamp = (n: number, low: number, high: number): number => Math.max(low, Math.min(high, n));

/** All of it in the middle, no larger than it is. */
export function fitted(graph: Size, screen: Size): ViewPort {
  const scale = clamp(
    Math.min(
      (screen.width - 2 * FIT_MARGIN) / Math.max(1, graph.width),
      (screen.height - 2 * FIT_MARGIN) / Math.max(1, graph.height),
    ),
    LEAST_SCALE,
    1,
  );
  return {
    scale,
    x: graph.width / 2 - screen.width / scale / 2,
    y: graph.height / 2 - screen.height / scale / 2,
  };
}

/**
 * What a picture opens with: all of it if that can be read, else as much of its beginning as can: where
 * the most boxes are.
 */
export function opening(graph: Size & { boxes: readonly Rect[] }, screen: Size): ViewPort {
  const all = fitted(graph, screen);
  if (all.scale >= READ_SCALE) return all;
  const scale = BEGIN_SCALE;
  const [width, height] = [screen.width / scale, screen.height / scale];
  const y = Math.min(...graph.boxes.map((box) => box.y)) - BUTTONS / scale;
  const begin = graph.boxes.filter(
    (box) => box.y + box.height <= y + height && box.width <= width - FIT_MARGIN,
  );
  const lefts = begin.map((box) => box.x).sort((one, other) => one - other);
  const rights = begin.map((box) => box.x + box.width).sort((one, other) => one - other);
  let best = { x: graph.width / 2 - width / 2, count: 0 };
  let [before, until] = [0, 0];
  for (const left of lefts) {
    const x = left - FIT_MARGIN;
    while ((lefts[before] ?? x) < x) before++;
    while ((rights[until] ?? Infinity) <= x + width) until++;
    // No box is wider than the screen, so those that begin before it end before its end.
    const count = until - before;
    if (count <= best.count) continue;
    // What is seen is in the middle.
    best = { x: (left + (rights[until - 1] ?? left) - width) / 2, count };
  }
  return { scale, x: best.x, y };
}

/** Larger or smaller around a point of the screen. */
export function zoomed(view: ViewPort, factor: number, px: number, py: number): ViewPort {
  const scale = clamp(view.scale * factor, LEAST_SCALE, MOST_SCALE);
  return {
    scale,
    x: view.x + px / view.scale - px / scale,
    y: view.y + py / view.scale - py / scale,
  };
}

/** Moved as far as needed for a box to be on the screen. */
export function showing(view: ViewPort, box: Rect, screen: Size): ViewPort {
  const margin = 24 / view.scale;
  const along = (at: number, length: number, from: number, size: number): number => {
    const room = size / view.scale;
    if (length + 2 * margin > room) return from - margin;
    if (from - margin < at) return from - margin;
    return Math.max(at, from + length + margin - room);
  };
  return {
    scale: view.scale,
    x: along(view.x, box.width, box.x, screen.width),
    y: along(view.y, box.height, box.y, screen.height),
  };
}

/** A box that was there before is where it was on the screen. */
export function anchored(view: ViewPort, before: Rect, after: Rect): ViewPort {
  return {
    scale: view.scale,
    x: view.x + after.x + after.width / 2 - before.x - before.width / 2,
    y: view.y + after.y - before.y,
  };
}

/** The part of the graph on the screen and around it, in steps, so that it changes seldom. */
export function windowOf(view: ViewPort, screen: Size): Rect {
  const step = STEP / view.scale;
  return {
    x: (Math.floor(view.x / step) - 1) * step,
    y: (Math.floor(view.y / step) - 1) * step,
    width: (Math.ceil(screen.width / STEP) + 3) * step,
    height: (Math.ceil(screen.height / STEP) + 3) * step,
  };
}

export function touches(a: Rect, b: Rect): boolean {
  return (
    a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height
  );
}

/** The rectangle around points, x and y in turn. */
export function around(points: readonly number[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x = 0, y = 0] = [points[i], points[i + 1]];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}
