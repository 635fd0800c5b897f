/**
 * Animation of cells from one picture to the next: a cell is identified by its text. Pure; the
 * painter passes the progress.
 */
import { type CellData, type Headers, OUTSIDE, PADDING, type Pin } from "./cells";
import { type CellBox, paintPin } from "./paint";
import { type GridTheme, TILE_COLOURS } from "./theme";
import { type CellPlace, textSize, type Viewport } from "./viewport";

/** What was painted, and how. */
export interface Painted {
  data: CellData;
  view: Viewport;
  left: number;
}

/** Above this number, cells are not animated: nobody could follow them. */
const MOST_MOVING = 1200;

export interface MovingCell {
  /** Where it goes. */
  place: CellPlace;
  text: string;
  tint: number;
  /** Pixels: before and after. Null before: the cell is new and appears in place. */
  from: CellBox | null;
  to: CellBox;
}

function rectOf({ data, view, left }: Painted, top: number, i: number) {
  const row = data.window.row + Math.floor(i / data.window.cols);
  const col = data.window.col + (i % data.window.cols);
  return {
    x: left + (col - view.left) * view.cellWidth,
    y: top + (row - view.top) * view.cellHeight,
    width: view.cellWidth,
    height: view.cellHeight,
  };
}

/** The cells that move; none if there are too many, or none existed before. */
export function movingCells(before: Painted, after: Painted, top: number): MovingCell[] {
  const counts = [before.data.kind.length, after.data.kind.length];
  if (Math.max(...counts) > MOST_MOVING) return [];
  const places = new Map<string, number>();
  before.data.text.forEach((text, i) => {
    if (text) places.set(text, i);
  });
  const cells: MovingCell[] = [];
  let known = 0;
  after.data.kind.forEach((kind, i) => {
    if (kind === OUTSIDE) return;
    const text = after.data.text[i] ?? "";
    const was = text ? places.get(text) : undefined;
    if (was !== undefined) known++;
    const { window } = after.data;
    cells.push({
      place: { row: window.row + Math.floor(i / window.cols), col: window.col + (i % window.cols) },
      text,
      tint: kind === PADDING ? -2 : (after.data.tint[i] ?? -1),
      from: was === undefined ? null : rectOf(before, top, was),
      to: rectOf(after, top, i),
    });
  });
  return known > 0 ? cells : [];
}

/** Ease in and out. */
export function eased(share: number): number {
  const t = Math.max(0, Math.min(1, share));
  return t * t * (3 - 2 * t);
}

/** The position of a moving cell. */
export function rectAt({ from, to }: MovingCell, share: number): CellBox {
  const t = eased(share);
  const between = (a: number, b: number): number => a + (b - a) * t;
  const start = from ?? to;
  return {
    x: between(start.x, to.x),
    y: between(start.y, to.y),
    width: between(start.width, to.width),
    height: between(start.height, to.height),
  };
}

export function paintMoving(
  ctx: CanvasRenderingContext2D,
  cells: readonly MovingCell[],
  share: number,
  size: { width: number; height: number },
  headers: Headers,
  theme: GridTheme,
  pins: readonly Pin[],
): void {
  ctx.fillStyle = theme.background;
  ctx.fillRect(0, 0, size.width, size.height);
  ctx.save();
  ctx.beginPath();
  ctx.rect(headers.left, headers.top, size.width - headers.left, size.height - headers.top);
  ctx.clip();
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.strokeStyle = theme.strongLine;
  ctx.lineWidth = 1;
  for (const cell of cells) {
    const { text, tint, from } = cell;
    const { x, y, width, height } = rectAt(cell, share);
    ctx.globalAlpha = from ? 1 : eased(share);
    ctx.fillStyle =
      tint === -2
        ? theme.hatchBackground
        : tint < 0
          ? theme.background
          : (theme.tiles[tint % TILE_COLOURS] ?? theme.background);
    ctx.fillRect(x, y, width, height);
    ctx.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
    if (!text) continue;
    ctx.fillStyle = theme.text;
    ctx.font = `${textSize(width, height, text.length)}px ${theme.font}`;
    ctx.fillText(text, x + width / 2, y + height / 2 + 0.5);
  }
  // Pinned cells stay marked while they move, and are painted above the others.
  ctx.globalAlpha = 1;
  for (const pin of pins) {
    const { row, col } = pin.place;
    const cell = cells.find(({ place }) => place.row === row && place.col === col);
    if (cell) paintPin(ctx, pin, rectAt(cell, share), theme);
  }
  ctx.restore();
}
