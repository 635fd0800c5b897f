/**
 * The film of a layout, frame by frame: which frame is shown, which elements are pinned, and where
 * they are in it. The engine computes the steps; the page draws them.
 */
import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { FilmFrame, FilmInfo, LayoutInfo, LinearWindow } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { Latest } from "../../app/engines";
import { type CellData, emptyCells, OUTSIDE, PADDING } from "../../grid/cells";
import { TILE_COLOURS } from "../../grid/theme";
import type { CellPlace, CellRect } from "../../grid/viewport";
import { type Axes, inBounds } from "../../ui/axes";
import { elementText, indexOf, tileSizes } from "./model";
import type { LayoutSession } from "./session";

/** Maximum number of pinned elements: each has a colour and a letter. */
export const MOST_PINS = 6;
export const PIN_LETTERS = "ABCDEF";

export interface FilmSession {
  open: Signal<boolean>;
  frame: Signal<number>;
  /** Null until the engine has answered; for the layout on the screen. */
  info: Signal<FilmInfo | null>;
  shown: ReadonlySignal<FilmFrame | null>;
  pins: Signal<number[][]>;
  /** Where the selected element and the pins are, by index text: a place per frame. */
  places: Signal<ReadonlyMap<string, number[][]>>;
  /** What hovering reads from. */
  window: LinearWindow | null;
  start(app: App, layout: LayoutSession): () => void;
}

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

function watchInfo(film: FilmSession, app: App, layout: LayoutSession): () => void {
  const ask = new Latest((shape: string) => app.engines.typing.call("film", [shape]));
  return effect(() => {
    const info = layout.info.value;
    if (!film.open.value || !info?.ok) return;
    ask.ask(info.subject).then((answer) => {
      if (!answer || layout.info.peek() !== info) return;
      batch(() => {
        film.info.value = answer;
        film.frame.value = Math.max(0, Math.min(film.frame.peek(), answer.frames.length - 1));
        film.pins.value = film.pins.peek().filter((index) => inBounds(index, info.dims));
        film.places.value = new Map();
      });
    });
  });
}

/** Requests the positions of the selected element and the pins, each once. */
function watchPlaces(film: FilmSession, app: App, layout: LayoutSession): () => void {
  return effect(() => {
    const info = layout.info.value;
    const known = film.places.value;
    const picked = layout.picked.value?.index;
    if (!film.open.value || !info?.ok || !film.info.value) return;
    for (const index of [...film.pins.value, ...(picked ? [picked] : [])]) {
      const key = index.join();
      if (known.has(key) || !inBounds(index, info.dims)) continue;
      app.engines.typing.call("filmPlaces", [info.subject, index]).then(
        (places) => {
          if (layout.info.peek() !== info) return;
          film.places.value = new Map(film.places.peek()).set(key, places);
        },
        () => undefined,
      );
    }
  });
}

export function createFilm(): FilmSession {
  const info = signal<FilmInfo | null>(null);
  const frame = signal(0);
  const film: FilmSession = {
    open: signal(false),
    frame,
    info,
    shown: computed(() => info.value?.frames[frame.value] ?? null),
    pins: signal([]),
    places: signal(new Map()),
    window: null,
    start(app, layout) {
      const stops = [watchInfo(film, app, layout), watchPlaces(film, app, layout)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
  return film;
}

/** Goes to a frame; ignored if out of range. */
export function step(film: FilmSession, by: number): void {
  const last = (film.info.value?.frames.length ?? 1) - 1;
  film.frame.value = Math.max(0, Math.min(last, film.frame.value + by));
}

/** Pins or unpins an element. */
export function togglePin(film: FilmSession, index: number[]): void {
  const key = index.join();
  const others = film.pins.value.filter((pin) => pin.join() !== key);
  if (others.length < film.pins.value.length) film.pins.value = others;
  else film.pins.value = [...others, index].slice(-MOST_PINS);
}

/** "2,3~0,4": indices in a link. */
export function pinsText(pins: readonly number[][]): string {
  return pins.map((index) => index.join(",")).join("~");
}

export function parsePins(text: string | undefined): number[][] {
  return (text ?? "")
    .split("~")
    .slice(0, MOST_PINS)
    .filter((part) => part.length < 400 && /^\d{1,15}(,\d{1,15})*$/.test(part))
    .map((part) => part.split(",").map(Number));
}

/** The slot of an element in the frame that is shown; null while it is not known. */
export function slotInFrame(film: FilmSession, index: readonly number[] | null): number | null {
  const frame = film.shown.value;
  const place = index ? film.places.value.get(index.join())?.[film.frame.value] : undefined;
  return frame && place ? slotOf(place, frame.dims) : null;
}
