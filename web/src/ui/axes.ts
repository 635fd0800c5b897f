/**
 * Which two dimensions of an array are the rows and columns of a grid, and at which index the
 * others are fixed. Pure.
 */
import type { WindowSpec } from "../../../wasm/engine_api";
import type { CellRect } from "../grid/viewport";

export interface Axes {
  /** Dimension of the rows and of the columns; -1 for none. */
  row: number;
  col: number;
  /** Dimension of the colours of an image; -1 for grey. Absent where there is no image. */
  channel?: number;
  /** Index in every dimension; 0 in those of the rows, columns and colours. */
  fixed: number[];
}

/** The default: the last dimension as columns, the one before it as rows. */
export function defaultAxes(rank: number): Axes {
  return { row: rank >= 2 ? rank - 2 : -1, col: rank - 1, fixed: new Array(rank).fill(0) };
}

/** "2,0": the dimensions of rows and columns, for links; "" for the default. */
export function axesText({ row, col, fixed }: Axes): string {
  const usual = defaultAxes(fixed.length);
  return row === usual.row && col === usual.col ? "" : `${row},${col}`;
}

/** Axes of an array from that text; the default ones if it does not name two of its dimensions. */
export function parseAxes(text: string, rank: number): Axes {
  const usual = defaultAxes(rank);
  const found = /^(-1|\d{1,3}),(-1|\d{1,3})$/.exec(text);
  const [row, col] = [Number(found?.[1]), Number(found?.[2])];
  const fits = found && row < rank && col < rank && (row !== col || row < 0);
  return fits ? { ...usual, row, col } : usual;
}

/** The element of a cell. */
export function indexAt(axes: Axes, row: number, col: number): number[] {
  const index = [...axes.fixed];
  if (axes.row >= 0) index[axes.row] = row;
  if (axes.col >= 0) index[axes.col] = col;
  return index;
}

/** Whether a dimension is that of rows, columns or colours. */
export function isDrawn({ row, col, channel = -1 }: Axes, dim: number): boolean {
  return dim === row || dim === col || dim === channel;
}

/** How many rows and columns a slice of an array has; one where it has no dimension for them. */
export function sliceSize(
  { row, col }: Axes,
  dims: readonly number[],
): { rows: number; cols: number } {
  return { rows: dims[row] ?? 1, cols: dims[col] ?? 1 };
}

/** The cell of an element, null when it lies in another slice. */
export function cellOf(axes: Axes, index: number[]): { row: number; col: number } | null {
  const here = index.every((i, d) => isDrawn(axes, d) || i === axes.fixed[d]);
  if (!here || index.length !== axes.fixed.length) return null;
  return { row: index[axes.row] ?? 0, col: index[axes.col] ?? 0 };
}

/** The same axes, through the slice that holds an element. */
export function sliceThrough(axes: Axes, index: number[]): Axes {
  return { ...axes, fixed: index.map((i, d) => (isDrawn(axes, d) ? 0 : i)) };
}

export function inBounds(index: number[], dims: number[]): boolean {
  return index.length === dims.length && index.every((i, d) => i >= 0 && i < (dims[d] ?? 0));
}

/** The elements of a window of cells. */
export function windowSpec(axes: Axes, rect: CellRect): WindowSpec {
  const origin = [...axes.fixed];
  if (axes.row >= 0) origin[axes.row] = rect.row;
  if (axes.col >= 0) origin[axes.col] = rect.col;
  return { origin, rowDim: axes.row, colDim: axes.col, rows: rect.rows, cols: rect.cols };
}
