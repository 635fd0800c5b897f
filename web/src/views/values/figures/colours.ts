/** Colours of numbers, safe for colour-blind readers: one scale for a whole array. Pure. */
import type { ValueFigures } from "../../../../../wasm/engine_api";

export const SCALES = ["diverging", "sequential", "log"] as const;
export type Scale = (typeof SCALES)[number];
type Rgb = readonly [number, number, number];

/** Blue, white, orange: told apart with every kind of colour blindness. Source: ColorBrewer's PuOr and RdBu. */
const DIVERGING: readonly Rgb[] = [
  [5, 48, 97],
  [67, 147, 195],
  [247, 247, 247],
  [241, 163, 64],
  [127, 59, 8],
];
/** Source: cividis; J. R. Nuñez, C. R. Anderton, R. S. Renslow, 2018. */
const SEQUENTIAL: readonly Rgb[] = [
  [0, 34, 78],
  [53, 69, 108],
  [102, 105, 112],
  [148, 142, 119],
  [200, 184, 102],
  [254, 232, 56],
];

/** What the ends of a scale stand for; logarithms on a log scale. */
export interface Range {
  scale: Scale;
  low: number;
  high: number;
}

/** The scale that suits an array: around 0 when it has numbers on both sides. */
export function usualScale({ min, max }: ValueFigures): Scale {
  return min < 0 && max > 0 ? "diverging" : "sequential";
}

/** The ends of a scale for an array. */
export function rangeOf(scale: Scale, { min, max, leastMagnitude }: ValueFigures): Range {
  const most = Math.max(Math.abs(min), Math.abs(max));
  if (scale === "diverging") return { scale, low: -most, high: most };
  if (scale === "sequential") return { scale, low: min, high: max };
  // An array of zeros has no logarithms.
  if (most === 0) return { scale, low: 0, high: 0 };
  return { scale, low: Math.log10(leastMagnitude || most), high: Math.log10(most) };
}

/** The numbers at the ends of a scale and between them, for its legend. */
export function ticksOf({ scale, low, high }: Range): number[] {
  const middle = low / 2 + high / 2;
  const ends = low === high ? [low] : [low, middle, high];
  return scale === "log" ? ends.map((end) => 10 ** end) : ends;
}

/** Where a finite number stands on a scale, from 0 to 1. */
export function placeOn({ scale, low, high }: Range, value: number): number {
  const at = scale === "log" ? Math.log10(Math.abs(value)) : value;
  if (at <= low) return low === high ? 0.5 : 0;
  return Math.min(1, (at / 2 - low / 2) / (high / 2 - low / 2));
}

/** The colour at a place of a scale. */
export function colourAt(scale: Scale, place: number): Rgb {
  const stops = scale === "diverging" ? DIVERGING : SEQUENTIAL;
  const at = Math.max(0, Math.min(1, place)) * (stops.length - 1);
  const below = Math.min(Math.floor(at), stops.length - 2);
  const [from, to] = [stops[below] as Rgb, stops[below + 1] as Rgb];
  const mix = (i: 0 | 1 | 2): number => Math.round(from[i] + (to[i] - from[i]) * (at - below));
  return [mix(0), mix(1), mix(2)];
}

/** A scale as a CSS gradient, from its lower end. */
export function gradient(scale: Scale): string {
  const stops = scale === "diverging" ? DIVERGING : SEQUENTIAL;
  return `linear-gradient(to right, ${stops.map((stop) => `rgb(${stop.join(" ")})`).join(", ")})`;
}

/** Pixels of blocks, a block each; those without a finite number are left transparent. */
export function pixelsOf(range: Range, numbers: Float64Array): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(numbers.length * 4);
  numbers.forEach((value, i) => {
    if (!Number.isFinite(value)) return;
    pixels.set([...colourAt(range.scale, placeOn(range, value)), 255], i * 4);
  });
  return pixels;
}

/** Size of a block on the screen: as large as the room allows, square unless that would be a thread. */
export function blockSize(
  rows: number,
  cols: number,
  room: { width: number; height: number },
): { width: number; height: number } {
  const extent = (pixels: number, n: number): number => Math.max(1, Math.min(40, pixels / n));
  const [width, height] = [extent(room.width, cols), extent(room.height, rows)];
  const least = Math.min(width, height);
  const isThread = Math.min(rows, cols) * least < 24;
  if (!isThread) return { width: least, height: least };
  return { width: Math.min(width, 24 * least), height: Math.min(height, 24 * least) };
}
