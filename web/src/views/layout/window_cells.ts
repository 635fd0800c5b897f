/** Converts windows of a layout to cells that can be painted. Pure. */
import type { LayoutInfo, LinearWindow, LogicalWindow } from "../../../../wasm/engine_api";
import { type CellData, emptyCells, OUTSIDE, PADDING } from "../../grid/cells";
import type { CellRect } from "../../grid/viewport";
import type { Axes } from "../../ui/axes";
import type { Colouring } from "./colours";
import { type CellMode, paddingValue, tileSizes } from "./model";
import type { Tiling } from "./tiling";

export interface Look {
  cells: CellMode;
  colouring: Colouring;
}

/** Fills in the colour of a cell. */
function colour(
  cells: CellData,
  i: number,
  info: LayoutInfo,
  tiling: Tiling,
  { colouring }: Look,
  lie: { offset: number; row: number; col: number },
): void {
  const all = { info, tiling, ...lie };
  if (colouring.tint) cells.tint[i] = colouring.tint(all);
  if (cells.heat && colouring.heat) cells.heat[i] = colouring.heat(all);
}

/** A new window, with an array for shades if the colours are shades. */
function freshCells(rect: CellRect, look: Look): CellData {
  const cells = emptyCells(rect);
  if (look.colouring.heat) cells.heat = new Float64Array(cells.kind.length).fill(Number.NaN);
  return cells;
}

/** The logical array: offsets of a window, with texts of the values where there are any. */
export function logicalCells(
  info: LayoutInfo,
  tiling: Tiling,
  axes: Axes,
  look: Look,
  rect: CellRect,
  answer: LogicalWindow,
  values: ReadonlyMap<number, string>,
): CellData {
  const cells = freshCells(rect, look);
  const sizes = tileSizes(info);
  const [tall, wide] = [sizes[axes.row] ?? 1, sizes[axes.col] ?? 1];
  for (let i = 0; i < cells.kind.length; i++) {
    const offset = answer.offsets[i] ?? -1;
    const row = rect.row + Math.floor(i / rect.cols);
    const col = rect.col + (i % rect.cols);
    if (offset < 0) {
      cells.kind[i] = PADDING;
      // A tile's first element is never padding: it says to which tile this padding belongs.
      const first = (row - (row % tall) - rect.row) * rect.cols + col - (col % wide) - rect.col;
      cells.group[i] = Math.floor((answer.offsets[first] ?? -1) / tiling.volume);
      cells.part[i] = -1;
      continue;
    }
    colour(cells, i, info, tiling, look, { offset, row, col });
    cells.group[i] = Math.floor(offset / tiling.volume);
    cells.part[i] = Math.floor(offset / tiling.part);
    if (look.cells === "offset") cells.text[i] = String(offset);
    else if (look.cells === "value") cells.text[i] = values.get(offset) ?? "";
    else {
      const index = [...axes.fixed];
      if (axes.row >= 0) index[axes.row] = row;
      if (axes.col >= 0) index[axes.col] = col;
      cells.text[i] = elementText(index);
    }
  }
  return cells;
}

/** The logical index at an offset of a linear window; null for padding. */
export function indexOf(answer: LinearWindow, rank: number, offset: number): number[] | null {
  const at = (offset - answer.begin) * rank;
  if (offset < answer.begin || offset >= answer.begin + answer.count) return null;
  const index = Array.from(answer.indices.subarray(at, at + rank));
  return index.some((i) => i < 0) ? null : index;
}

/** What a cell says of the element in it; a scalar's has no index. */
export const elementText = (index: readonly number[]): string => index.join(",") || "()";

/** Memory, `line` elements to a line. */
export function memoryCells(
  info: LayoutInfo,
  tiling: Tiling,
  axes: Axes,
  look: Look,
  rect: CellRect,
  line: number,
  answer: LinearWindow,
  values: ReadonlyMap<number, string>,
): CellData {
  const cells = freshCells(rect, look);
  const rank = info.dims.length;
  const padding = paddingValue(info) ?? "";
  // A scalar has no indices to tell it from padding: its one element comes first.
  const isPadding = (offset: number): boolean =>
    rank === 0 ? offset > 0 : (answer.indices[(offset - answer.begin) * rank] ?? -1) < 0;
  for (let i = 0; i < cells.kind.length; i++) {
    const offset = (rect.row + Math.floor(i / rect.cols)) * line + rect.col + (i % rect.cols);
    if (offset >= info.physicalElements) {
      cells.kind[i] = OUTSIDE;
      continue;
    }
    cells.group[i] = Math.floor(offset / tiling.volume);
    cells.part[i] = Math.floor(offset / tiling.part);
    if (isPadding(offset)) {
      cells.kind[i] = PADDING;
      cells.text[i] = padding;
      continue;
    }
    const index = indexOf(answer, rank, offset) ?? [];
    const row = index[axes.row] ?? 0;
    const col = index[axes.col] ?? 0;
    colour(cells, i, info, tiling, look, { offset, row, col });
    // Beside offsets in the logical array, memory shows which element lies at each of them.
    cells.text[i] = look.cells === "value" ? (values.get(offset) ?? "") : elementText(index);
  }
  return cells;
}
