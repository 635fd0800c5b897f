/** The state of the layout view: the layout on the screen, what is hovered and selected in it. */
import { batch, effect, type Signal, signal } from "@preact/signals";
import type {
  AddressInfo,
  LayoutInfo,
  LinearWindow,
  LogicalWindow,
  ValueRef,
} from "../../../../wasm/engine_api";
import { selectElement } from "../../app/actions";
import type { App } from "../../app/app";
import { Latest } from "../../app/engines";
import type { CellData } from "../../grid/cells";
import type { CellPlace, CellRect } from "../../grid/viewport";
import {
  type Axes,
  cellOf,
  defaultAxes,
  inBounds,
  indexAt,
  parseAxes,
  sliceSize,
  sliceThrough,
  windowSpec,
} from "../../ui/axes";
import { type ColourMode, colourings } from "./colours";
import {
  type CellMode,
  indexOf,
  type Look,
  logicalCells,
  memoryCells,
  naturalLine,
  sampleIndex,
} from "./model";
import { type Tiling, tilingOf } from "./tiling";
import type { PictureId, Zoom } from "./zoom";

/** An element and its place; `index` is null for padding. */
export interface Spot {
  index: number[] | null;
  offset: number;
}

export interface LayoutSession {
  info: Signal<LayoutInfo | null>;
  /** Counts the layouts shown: windows of an earlier one are loaded again. */
  turn: Signal<number>;
  tiling: Signal<Tiling>;
  axes: Signal<Axes>;
  /** Axes that a link asks for, until a layout arrives that they are for. */
  linkedAxes: string;
  cells: Signal<CellMode>;
  colour: Signal<ColourMode>;
  /** Elements per line of the memory picture; 0 for automatic. */
  line: Signal<number>;
  asTable: Signal<boolean>;
  /** What a person, or a link, made of the pictures; null for the whole. */
  zoom: Record<PictureId, Signal<Zoom | null>>;
  hover: Signal<Spot | null>;
  picked: Signal<Spot | null>;
  address: Signal<AddressInfo | null>;
  /** Loaded windows, which hovering and the live region read. */
  logical: { rect: CellRect; answer: LogicalWindow } | null;
  linear: LinearWindow | null;
  /** Texts of elements by their offset, as far as they were seen. */
  values: Signal<ReadonlyMap<number, string>>;
  /** `self`: the object that others use, if it is not this one. */
  start(app: App, self?: LayoutSession): () => void;
}

const NO_TILING: Tiling = { volume: 1, part: 1, across: 1 };

/** The value that can be shown in a layout: of the same type and sizes. */
export function valueFor(app: App, info: LayoutInfo): ValueRef | null {
  const { chosen, choice, results } = app.state;
  const value = chosen.value?.value;
  if (!value || !choice.value || !results.value || value.kind !== "array") return null;
  const fits = value.elementType === info.elementType && value.dims.join() === info.dims.join();
  if (!fits || chosen.value?.entry?.dropped) return null;
  return {
    handle: results.value.run.handle,
    entry: choice.value.entry,
    path: choice.value.path,
  };
}

/** Axes stay as they were chosen as long as there are as many dimensions. */
function takeAxes(session: LayoutSession, { dims }: LayoutInfo, index: number[]): void {
  const { linkedAxes, axes } = session;
  if (linkedAxes || axes.value.fixed.length !== dims.length) {
    axes.value = parseAxes(linkedAxes, dims.length);
    session.linkedAxes = "";
  }
  axes.value = sliceThrough(axes.value, index);
}

/** `leads`: the axes are this session's own, and not those of the layout it is compared with. */
function takeLayout(session: LayoutSession, app: App, info: LayoutInfo, leads: boolean): void {
  batch(() => {
    session.info.value = info;
    session.turn.value++;
    session.tiling.value = info.ok ? tilingOf(info) : NO_TILING;
    session.hover.value = null;
    // That of another layout would put its bytes elsewhere.
    session.address.value = null;
    session.values.value = new Map();
    const index = app.state.focus.value.index;
    if (!info.ok || info.logicalElements === 0) session.picked.value = null;
    else {
      const wanted = index && inBounds(index, info.dims) ? index : sampleIndex(info);
      session.picked.value = { index: wanted, offset: -1 };
      if (leads) takeAxes(session, info, wanted);
    }
  });
}

