/** Painting of a window of cells. Pure: what is drawn depends on the arguments only. */
import { type CellData, type Headers, type Marks, OUTSIDE, PADDING, type Pin } from "./cells";
import { paintHeaders, paintTexts } from "./lettering";
import { type Placed, place } from "./placing";
import { type GridTheme, NOT_A_NUMBER, TILE_COLOURS } from "./theme";
import type { CellPlace, CellRect, Viewport } from "./viewport";

/** Below this many pixels a cell is one pixel of an image, not a rectangle. */
const SMALL = 6;
const TEXT_FROM = 22;

export function paint(
  ctx: CanvasRenderingContext2D,
  data: CellData | null,
  view: Viewport,
  headers: Headers,
  theme: GridTheme,
  marks: Marks,
): void {
  const { left, top } = headers;
  ctx.fillStyle = theme.background;
  ctx.fillRect(0, 0, left + view.width, top + view.height);
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, view.width, view.height);
  ctx.clip();
  ctx.globalAlpha = marks.dimmed ? 0.55 : 1;
  if (data) {
    paintFills(ctx, data, view, headers, theme);
    if (view.cellWidth >= SMALL && view.cellHeight >= SMALL) {
      paintLines(ctx, data, view, headers, theme);
    }
    if (view.cellWidth >= TEXT_FROM && view.cellHeight >= 12) {
      paintTexts(ctx, data, view, headers, theme);
    }
    if (data.marked) paintMarked(ctx, data.marked, place(data, view, headers), view, theme);
  }
  ctx.globalAlpha = 1;
  const box = (at: CellPlace): CellBox => boxOf(at, view, headers);
  for (const pin of marks.pins ?? []) paintPin(ctx, pin, box(pin.place), theme);
  if (marks.hovered) paintRing(ctx, box(marks.hovered), theme.hover, 2);
  if (marks.selected) paintRing(ctx, box(marks.selected), theme.accent, marks.focused ? 3 : 2);
  ctx.restore();
  paintHeaders(ctx, view, headers, theme, marks);
}

function mix(theme: GridTheme, heat: number): string {
  const share = Math.round(Math.min(1, Math.abs(heat)) * 100);
  const end = heat < 0 ? theme.heatLow : theme.heatHigh;
  return `color-mix(in oklab, ${end} ${share}%, ${theme.background})`;
}

/** Heat colours are quantised, so that a canvas uses at most 65 of them. */
function heatRamp(theme: GridTheme): string[] {
  return Array.from({ length: 65 }, (_, i) => mix(theme, (i - 32) / 32));
}

function fillOf(data: CellData, i: number, theme: GridTheme, ramp: string[]): string | null {
  if (data.kind[i] === OUTSIDE) return null;
  if (data.kind[i] === PADDING) return theme.hatchBackground;
  const heat = data.heat?.[i];
  if (heat === NOT_A_NUMBER) return theme.heatNan;
  if (heat !== undefined && !Number.isNaN(heat)) {
    return ramp[Math.round((Math.max(-1, Math.min(1, heat)) + 1) * 32)] ?? theme.background;
  }
  const tint = data.tint[i] ?? -1;
  return tint < 0 ? theme.background : (theme.tiles[tint % TILE_COLOURS] ?? theme.background);
}

/** Neighbours of one colour in a row are filled together. */
function paintFills(
  ctx: CanvasRenderingContext2D,
  data: CellData,
  view: Viewport,
  headers: Headers,
  theme: GridTheme,
): void {
  const p = place(data, view, headers);
  const { area } = p;
  const ramp = data.heat ? heatRamp(theme) : [];
  const hatched: CellRect[] = [];
  for (let row = area.row; row < area.row + area.rows; row++) {
    let begin = area.col;
    while (begin < area.col + area.cols) {
      const first = p.index(row, begin);
      const fill = fillOf(data, first, theme, ramp);
      let end = begin + 1;
      while (
        end < area.col + area.cols &&
        data.kind[p.index(row, end)] === data.kind[first] &&
        fillOf(data, p.index(row, end), theme, ramp) === fill
      ) {
        end++;
      }
      if (fill !== null) {
        ctx.fillStyle = fill;
        // Half a pixel more, so that no seam shows between fractional cells.
        ctx.fillRect(
          p.x(begin),
          p.y(row),
          (end - begin) * view.cellWidth + 0.5,
          view.cellHeight + 0.5,
        );
        if (data.kind[first] === PADDING)
          hatched.push({ row, col: begin, rows: 1, cols: end - begin });
      }
      begin = end;
    }
  }
  paintHatch(ctx, hatched, p, view, theme);
  if (!data.holes) return;
  ctx.fillStyle = theme.hatchBackground;
  for (const hole of data.holes) ctx.fillRect(...pixelsOf(hole, p, view));
  paintHatch(ctx, data.holes, p, view, theme);
}

/** A frame inside of the cell, with a corner that is filled; of small cells all is. */
function paintMarked(
  ctx: CanvasRenderingContext2D,
  marked: Uint8Array,
  p: Placed,
  view: Viewport,
  theme: GridTheme,
): void {
  const { area } = p;
  const { cellWidth: width, cellHeight: height } = view;
  const colour = theme.pins[0] ?? theme.accent;
  ctx.fillStyle = colour;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2;
  for (let row = area.row; row < area.row + area.rows; row++) {
    for (let col = area.col; col < area.col + area.cols; col++) {
      if (marked[p.index(row, col)] !== 1) continue;
      const [x, y] = [p.x(col), p.y(row)];
      if (width < SMALL || height < SMALL) {
        ctx.fillRect(x, y, width, height);
        continue;
      }
      ctx.strokeRect(x + 2, y + 2, width - 4, height - 4);
      const corner = Math.min(8, height / 2, width / 2);
      ctx.beginPath();
      ctx.moveTo(x + 1, y + 1);
      ctx.lineTo(x + 1 + corner, y + 1);
      ctx.lineTo(x + 1, y + 1 + corner);
      ctx.closePath();
      ctx.fill();
    }
  }
}

