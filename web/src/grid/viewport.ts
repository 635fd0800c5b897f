/**
 * What a grid shows of a (possibly enormous) array of cells. Scroll positions are counted in cells,
 * not pixels, so that an array of 10^12 rows is as easy as one of ten. Everything here is pure.
 */
export interface Viewport {
  /** Total number of cells. */
  rows: number;
  cols: number;
  /** Pixels of the area that holds cells, without headers. */
  width: number;
  height: number;
  /** Pixels of one cell. */
  cellWidth: number;
  cellHeight: number;
  /** First visible row and column; may have a fraction. */
  top: number;
  left: number;
}

/** A rectangle of cells. */
export interface CellRect {
  row: number;
  col: number;
  rows: number;
  cols: number;
}
export interface CellPlace {
  row: number;
  col: number;
}

/** Cells are at least this wide, so that a window never holds more than some 100,000 of them. */
export const MIN_CELL = 3;
export const MAX_CELL = 160;

const clamp = (value: number, low: number, high: number): number =>
  Math.max(low, Math.min(high, value));

/** The last scroll position that still fills the area. */
export function maxScroll(v: Viewport): { top: number; left: number } {
  return {
    top: Math.max(0, v.rows - v.height / v.cellHeight),
    left: Math.max(0, v.cols - v.width / v.cellWidth),
  };
}

export function clampScroll(v: Viewport): Viewport {
  const max = maxScroll(v);
  const top = clamp(v.top, 0, max.top);
  const left = clamp(v.left, 0, max.left);
  return top === v.top && left === v.left ? v : { ...v, top, left };
}

export function scrollBy(v: Viewport, rows: number, cols: number): Viewport {
  return clampScroll({ ...v, top: v.top + rows, left: v.left + cols });
}

/** The cells that are at least partly visible. */
export function visibleCells(v: Viewport): CellRect {
  const row = clamp(Math.floor(v.top), 0, Math.max(0, v.rows - 1));
  const col = clamp(Math.floor(v.left), 0, Math.max(0, v.cols - 1));
  const endRow = Math.min(v.rows, Math.ceil(v.top + v.height / v.cellHeight));
  const endCol = Math.min(v.cols, Math.ceil(v.left + v.width / v.cellWidth));
  return { row, col, rows: Math.max(0, endRow - row), cols: Math.max(0, endCol - col) };
}

/** A visible window with a margin, cut to the array: what to ask the engine for. */
export function windowAround(v: Viewport, margin: number): CellRect {
  const seen = visibleCells(v);
  const row = Math.max(0, seen.row - margin);
  const col = Math.max(0, seen.col - margin);
  return {
    row,
    col,
    rows: Math.min(v.rows, seen.row + seen.rows + margin) - row,
    cols: Math.min(v.cols, seen.col + seen.cols + margin) - col,
  };
}

export function contains(outer: CellRect, inner: CellRect): boolean {
  return (
    inner.row >= outer.row &&
    inner.col >= outer.col &&
    inner.row + inner.rows <= outer.row + outer.rows &&
    inner.col + inner.cols <= outer.col + outer.cols
  );
}

/** The cell under a point of the cell area; null outside the array. */
export function cellAt(v: Viewport, x: number, y: number): CellPlace | null {
  if (x < 0 || y < 0 || x >= v.width || y >= v.height) return null;
  const row = Math.floor(v.top + y / v.cellHeight);
  const col = Math.floor(v.left + x / v.cellWidth);
  return row < v.rows && col < v.cols ? { row, col } : null;
}

/** The scroll position in one direction at which a cell is wholly among the `shown`. */
function revealAlong(first: number, shown: number, cell: number): number {
  const out = Math.max(first - cell, cell + 1 - (first + shown));
  if (out <= 0) return first;
  // A step over the edge scrolls one step; a jump centres the cell.
  if (out > 1.5 && shown > 1) return Math.max(0, Math.floor(cell + 0.5 - shown / 2));
  return cell < first ? cell : cell + 1 - shown;
}

/** Scrolls so that a cell is wholly visible: not at all, by a step, or to the middle. */
export function reveal(v: Viewport, { row, col }: CellPlace): Viewport {
  const top = revealAlong(v.top, v.height / v.cellHeight, row);
  const left = revealAlong(v.left, v.width / v.cellWidth, col);
  return clampScroll({ ...v, top, left });
}

/** Pixels of a cell. */
export interface CellSize {
  width: number;
  height: number;
}

/** How far cells can be zoomed. Those that are out of shape come to their usual size first. */
export interface Limits {
  least: CellSize;
  usual: CellSize;
  most: CellSize;
}