/** The address of what is selected; fills in its offset. */
function watchPicked(session: LayoutSession, app: App): () => void {
  const ask = new Latest(([shape, index]: [string, number[]]) =>
    app.engines.typing.call("address", [shape, index]),
  );
  return effect(() => {
    const info = session.info.value;
    const spot = session.picked.value;
    if (!info?.ok || !spot?.index) {
      session.address.value = null;
      return;
    }
    const index = spot.index;
    ask.ask([info.subject, index]).then((address) => {
      if (!address || session.picked.peek()?.index !== index) return;
      batch(() => {
        session.address.value = address;
        if (spot.offset !== address.offset)
          session.picked.value = { index, offset: address.offset };
      });
    });
  });
}

export function createSession(
  shapeOf: (app: App) => string = (app) => app.state.layoutShape.value,
): LayoutSession {
  const made: LayoutSession = {
    info: signal(null),
    turn: signal(0),
    tiling: signal(NO_TILING),
    axes: signal(defaultAxes(2)),
    linkedAxes: "",
    cells: signal("offset"),
    colour: signal("tile"),
    line: signal(0),
    asTable: signal(false),
    zoom: { logical: signal(null), memory: signal(null) },
    hover: signal(null),
    picked: signal(null),
    address: signal(null),
    logical: null,
    linear: null,
    values: signal(new Map()),
    start(app, session = made) {
      let asked = 0;
      const ask = new Latest((shape: string) => app.engines.typing.call("layout", [shape]));
      const stops = [
        effect(() => {
          const shape = shapeOf(app);
          const turn = ++asked;
          if (shape === "") session.info.value = null;
          else {
            ask.ask(shape).then((info) => {
              if (info && turn === asked) takeLayout(session, app, info, session === made);
            });
          }
        }),
        effect(() => {
          const index = app.state.focus.value.index;
          const info = session.info.peek();
          const shown = session.picked.peek()?.index;
          if (!index || !info?.ok || !inBounds(index, info.dims)) return;
          if (shown && shown.join() === index.join()) return;
          session.picked.value = { index, offset: -1 };
          session.axes.value = sliceThrough(session.axes.peek(), index);
        }),
        watchPicked(session, app),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
  return made;
}

/** The byte in which an element begins. Metadata before the array (M(n)) shifts all elements. */
export function byteAt(session: LayoutSession, offset: number): number {
  const bits = session.info.value?.elementBits ?? 8;
  const byte = (at: number): number => Math.floor((at * bits) / 8);
  const known = session.address.value;
  return byte(offset) + (known?.ok ? known.byteOffset - byte(known.offset) : 0);
}

export function lineOf(session: LayoutSession): number {
  const info = session.info.value;
  return session.line.value || (info ? naturalLine(info, session.tiling.value) : 16);
}

/** Selects an element (or a padding slot) in every view. */
export function pick(session: LayoutSession, app: App, spot: Spot): void {
  batch(() => {
    session.picked.value = spot;
    // A selection by key is announced even while the mouse is over another cell.
    session.hover.value = null;
    if (spot.index) {
      if (cellOf(session.axes.value, spot.index) === null) {
        session.axes.value = sliceThrough(session.axes.value, spot.index);
      }
      selectElement(app, spot.index);
    }
  });
}

/** The element of a cell of the logical picture; its offset as far as it is loaded. */
export function logicalSpot(session: LayoutSession, place: CellPlace): Spot | null {
  const info = session.info.value;
  if (!info) return null;
  const index = indexAt(session.axes.value, place.row, place.col);
  const loaded = session.logical;
  let offset = -1;
  if (loaded) {
    const { rect, answer } = loaded;
    const [r, c] = [place.row - rect.row, place.col - rect.col];
    if (r >= 0 && c >= 0 && r < rect.rows && c < rect.cols) {
      offset = answer.offsets[r * rect.cols + c] ?? -1;
    }
  }
  return inBounds(index, info.dims) ? { index, offset } : null;
}

export function memorySpot(session: LayoutSession, place: CellPlace, line: number): Spot | null {
  const info = session.info.value;
  const offset = place.row * line + place.col;
  if (!info || offset >= info.physicalElements) return null;
  const rank = info.dims.length;
  const index = rank === 0 && offset === 0 ? [] : null;
  return {
    index: index ?? (session.linear ? indexOf(session.linear, rank, offset) : null),
    offset,
  };
}

function lookOf(session: LayoutSession): Look {
  return { cells: session.cells.peek(), colouring: colourings[session.colour.peek()] };
}

/** Texts of a window of values, by offset; none when there is no value for this layout. */
async function loadValues(
  session: LayoutSession,
  app: App,
  info: LayoutInfo,
  axes: Axes,
  rect: CellRect,
  answer: LogicalWindow,
): Promise<ReadonlyMap<number, string>> {
  const ref = valueFor(app, info);
  if (!ref) return new Map();
  const size = sliceSize(axes, info.dims);
  const rows = Math.min(rect.rows, size.rows - rect.row);
  const cols = Math.min(rect.cols, size.cols - rect.col);
  if (rows <= 0 || cols <= 0) return session.values.peek();
  const cut = { ...rect, rows, cols };
  const window = await app.engines.results
    .call("valueWindow", [ref, windowSpec(axes, cut)])
    .catch(() => null);
  const texts = new Map(session.values.peek());
  window?.text.forEach((text, i) => {
    const at = Math.floor(i / cols) * rect.cols + (i % cols);
    texts.set(answer.offsets[at] ?? -1, text);
  });
  return texts;
}

/** A cache of texts, which is dropped when it exceeds this size. */
const MOST_VALUES = 100_000;

/** Cells of the logical array, and what they were made of. */
export async function readLogical(
  session: LayoutSession,
  app: App,
  rect: CellRect,
  mode: CellMode = session.cells.peek(),
) {
  const info = session.info.peek();
  if (!info?.ok) return null;
  const axes = session.axes.peek();
  const spec = windowSpec(axes, rect);
  const answer = await app.engines.typing.call("logicalWindow", [info.subject, spec]);
  const values = await loadValues(session, app, info, axes, rect, answer);
  if (session.info.peek() !== info) return null;
  const look = { ...lookOf(session), cells: mode };
  const cells = logicalCells(info, session.tiling.peek(), axes, look, rect, answer, values);
  return { cells, answer, values };
}

/** The same, kept for hovering. */
export async function loadLogical(
  session: LayoutSession,
  app: App,
  rect: CellRect,
): Promise<CellData | null> {
  const read = await readLogical(session, app, rect);
  if (!read) return null;
  const { cells, answer, values } = read;
  session.logical = { rect, answer };
  if (values.size > 0) session.values.value = values.size > MOST_VALUES ? new Map() : values;
  return cells;
}

/** Cells of memory, and what they were made of. */
export async function readMemory(
  session: LayoutSession,
  app: App,
  rect: CellRect,
  line = lineOf(session),
) {
  const info = session.info.peek();
  if (!info?.ok) return null;
  const begin = rect.row * line;
  const end = Math.min(info.physicalElements, (rect.row + rect.rows) * line);
  const answer = await app.engines.typing.call("linearWindow", [
    info.subject,
    begin,
    Math.max(0, end - begin),
  ]);
  if (session.info.peek() !== info) return null;
  const look = lookOf(session);
  const cells = memoryCells(
    info,
    session.tiling.peek(),
    session.axes.peek(),
    look,
    rect,
    line,
    answer,
    session.values.peek(),
  );
  return { cells, answer };
}

export async function loadMemory(
  session: LayoutSession,
  app: App,
  rect: CellRect,
  line: number,
): Promise<CellData | null> {
  const read = await readMemory(session, app, rect, line);
  if (!read) return null;
  session.linear = read.answer;
  return read.cells;
}

/** What a picture shows: of another subject the whole is shown first. */
export function subjectOf(session: LayoutSession, picture: PictureId): string {
  const info = session.info.value;
  const { row, col } = session.axes.value;
  if (picture === "memory") return `${info?.subject} ${lineOf(session)}`;
  return `${info?.subject} ${row} ${col}`;
}

/** The zoom that a picture has; null for the whole. */
export function zoomOf(session: LayoutSession, picture: PictureId): Zoom | null {
  const zoom = session.zoom[picture].value;
  if (!zoom || zoom.subject === null) return zoom;
  return zoom.subject === subjectOf(session, picture) ? zoom : null;
}
