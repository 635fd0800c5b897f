/** What follows from the engine's answer about a layout. Pure. */
import type { LayoutInfo } from "../../../../wasm/engine_api";
import type { Tiling } from "./tiling";

export type CellMode = "offset" | "index" | "value";
export const CELL_MODES: CellMode[] = ["offset", "index", "value"];

/**
 * Whether every element of a layout can be addressed: JavaScript numbers are exact up to 2^53;
 * beyond that a picture would show wrong offsets, or loop forever.
 */
export function isCountable(info: LayoutInfo): boolean {
  // Elements of less than a byte are counted themselves: there are more of them than bytes.
  return info.physicalElements * Math.max(1, info.elementBits / 8) < Number.MAX_SAFE_INTEGER;
}

/** What padding holds, where the layout says so: "0" of PAD(3,5;0); elsewhere nothing is known. */
export function paddingValue(info: LayoutInfo): string | null {
  return info.paddingValue === "" ? null : info.paddingValue;
}

/**
 * The size of the outermost tile along every logical dimension, 1 where it does not reach; all ones
 * where it has no such size (combined or added dimensions).
 */
export function tileSizes(info: LayoutInfo): number[] {
  const tile = info.tiles[0];
  const sizes = info.dims.map(() => 1);
  if (!tile || tile.length > sizes.length || tile.some((size) => size <= 0)) return sizes;
  tile.forEach((size, i) => {
    const dim = info.minorToMajor[tile.length - 1 - i];
    if (dim !== undefined) sizes[dim] = size;
  });
  return sizes;
}

/** So many rows of the memory picture are tall enough for texts, and so many cells in a row wide enough. */
const MOST_ROWS = 8;
const MOST_ACROSS = 16;

/**
 * How many elements one row of the memory picture has: so that tiles end where rows end and, where all are
 * seen at once, that their texts are legible.
 */
export function naturalLine(info: LayoutInfo, tiling: Tiling): number {
  const line = tiledLine(info, tiling);
  const total = info.physicalElements;
  if (!isFew(info) || total / line <= MOST_ROWS) return line;
  const longer: number[] = [];
  for (let n = 2 * line; n <= MOST_ACROSS; n += line) longer.push(n);
  const enough = longer.filter((n) => total / n <= MOST_ROWS);
  const ends = (n: number): boolean => tiling.volume % n === 0 || n % tiling.volume === 0;
  return enough.find(ends) ?? enough[0] ?? longer.at(-1) ?? line;
}

function tiledLine(info: LayoutInfo, tiling: Tiling): number {
  const most = 12;
  if (tiling.volume * tiling.across <= most) return tiling.volume * tiling.across;
  if (tiling.volume <= most) {
    for (let n = Math.floor(most / tiling.volume); n > 0; n--) {
      if (tiling.across % n === 0) return tiling.volume * n;
    }
    return tiling.volume;
  }
  const minor = [...info.physicalDims].reverse().find((size) => size > 1) ?? 1;
  for (const size of [minor, tiling.volume]) {
    for (let n = Math.min(most, size); n >= 4; n--) if (size % n === 0) return n;
  }
  return 16;
}

const FEW_ELEMENTS = 240;

/** So few elements that all are seen at once, with their texts. */
export const isFew = ({ physicalElements }: Pick<LayoutInfo, "physicalElements">): boolean =>
  physicalElements <= FEW_ELEMENTS;

/** An element that is neither first nor last: (2,3) of [3,5]. What is large opens with its first. */
export function sampleIndex(info: Pick<LayoutInfo, "dims" | "physicalElements">): number[] {
  if (!isFew(info)) return info.dims.map(() => 0);
  return info.dims.map((size) => Math.max(0, Math.min(size - 1, Math.floor((size * 2) / 3), 5)));
}
