/**
 * Exported pictures: the cells as painted on the screen, as SVG text or on a canvas of their own.
 * Colours are resolved, since other programs support neither CSS variables nor color-mix.
 */
import { type CellData, type Headers, OUTSIDE, PADDING } from "./cells";
import { paint } from "./paint";
import { type GridTheme, NOT_A_NUMBER, TILE_COLOURS } from "./theme";

/** One grid of a picture. `data` holds all of its cells, from the first. */
export interface PicturePart {
  title: string;
  data: CellData;
  rowName(index: number): string;
  colName(index: number): string;
}

const CELL_HEIGHT = 24;
const TOP = 20;
const TITLE = 24;
const GAP = 24;
const LETTER = 7.2;

interface Placed {
  part: PicturePart;
  x: number;
  left: number;
  cellWidth: number;
  width: number;
  height: number;
}

/** Parts are placed side by side; cells are as wide as their longest text. */
function place(parts: readonly PicturePart[]): Placed[] {
  let x = GAP;
  return parts.map((part) => {
    const { rows, cols } = part.data.window;
    const letters = part.data.text.reduce((most, text) => Math.max(most, text.length), 2);
    const cellWidth = Math.ceil(letters * LETTER + 10);
    const left = Math.ceil(part.rowName(Math.max(0, rows - 1)).length * LETTER + 14);
    // A title may be longer than its grid is wide; nothing else may overlap it.
    const width = left + Math.max(cols * cellWidth, part.title.length * LETTER);
    const placed = { part, x, left, cellWidth, width, height: TITLE + TOP + rows * CELL_HEIGHT };
    x += width + GAP;
    return placed;
  });
}

function sizeOf(placed: readonly Placed[]): { width: number; height: number } {
  const last = placed[placed.length - 1];
  return {
    width: Math.ceil(last ? last.x + last.width + GAP : 2 * GAP),
    height: Math.ceil(placed.reduce((most, { height }) => Math.max(most, height), 0) + 2 * GAP),
  };
}

/** Two colours "#rrggbb", the second with a share of 0 to 1. */
export function mixColours(a: string, b: string, share: number): string {
  const channels = (colour: string): number[] | null => {
    const hex = /^#([0-9a-f]{6})$/i.exec(colour)?.[1];
    return hex ? [0, 2, 4].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)) : null;
  };
  const [from, to] = [channels(a), channels(b)];
  if (!from || !to) return share < 0.5 ? a : b;
  const mixed = from.map((c, i) => Math.round(c + ((to[i] ?? c) - c) * share));
  return `#${mixed.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
}

function fillOf(data: CellData, i: number, theme: GridTheme): string {
  if (data.kind[i] === PADDING) return theme.hatchBackground;
  const heat = data.heat?.[i];
  if (heat === NOT_A_NUMBER) return theme.heatNan;
  if (heat !== undefined && !Number.isNaN(heat)) {
    return mixColours(theme.background, heat < 0 ? theme.heatLow : theme.heatHigh, Math.abs(heat));
  }
  const tint = data.tint[i] ?? -1;
  return tint < 0 ? theme.background : (theme.tiles[tint % TILE_COLOURS] ?? theme.background);
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (c) => escapes[c] ?? c);

function cellsSvg({ part, left, cellWidth }: Placed, theme: GridTheme): string {
  const { data } = part;
  const { rows, cols } = data.window;
  const out: string[] = [];
  const strong: string[] = [];
  const differs = (i: number, row: number, col: number): boolean => {
    if (row < 0 || col < 0 || row >= rows || col >= cols) return true;
    const j = row * cols + col;
    return data.kind[j] === OUTSIDE || data.group[i] !== data.group[j];
  };
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const i = row * cols + col;
      if (data.kind[i] === OUTSIDE) continue;
      const [x, y] = [left + col * cellWidth, TITLE + TOP + row * CELL_HEIGHT];
      const box = `x="${x}" y="${y}" width="${cellWidth}" height="${CELL_HEIGHT}"`;
      out.push(`<rect ${box} fill="${fillOf(data, i, theme)}" class="cell"/>`);
      if (data.kind[i] === PADDING) out.push(`<rect ${box} fill="url(#padding)"/>`);
      const text = data.text[i];
      if (text) {
        const [tx, ty] = [x + cellWidth / 2, y + CELL_HEIGHT / 2 + 4];
        out.push(`<text x="${tx}" y="${ty}" text-anchor="middle">${escaped(text)}</text>`);
      }
      if (differs(i, row, col - 1)) strong.push(`M${x} ${y}v${CELL_HEIGHT}`);
      if (differs(i, row - 1, col)) strong.push(`M${x} ${y}h${cellWidth}`);
      if (differs(i, row, col + 1)) strong.push(`M${x + cellWidth} ${y}v${CELL_HEIGHT}`);
      if (differs(i, row + 1, col)) strong.push(`M${x} ${y + CELL_HEIGHT}h${cellWidth}`);
    }
  }
  return `${out.join("\n")}\n<path class="tile" d="${strong.join("")}"/>`;
}

function headersSvg({ part, left, cellWidth }: Placed): string {
  const { rows, cols } = part.data.window;
  const out = [`<text class="title" x="${left}" y="${TITLE - 8}">${escaped(part.title)}</text>`];
  for (let col = 0; col < cols; col++) {
    const x = left + (col + 0.5) * cellWidth;
    const text = escaped(part.colName(col));
    out.push(`<text class="head" x="${x}" y="${TITLE + 14}" text-anchor="middle">${text}</text>`);
  }
  for (let row = 0; row < rows; row++) {
    const y = TITLE + TOP + row * CELL_HEIGHT + CELL_HEIGHT / 2 + 4;
    const text = escaped(part.rowName(row));
    out.push(`<text class="head" x="${left - 6}" y="${y}" text-anchor="end">${text}</text>`);
  }
  return out.join("\n");
}

export function svgOf(parts: readonly PicturePart[], theme: GridTheme): string {
  const placed = place(parts);
  const { width, height } = sizeOf(placed);
  const style = [
    "text{font:12px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:",
    `${theme.text}}`,
    `.head{fill:${theme.muted};font-size:11px}.title{font-weight:bold}`,
    `.cell{stroke:${theme.strongLine};stroke-opacity:.25;stroke-width:1}`,
    `.tile{stroke:${theme.strongLine};stroke-width:2;fill:none}`,
  ].join("");
  const groups = placed.map(
    (each) =>
      `<g transform="translate(${each.x} ${GAP})">\n${cellsSvg(each, theme)}\n${headersSvg(each)}\n</g>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<style>${style}</style>
