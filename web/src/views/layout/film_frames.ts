/** How the frames of a film are drawn: their rows and cells, and where elements are in them. */
import type { FilmFrame, LayoutInfo, LinearWindow } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { type CellData, emptyCells, OUTSIDE, PADDING } from "../../grid/cells";
import { TILE_COLOURS } from "../../grid/theme";
import type { CellPlace, CellRect } from "../../grid/viewport";
import type { Axes } from "../../ui/axes";
import type { FilmSession } from "./film";
import { tileSizes } from "./model";
import type { LayoutSession } from "./session";
import { elementText, indexOf } from "./window_cells";

/** Rows of a frame: the last dimensions, limited to what is easily readable. */
export interface FrameGrid {
  rows: number;
  cols: number;
  /** Slots between strong lines, and between thin ones. */
  group: number;
  part: number;
}

const MOST_COLUMNS = 16;

export function frameGrid(frame: FilmFrame, line: number): FrameGrid {
  const { dims, slots } = frame;
  const minor = dims[dims.length - 1] ?? 1;
  let cols = Math.max(1, minor);
  if (dims.length < 2) cols = Math.max(1, Math.min(line, slots));
  for (let d = dims.length - 2; d > 0; d--) {
    const wider = cols * (dims[d] ?? 1);
    if (wider > MOST_COLUMNS) break;
    cols = wider;
  }
  const second = dims[dims.length - 2] ?? 1;
  const group = dims.length > 2 ? minor * second : Math.max(1, slots);
  return {
    rows: Math.ceil(slots / cols),
    cols,
    group: Math.max(1, group),
    part: Math.max(1, minor),
  };
}

/** The drawing of each frame of a film: a bitcast does not change the rows of the picture. */
export function frameGrids(frames: readonly FilmFrame[], line: number): FrameGrid[] {
  const grids: FrameGrid[] = [];
  for (const frame of frames) {
    const grid = frameGrid(frame, line);
    const before = grids[grids.length - 1];
    if (before && frame.effect === "bitcast") {
      grid.cols = before.cols;
      grid.rows = Math.ceil(frame.slots / before.cols);
    }
    grids.push(grid);
  }
  return grids;
}

/** What a step does, for its label: the engine's "extend" also cuts the end off. */
export function effectOf(frames: readonly FilmFrame[], at: number): FilmFrame["effect"] | "cut" {
  const [before, frame] = [frames[at - 1], frames[at]];
  const cuts = frame?.effect === "extend" && before && frame.slots < before.slots;
  return cuts ? "cut" : (frame?.effect ?? "bitcast");
}

/** The row-major slot of a place in a frame. */
export function slotOf(place: readonly number[], dims: readonly number[]): number {
  return place.reduce((slot, at, d) => slot * (dims[d] ?? 1) + at, 0);
}

/** The cell of a slot. */
export function slotCell(slot: number, { cols }: FrameGrid): CellPlace {
  return { row: Math.floor(slot / cols), col: slot % cols };
}

/** An element keeps its colour from frame to frame: that of its tile, row or column. */
export function elementTint(
  index: readonly number[],
  colour: string,
  axes: Axes,
  tile: readonly number[],
): number {
  const row = index[axes.row] ?? 0;
  const col = index[axes.col] ?? 0;
  if (colour === "none") return -1;
  if (colour === "column") return col % TILE_COLOURS;
  const [tall, wide] = [tile[axes.row] ?? 1, tile[axes.col] ?? 1];
  if (colour === "row" || (tall <= 1 && wide <= 1)) return row % TILE_COLOURS;
  return (Math.floor(col / wide) + 3 * Math.floor(row / tall)) % TILE_COLOURS;
}

export function frameCells(
  info: LayoutInfo,
  frame: FilmFrame,
  grid: FrameGrid,
  look: { colour: string; axes: Axes },
  rect: CellRect,
  answer: LinearWindow,
): CellData {
  const cells = emptyCells(rect);
  const rank = info.dims.length;
  const tile = tileSizes(info);
  for (let i = 0; i < cells.kind.length; i++) {
    const slot = (rect.row + Math.floor(i / rect.cols)) * grid.cols + rect.col + (i % rect.cols);
    if (slot >= frame.slots || rect.col + (i % rect.cols) >= grid.cols) {
      cells.kind[i] = OUTSIDE;
      continue;
    }
    cells.group[i] = Math.floor(slot / grid.group);
    cells.part[i] = Math.floor(slot / grid.part);
    const index = rank === 0 && slot === 0 ? [] : indexOf(answer, rank, slot);
    if (!index) {
      cells.kind[i] = PADDING;
      continue;
    }
    cells.tint[i] = elementTint(index, look.colour, look.axes, tile);
    cells.text[i] = elementText(index);
  }
  return cells;
}

/** A frame, how it is drawn, and its number. */
export interface DrawnFrame {
  frame: FilmFrame;
  grid: FrameGrid;
  at: number;
}

/** Cells of a frame, and what they were made of. */
export async function readFrame(
  app: App,
  layout: LayoutSession,
  info: LayoutInfo,
  { frame, grid, at }: DrawnFrame,
  rect: CellRect,
) {
  const begin = rect.row * grid.cols;
  const count = Math.max(0, Math.min(frame.slots, (rect.row + rect.rows) * grid.cols) - begin);
  const answer = await app.engines.typing.call("filmWindow", [info.subject, at, begin, count]);
  const look = { colour: layout.colour.peek(), axes: layout.axes.peek() };
  return { cells: frameCells(info, frame, grid, look, rect, answer), answer };
}

/** The slot of an element in the frame that is shown; null while it is not known. */
export function slotInFrame(film: FilmSession, index: readonly number[] | null): number | null {
  const frame = film.shown.value;
  const place = index ? film.places.value.get(index.join())?.[film.frame.value] : undefined;
  return frame && place ? slotOf(place, frame.dims) : null;
}