/** Nobody needs less than the whole. */
export function noLessThan(limits: Limits, whole: CellSize): Limits {
  const { least, usual } = limits;
  const width = Math.max(least.width, Math.min(whole.width, usual.width));
  const height = Math.max(least.height, Math.min(whole.height, usual.height));
  return { ...limits, least: { width, height } };
}

export function sizeWithin(size: CellSize, limits: Limits | undefined): CellSize {
  if (!limits) return size;
  const { least, most } = limits;
  return {
    width: Math.max(least.width, Math.min(most.width, size.width)),
    height: Math.max(least.height, Math.min(most.height, size.height)),
  };
}

/** The size of a cell within limits, zoomed by a factor. */
function zoomed(size: CellSize, factor: number, { least, usual, most }: Limits): CellSize {
  const grows = factor > 1;
  const early = (side: keyof CellSize): boolean =>
    grows ? size[side] < usual[side] : size[side] > usual[side];
  const both = !early("width") && !early("height");
  const along = (side: keyof CellSize): number => {
    const end = both ? (grows ? most : least)[side] : usual[side];
    const next = both || early(side) ? size[side] * factor : size[side];
    return grows
      ? Math.max(size[side], Math.min(next, end))
      : Math.min(size[side], Math.max(next, end));
  };
  return { width: along("width"), height: along("height") };
}

/** Scales the cells within limits and keeps the point (x, y) of the cell area over the same cell. */
export function zoomWithin(v: Viewport, factor: number, x: number, y: number, limits: Limits) {
  const { width, height } = zoomed({ width: v.cellWidth, height: v.cellHeight }, factor, limits);
  return resized(v, width, height, x, y);
}

function resized(v: Viewport, cellWidth: number, cellHeight: number, x: number, y: number) {
  return clampScroll({
    ...v,
    cellWidth,
    cellHeight,
    top: v.top + y / v.cellHeight - y / cellHeight,
    left: v.left + x / v.cellWidth - x / cellWidth,
  });
}

/** Scales the cells and keeps the point (x, y) of the cell area over the same cell. */
export function zoomAt(v: Viewport, factor: number, x: number, y: number): Viewport {
  const scale = clamp(factor, MIN_CELL / v.cellHeight, MAX_CELL / v.cellWidth);
  const cellWidth = clamp(v.cellWidth * scale, MIN_CELL, MAX_CELL);
  const cellHeight = clamp(v.cellHeight * scale, MIN_CELL, MAX_CELL);
  return resized(v, cellWidth, cellHeight, x, y);
}

/** Where a key moves the selected cell; null when the key moves nothing. */
export function moveByKey(
  v: Viewport,
  from: CellPlace,
  key: string,
  control: boolean,
): CellPlace | null {
  const page = Math.max(1, Math.floor(v.height / v.cellHeight) - 1);
  const last = { row: Math.max(0, v.rows - 1), col: Math.max(0, v.cols - 1) };
  const moves: Record<string, CellPlace> = {
    ArrowUp: { row: control ? 0 : from.row - 1, col: from.col },
    ArrowDown: { row: control ? last.row : from.row + 1, col: from.col },
    ArrowLeft: { row: from.row, col: control ? 0 : from.col - 1 },
    ArrowRight: { row: from.row, col: control ? last.col : from.col + 1 },
    PageUp: { row: from.row - page, col: from.col },
    PageDown: { row: from.row + page, col: from.col },
    Home: { row: control ? 0 : from.row, col: 0 },
    End: { row: control ? last.row : from.row, col: last.col },
  };
  const to = moves[key];
  if (!to) return null;
  return { row: clamp(to.row, 0, last.row), col: clamp(to.col, 0, last.col) };
}

const LARGEST_TEXT = 13;
export const SMALLEST_TEXT = 9;
/** A monospaced letter is so much of its size wide. */
export const LETTER = 0.6;

/** The font size in cells: one for all, chosen so that the longest text fits if possible. */
export function textSize(cellWidth: number, cellHeight: number, letters: number): number {
  const free = Math.max(8, Math.min(LARGEST_TEXT, cellHeight * 0.5, cellWidth * 0.4));
  const fitting = (cellWidth - 4) / (LETTER * Math.max(1, letters));
  return Math.min(free, Math.max(SMALLEST_TEXT, fitting));
}

/** The distance in rows or columns at which labels do not overlap. */
export function labelStep(cell: number, needed: number): number {
  if (cell >= needed) return 1;
  for (let step = 2; step < 1e15; step *= 2) if (cell * step >= needed) return step;
  return 1;
}
