/**
 * The scales at which a layout is seen, from the whole to single elements: at the coarser ones a cell
 * of the picture is a block of many. Pure.
 */
import type { LayoutInfo } from "../../../../wasm/engine_api";
import type { CellPlace, Limits } from "../../grid/viewport";
import type { Axes } from "../../ui/axes";
import { isFew, tileSizes } from "./model";
import type { Tiling } from "./tiling";

export type ScaleName = "whole" | "tiles" | "cells";

/** A scale of the logical array: so many elements down and across make a block. */
export interface LogicalScale {
  name: ScaleName | null;
  rows: number;
  cols: number;
  step: { rows: number; cols: number };
}

/** A scale of memory: so many elements make a block, so many blocks a line. */
export interface MemoryScale {
  name: ScaleName | null;
  rows: number;
  block: number;
  line: number;
}

/** Which scale a link or a person means, by its name or its number; bytes are beside the finest cells. */
export function scaleIndex(scales: readonly { name: ScaleName | null }[], said: string): number {
  const named = scales.findIndex(({ name }) => name === said);
  return said === "bytes" ? scales.length - 1 : named >= 0 ? named : Number(said);
}

/** More cells than this along a side are too small to be seen all at once. */
const MOST_CELLS = 96;
/** More blocks than this along a side are not painted. */
const MOST_BLOCKS = 80;
/** From one scale to the next, at most so many times finer. */
const RATIO = 8;
/** No block or cell is smaller, but for the whole. */
const LEAST = 6;

const power = (n: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, n)));

/** The whole's name stays; what has no use for a scale of its own is left out. */
export function logicalScales(info: LayoutInfo, axes: Axes): LogicalScale[] {
  const along = (dim: number): { size: number; tile: number } => ({
    size: dim >= 0 ? Math.max(1, info.paddedDims[dim] ?? 1) : 1,
    tile: dim >= 0 ? (tileSizes(info)[dim] ?? 1) : 1,
  });
  const [down, across] = [along(axes.row), along(axes.col)];
  const scale = (name: ScaleName | null, rows: number, cols: number): LogicalScale => ({
    name,
    rows: Math.ceil(down.size / rows),
    cols: Math.ceil(across.size / cols),
    step: { rows, cols },
  });
  const scales = [scale("cells", 1, 1)];
  let first = scales[0] as LogicalScale;
  const coarser = (name: ScaleName | null, rows: number, cols: number): void => {
    first = scale(name, rows, cols);
    scales.unshift(first);
  };
  if (first.rows > MOST_CELLS || first.cols > MOST_CELLS) {
    for (const share of [64, 8]) {
      const rows = Math.floor(down.tile / share);
      const cols = Math.floor(across.tile / share);
      if (Math.max(rows, cols) > LEAST * RATIO) coarser(null, Math.max(1, rows), Math.max(1, cols));
    }
    if (down.tile * across.tile > 1) coarser("tiles", down.tile, across.tile);
    while (first.rows > MOST_BLOCKS || first.cols > MOST_BLOCKS) {
      const grow = (count: number): number => Math.min(RATIO, power(count / MOST_BLOCKS));
      coarser(null, first.step.rows * grow(first.rows), first.step.cols * grow(first.cols));
    }
  }
  return named(scales);
}

/** The coarsest scale is the whole, unless it shows single elements. */
function named<S extends { name: ScaleName | null }>(scales: S[]): S[] {
  return scales.map((each, i) =>
    i === 0 && each.name !== "cells" ? { ...each, name: "whole" } : each,
  );
}

/** From where on a finer scale takes over: when its own cells are large enough. */
export function logicalLimits(scales: readonly LogicalScale[], at: number, cell: Limits): Limits {
  const { step } = scales[at] as LogicalScale;
  const finer = scales[at + 1];
  const least = at === 0 ? { width: 0, height: 0 } : { width: LEAST, height: LEAST };
  if (!finer) return { ...cell, least };
  const most = {
    width: LEAST * (step.cols / finer.step.cols),
    height: LEAST * (step.rows / finer.step.rows),
  };
  return { least, usual: most, most };
}

/** The same place at another scale. */
export function logicalPlace(place: CellPlace, from: LogicalScale, to: LogicalScale): CellPlace {
  return {
    row: (place.row * from.step.rows) / to.step.rows,
    col: (place.col * from.step.cols) / to.step.cols,
  };
}

const MOST_MEMORY_BLOCKS = 2560;
const MEMORY_RATIO = 64;

/** A number near the wanted one that goes into `unit`, or that `unit` goes into; best into all. */
function lineNear(wanted: number, unit: number, all: number): number {
  let best = Math.max(1, Math.round(wanted));
  let off = 2;
  for (let n = Math.ceil(wanted / 2); n <= wanted * 2; n++) {
    const far = Math.max(n / wanted, wanted / n) * (all % n === 0 ? 1 : 1.3);
    if (n > 0 && far < off && (unit % n === 0 || n % unit === 0)) [best, off] = [n, far];
  }
  return best;
}

/** `line`: elements to a line where single ones are shown. */
export function memoryScales(info: LayoutInfo, tiling: Tiling, line: number): MemoryScale[] {
  const total = info.physicalElements;
  const scale = (name: ScaleName | null, block: number, perLine: number): MemoryScale => ({
    name,
    rows: Math.max(1, Math.ceil(total / (block * perLine))),
    block,
    line: perLine,
  });
  const scales = [scale("cells", 1, line)];
  if (isFew(info)) return scales;
  const { volume, across } = tiling;
  const tileRow = (block: number): number => Math.max(1, (volume * across) / block);
  if (volume > 1 && total / volume > 1 && total > MOST_MEMORY_BLOCKS) {
    scales.unshift(scale("tiles", volume, lineNear(8, across, total / volume)));
  }
  let block = total > MOST_MEMORY_BLOCKS && volume < total ? volume : 1;
  while (total / block > MOST_MEMORY_BLOCKS) {
    block *= Math.min(MEMORY_RATIO, power(total / block / MOST_MEMORY_BLOCKS));
    const perLine = total / block > MOST_MEMORY_BLOCKS ? 16 : wholeLine(total, block);
    scales.unshift(scale(null, block, perLine));
  }
  const all = Math.ceil(total / block);
  const whole = scale("whole", block, lineNear(Math.sqrt(all * 1.4), tileRow(block), all));
  if (scales[0]?.block === block && block > 1) scales.shift();
  scales.unshift(whole);
  return scales;
}

const wholeLine = (total: number, block: number): number =>
  Math.ceil(Math.sqrt((total / block) * 1.4));

/** The offset of the first element of a block, and the block of an offset. */
export const blockOffset = ({ row, col }: CellPlace, { block, line }: MemoryScale): number =>
  (Math.floor(row) * line + Math.floor(col)) * block;
export function blockPlace(offset: number, { block, line }: MemoryScale): CellPlace {
  const at = Math.floor(offset / block);
  return { row: Math.floor(at / line), col: at % line };
}

export function memoryLimits(scales: readonly MemoryScale[], at: number, cell: Limits): Limits {
  const least = at === 0 ? { width: 0, height: 0 } : { width: 8, height: 8 };
  if (at === scales.length - 1) return { ...cell, least };
  const usual = { width: 44, height: 26 };
  return { least, usual, most: { width: 72, height: 40 } };
}
