/** Texts in cells, and the names of rows and columns. Pure. */
import type { CellData, Headers, Marks } from "./cells";
import { place } from "./placing";
import type { GridTheme } from "./theme";
import {
  LETTER,
  labelStep,
  SMALLEST_TEXT,
  textSize,
  type Viewport,
  visibleCells,
} from "./viewport";

/** Pixels of a letter of a name, and how tall it is. */
const LABEL = 7;
const LABEL_HEIGHT = 11;

/** Whether cells have room for a second line. */
export function isDetailed(view: Viewport): boolean {
  return view.cellWidth >= 84 && view.cellHeight >= 40;
}

export function paintTexts(
  ctx: CanvasRenderingContext2D,
  data: CellData,
  view: Viewport,
  headers: Headers,
  theme: GridTheme,
): void {
  const p = place(data, view, headers);
  const { area } = p;
  let longest = 0;
  for (let row = area.row; row < area.row + area.rows; row++) {
    for (let col = area.col; col < area.col + area.cols; col++) {
      longest = Math.max(longest, data.text[p.index(row, col)]?.length ?? 0);
    }
  }
  const size = textSize(view.cellWidth, view.cellHeight, longest);
  ctx.font = `${size}px ${theme.font}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillStyle = theme.text;
  const letters = Math.max(1, Math.floor((view.cellWidth - 4) / (size * LETTER) + 0.01));
  for (let row = area.row; row < area.row + area.rows; row++) {
    for (let col = area.col; col < area.col + area.cols; col++) {
      const text = data.text[p.index(row, col)];
      if (!text) continue;
      const shown = text.length > letters ? `${text.slice(0, Math.max(1, letters - 1))}…` : text;
      const detail = isDetailed(view) ? data.detail?.(p.index(row, col)) : "";
      const x = p.x(col) + view.cellWidth / 2;
      const y = p.y(row) + view.cellHeight / 2 + 0.5;
      ctx.fillText(shown, x, detail ? y - 8 : y);
      if (!detail || detail.length * SMALLEST_TEXT * LETTER > view.cellWidth - 4) continue;
      ctx.fillStyle = theme.muted;
      ctx.font = `${SMALLEST_TEXT}px ${theme.font}`;
      ctx.fillText(detail, x, y + 9);
      ctx.font = `${size}px ${theme.font}`;
      ctx.fillStyle = theme.text;
    }
  }
}

export function paintHeaders(
  ctx: CanvasRenderingContext2D,
  view: Viewport,
  headers: Headers,
  theme: GridTheme,
  marks: Marks,
): void {
  const { left, top } = headers;
  const seen = visibleCells(view);
  const active = marks.hovered ?? marks.selected;
  ctx.fillStyle = theme.header;
  if (top > 0) ctx.fillRect(0, 0, left + view.width, top);
  if (left > 0) ctx.fillRect(0, 0, left, top + view.height);
  ctx.font = `11px ${theme.font}`;
  ctx.textBaseline = "middle";
  const label = (text: string, x: number, y: number, on: boolean): void => {
    ctx.fillStyle = on ? theme.text : theme.muted;
    ctx.fillText(text, x, y);
  };
  if (top > 0) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, 0, view.width, top);
    ctx.clip();
    ctx.textAlign = "center";
    const step = labelStep(view.cellWidth, headers.col(seen.col + seen.cols).length * LABEL + 6);
    for (let col = Math.floor(seen.col / step) * step; col < seen.col + seen.cols; col += step) {
      const x = left + (col + 0.5 - view.left) * view.cellWidth;
      // Of a small cell at the edge the name is not cut.
      const half = (headers.col(col).length * LABEL) / 2;
      const least = view.cellWidth < 2 * half ? left + half : x;
      const middle = Math.max(x, least);
      // Of a number the rest would be read as another number.
      if (middle - half < left || middle + half > left + view.width) continue;
      label(headers.col(col), middle, top / 2 + 0.5, active?.col === col);
    }
    ctx.restore();
  }
  if (left > 0) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, top, left, view.height);
    ctx.clip();
    ctx.textAlign = "right";
    const step = labelStep(view.cellHeight, 14);
    for (let row = Math.floor(seen.row / step) * step; row < seen.row + seen.rows; row += step) {
      const y = top + (row + 0.5 - view.top) * view.cellHeight;
      const least = view.cellHeight < 14 ? top + 7 : y;
      const middle = Math.max(y, least);
      if (middle + LABEL_HEIGHT / 2 > top + view.height) continue;
      label(headers.row(row), left - 6, middle + 0.5, active?.row === row);
    }
    ctx.restore();
  }
}
