/** The state of the layout view: the layout on the screen, what is hovered and selected in it. */
import { batch, effect, type Signal, signal } from "@preact/signals";
import type {
  AddressInfo,
  LayoutInfo,
  LinearWindow,
  LogicalWindow,
} from "../../../../wasm/engine_api";
import { selectElement } from "../../app/actions";
import type { App } from "../../app/app";
import { Latest } from "../../app/engines";
import type { CellRect } from "../../grid/viewport";
import { type Axes, cellOf, defaultAxes, inBounds, parseAxes, sliceThrough } from "../../ui/axes";
import type { ColourMode } from "./colours";
import { type CellMode, naturalLine, sampleIndex } from "./model";
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
