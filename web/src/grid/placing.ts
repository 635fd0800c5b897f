/** Where the loaded cells that can be seen lie on the canvas. Pure. */
import type { CellData, Headers } from "./cells";
import { type CellRect, type Viewport, visibleCells } from "./viewport";

export interface Placed {
  /** Visible part of the loaded window, and the index of its first cell. */
  area: CellRect;
  index(row: number, col: number): number;
  x(col: number): number;
  y(row: number): number;
}

export function place(data: CellData, view: Viewport, headers: Headers): Placed {
  const seen = visibleCells(view);
  const w = data.window;
  const row = Math.max(seen.row, w.row);
  const col = Math.max(seen.col, w.col);
  const area = {
    row,
    col,
    rows: Math.max(0, Math.min(seen.row + seen.rows, w.row + w.rows) - row),
    cols: Math.max(0, Math.min(seen.col + seen.cols, w.col + w.cols) - col),
  };
  return {
    area,
    index: (r, c) => (r - w.row) * w.cols + (c - w.col),
    x: (c) => headers.left + (c - view.left) * view.cellWidth,
    y: (r) => headers.top + (r - view.top) * view.cellHeight,
  };
}