<defs><pattern id="padding" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 1l2-2M0 6l6-6M5 7l2-2" stroke="${theme.hatch}"/></pattern></defs>
<rect width="${width}" height="${height}" fill="${theme.background}"/>
${groups.join("\n")}
</svg>
`;
}

/**
 * Two pixels per unit, for high-resolution screens and print; fewer if a browser cannot make a
 * canvas of that size.
 */
const DENSITY = 2;
const MOST_PIXELS = 48_000_000;
const LONGEST_SIDE = 16_000;

export function densityOf(width: number, height: number): number {
  const longest = LONGEST_SIDE / Math.max(width, height, 1);
  return Math.min(DENSITY, longest, Math.sqrt(MOST_PIXELS / Math.max(1, width * height)));
}

/** Paints the parts on a canvas of their own. */
export function canvasOf(parts: readonly PicturePart[], theme: GridTheme): HTMLCanvasElement {
  const placed = place(parts);
  const { width, height } = sizeOf(placed);
  const canvas = document.createElement("canvas");
  const density = densityOf(width, height);
  canvas.width = Math.floor(width * density);
  canvas.height = Math.floor(height * density);
  const ctx = canvas.getContext("2d");
  if (!ctx) return canvas;
  ctx.scale(density, density);
  ctx.fillStyle = theme.background;
  ctx.fillRect(0, 0, width, height);
  for (const { part, x, left, cellWidth } of placed) {
    const { rows, cols } = part.data.window;
    const headers: Headers = { left, top: TOP, row: part.rowName, col: part.colName };
    ctx.save();
    ctx.translate(x, GAP);
    ctx.fillStyle = theme.text;
    ctx.font = `bold 12px ${theme.font}`;
    ctx.fillText(part.title, left, TITLE - 8);
    ctx.translate(0, TITLE);
    const view = {
      rows,
      cols,
      width: cols * cellWidth + 1,
      height: rows * CELL_HEIGHT + 1,
      cellWidth,
      cellHeight: CELL_HEIGHT,
      top: 0,
      left: 0,
    };
    const none = { selected: null, hovered: null, focused: false, dimmed: false };
    paint(ctx, part.data, view, headers, { ...theme, header: theme.background }, none);
    ctx.restore();
  }
  return canvas;
}
