/** A heat map on its canvas. */
import { TILE_INFINITY, TILE_NAN, type ValueTiles } from "../../../../../wasm/figure_types";
import { blockSize, pixelsOf, type Range } from "./colours";

export const MARKS = { nan: TILE_NAN, infinity: TILE_INFINITY } as const;

export interface Block {
  row: number;
  col: number;
}

/** In blocks. */
export interface Size {
  rows: number;
  cols: number;
}

export interface Drawing {
  tiles: ValueTiles;
  numbers: Float64Array;
  range: Range;
  selected: Block | null;
  /** Without marks for what is not finite. */
  plain?: boolean;
}

/** The block under a pointer. */
export function blockAt(
  canvas: HTMLCanvasElement,
  { clientX, clientY }: MouseEvent,
  { rows, cols }: Size,
): Block | null {
  const box = canvas.getBoundingClientRect();
  const row = Math.floor(((clientY - box.top) / box.height) * rows);
  const col = Math.floor(((clientX - box.left) / box.width) * cols);
  return row >= 0 && row < rows && col >= 0 && col < cols ? { row, col } : null;
}

/** Where a key leads; null for keys that lead nowhere. */
export function movedBlock(key: string, from: Block | null, size: Size): Block | null {
  const steps: Record<string, [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    Home: [0, -size.cols],
    End: [0, size.cols],
    PageUp: [-16, 0],
    PageDown: [16, 0],
  };
  const step = steps[key];
  if (!step) return null;
  if (!from) return { row: 0, col: 0 };
  const within = (n: number, most: number): number => Math.max(0, Math.min(most - 1, n));
  return { row: within(from.row + step[0], size.rows), col: within(from.col + step[1], size.cols) };
}

/** The smallest block, in pixels of the screen, in which a hatch can be seen. */
const LEAST_HATCH = 5;

/** What is not finite: stripes for NaN, a cross for infinities, on their own ground if there is nothing else. */
function drawMarks(
  paint: CanvasRenderingContext2D,
  drawing: Drawing,
  size: { width: number; height: number },
): void {
  const { tiles, numbers } = drawing;
  const style = getComputedStyle(paint.canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim() || "gray";
  const grounds = { nan: colour("--heat-nan"), infinity: colour("--tile-line") };
  const [dark, light] = [colour("--text"), colour("--panel")];
  const isSmall = Math.min(size.width, size.height) < LEAST_HATCH;
  tiles.marks.forEach((mark, i) => {
    if (mark === 0) return;
    const [x, y] = [(i % tiles.cols) * size.width, Math.floor(i / tiles.cols) * size.height];
    const isNan = (mark & TILE_NAN) !== 0;
    if (isSmall || !Number.isFinite(numbers[i])) {
      paint.fillStyle = isNan ? grounds.nan : grounds.infinity;
      paint.fillRect(x, y, Math.max(size.width, 1), Math.max(size.height, 1));
    }
    if (isSmall) return;
    const [right, bottom] = [x + size.width - 1, y + size.height - 1];
    paint.strokeStyle = isNan ? dark : light;
    paint.beginPath();
    paint.moveTo(x + 1, bottom);
    paint.lineTo(right, y + 1);
    if (!isNan) {
      paint.moveTo(x + 1, y + 1);
      paint.lineTo(right, bottom);
    }
    paint.stroke();
  });
}

function drawSelected(
  paint: CanvasRenderingContext2D,
  { row, col }: Block,
  size: { width: number; height: number },
): void {
  const style = getComputedStyle(paint.canvas);
  const grow = Math.max(0, 6 - Math.min(size.width, size.height)) / 2;
  const box = [
    col * size.width - grow,
    row * size.height - grow,
    size.width + 2 * grow,
    size.height + 2 * grow,
  ] as const;
  for (const [width, name] of [
    [4, "--panel"],
    [2, "--accent"],
  ] as const) {
    paint.lineWidth = width;
    paint.strokeStyle = style.getPropertyValue(name);
    paint.strokeRect(...box);
  }
}

/** Draws all blocks as large as the place allows. */
export function drawBlocks(canvas: HTMLCanvasElement, place: HTMLElement, drawing: Drawing): void {
  const { tiles, range, numbers, selected } = drawing;
  const room = { width: place.clientWidth - 4, height: place.clientHeight - 4 };
  const size = blockSize(tiles.rows, tiles.cols, room);
  const [width, height] = [tiles.cols * size.width, tiles.rows * size.height];
  const density = devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * density));
  canvas.height = Math.max(1, Math.round(height * density));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const small = document.createElement("canvas");
  [small.width, small.height] = [tiles.cols, tiles.rows];
  const paint = canvas.getContext("2d");
  const pixels = small.getContext("2d");
  if (!paint || !pixels || tiles.rows === 0) return;
  pixels.putImageData(new ImageData(pixelsOf(range, numbers), tiles.cols, tiles.rows), 0, 0);
  paint.scale(density, density);
  paint.imageSmoothingEnabled = false;
  paint.drawImage(small, 0, 0, width, height);
  if (!drawing.plain) drawMarks(paint, drawing, size);
  if (selected) drawSelected(paint, selected, size);
}