/** Padding is never too thin to be seen. */
const THINNEST = 2;

function pixelsOf(hole: CellRect, p: Placed, view: Viewport): [number, number, number, number] {
  const width = Math.max(THINNEST, hole.cols * view.cellWidth);
  const height = Math.max(THINNEST, hole.rows * view.cellHeight);
  const x = p.x(hole.col + hole.cols) - width;
  return [x, p.y(hole.row + hole.rows) - height, width, height];
}

/** Hatching over the padding, which is thus distinguished without colour. */
function paintHatch(
  ctx: CanvasRenderingContext2D,
  runs: readonly CellRect[],
  p: Placed,
  view: Viewport,
  theme: GridTheme,
): void {
  if (runs.length === 0) return;
  ctx.save();
  ctx.beginPath();
  for (const run of runs) ctx.rect(...pixelsOf(run, p, view));
  ctx.clip();
  ctx.strokeStyle = theme.hatch;
  ctx.lineWidth = 1;
  ctx.beginPath();
  const x0 = p.x(p.area.col);
  const y0 = p.y(p.area.row);
  const width = p.area.cols * view.cellWidth;
  const height = p.area.rows * view.cellHeight;
  for (let d = -height; d < width; d += 6) {
    ctx.moveTo(x0 + d, y0 + height);
    ctx.lineTo(x0 + d + height, y0);
  }
  ctx.stroke();
  ctx.restore();
}

/** Thin lines between cells and parts, strong ones between groups (tiles). */
function paintLines(
  ctx: CanvasRenderingContext2D,
  data: CellData,
  view: Viewport,
  headers: Headers,
  theme: GridTheme,
): void {
  const p = place(data, view, headers);
  const { area } = p;
  const thin = new Path2D();
  const middle = new Path2D();
  const strong = new Path2D();
  // The line between a cell and its neighbour; none towards cells that are not loaded.
  const between = (here: number, row: number, col: number): Path2D | null => {
    if (row < 0 || col < 0 || row >= view.rows || col >= view.cols) return strong;
    const w = data.window;
    if (row < w.row || col < w.col || row >= w.row + w.rows || col >= w.col + w.cols) return null;
    const other = p.index(row, col);
    if (data.kind[other] === OUTSIDE) return strong;
    if (data.group[here] !== data.group[other]) return strong;
    return data.part[here] !== data.part[other] ? middle : thin;
  };
  const line = (path: Path2D | null, x0: number, y0: number, x1: number, y1: number): void => {
    path?.moveTo(x0, y0);
    path?.lineTo(x1, y1);
  };
  for (let row = area.row; row < area.row + area.rows; row++) {
    for (let col = area.col; col < area.col + area.cols; col++) {
      const here = p.index(row, col);
      if (data.kind[here] === OUTSIDE) continue;
      const x0 = Math.round(p.x(col)) + 0.5;
      const y0 = Math.round(p.y(row)) + 0.5;
      const x1 = Math.round(p.x(col + 1)) + 0.5;
      const y1 = Math.round(p.y(row + 1)) + 0.5;
      line(between(here, row, col - 1), x0, y0, x0, y1);
      line(between(here, row - 1, col), x0, y0, x1, y0);
      const right = between(here, row, col + 1);
      if (right === strong) line(right, x1, y0, x1, y1);
      const under = between(here, row + 1, col);
      if (under === strong) line(under, x0, y1, x1, y1);
    }
  }
  const draw = (path: Path2D, colour: string, width: number): void => {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.stroke(path);
  };
  draw(thin, theme.line, 1);
  draw(middle, theme.strongLine, 1);
  draw(strong, theme.strongLine, 2);
}

/** Pixels of a cell on the canvas. */
export interface CellBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

function boxOf({ row, col }: CellPlace, view: Viewport, { left, top }: Headers): CellBox {
  return {
    x: left + (col - view.left) * view.cellWidth,
    y: top + (row - view.top) * view.cellHeight,
    width: view.cellWidth,
    height: view.cellHeight,
  };
}

function paintRing(
  ctx: CanvasRenderingContext2D,
  { x, y, width, height }: CellBox,
  colour: string,
  stroke: number,
): void {
  ctx.strokeStyle = colour;
  ctx.lineWidth = stroke;
  const inset = width >= 12 ? stroke / 2 : -1;
  ctx.strokeRect(x + inset, y + inset, width - 2 * inset, height - 2 * inset);
}

/** A ring, and a flag with the letter in the corner. */
export function paintPin(
  ctx: CanvasRenderingContext2D,
  { colour, letter }: Pin,
  box: CellBox,
  theme: GridTheme,
): void {
  const paint = theme.pins[colour % theme.pins.length] ?? theme.accent;
  paintRing(ctx, box, paint, 3);
  if (box.width < TEXT_FROM || box.height < 20) return;
  ctx.fillStyle = paint;
  ctx.fillRect(box.x, box.y, 11, 12);
  ctx.fillStyle = theme.background;
  ctx.font = `bold 9px ${theme.font}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(letter, box.x + 5.5, box.y + 6.5);
}
