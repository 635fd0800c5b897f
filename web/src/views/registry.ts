/**
 * The views. Adding one is a file with its component and a line in `views`. `encode` and `decode`
 * carry what a link says of a view, in readable parameters.
 */
import type { JSX } from "preact";
import { createElement } from "preact";
import type { App } from "../app/app";
import { words } from "../strings";
import { axesText } from "../ui/AxisPicker";
import type { IconName } from "../ui/Icon";
import { lazy } from "../ui/lazy";
import { createDialectSession, type DialectSession, otherDialect } from "./dialect/session";
import { COLOUR_MODES } from "./layout/colours";
import { createCompared } from "./layout/compare";
import { createFilm, type FilmSession, parsePins, pinsText } from "./layout/film";
import { CELL_MODES } from "./layout/model";
import { createSession, type LayoutSession } from "./layout/session";
import { OpsView, opFilter } from "./OpsView";
import { heat, mode } from "./values/look";

export interface View {
  id: string;
  title: string;
  /** What its tab says, where that depends on the program. */
  tab?(app: App): string;
  icon: IconName;
  Component(props: { app: App }): JSX.Element | null;
  /** The view's own state as link parameters: only what differs from its defaults. */
  encode(app: App): Record<string, string>;
  /** Takes what it knows from the parameters of a link; ignores the rest. */
  decode(app: App, params: Readonly<Record<string, string>>): void;
  /** The sentence it shows when there is nothing to show. */
  empty: string;
}

/** A view that has nothing of its own in links. */
const stateless: Pick<View, "encode" | "decode"> = {
  encode: () => ({}),
  decode: () => undefined,
};

export const dialectSession: DialectSession = createDialectSession();

/** The layout view goes on following the cursor while other views are shown. */
export const layoutSession: LayoutSession = createSession();
export const comparedSession: LayoutSession = createCompared(layoutSession);
export const film: FilmSession = createFilm();
/** What the layout view shows, and what is exported of it. */
export const layoutSessions = { session: layoutSession, compared: comparedSession, film };

const values: View = {
  id: "values",
  title: words.values.title,
  icon: "values",
  Component: lazy(async () => (await import("./values/ValuesView")).ValuesView),
  encode: () => ({
    ...(mode.value === "grid" ? {} : { as: mode.value }),
    ...(heat.value ? { heat: "1" } : {}),
  }),
  decode(_app, params) {
    if (params.as === "table" || params.as === "text") mode.value = params.as;
    heat.value = params.heat === "1";
  },
  empty: words.values.empty,
};

const layout: View = {
  id: "layout",
  title: words.layout.title,
  icon: "layout",
  Component: lazy(async () => {
    const { LayoutView } = await import("./layout/LayoutView");
    return ({ app }: { app: App }) => createElement(LayoutView, { app, ...layoutSessions });
  }),
  encode: () => ({
    ...(layoutSession.cells.value === "offset" ? {} : { cells: layoutSession.cells.value }),
    ...(layoutSession.colour.value === "tile" ? {} : { colour: layoutSession.colour.value }),
    ...(axesText(layoutSession.axes.value) ? { axes: axesText(layoutSession.axes.value) } : {}),
    ...(layoutSession.line.value ? { line: String(layoutSession.line.value) } : {}),
    ...(film.open.value ? { film: String(film.frame.value) } : {}),
    ...(film.pins.value.length > 0 ? { pins: pinsText(film.pins.value) } : {}),
  }),
  decode(_app, params) {
    const cells = CELL_MODES.find((known) => known === params.cells);
    if (cells) layoutSession.cells.value = cells;
    const colour = COLOUR_MODES.find((known) => known === params.colour);
    if (colour) layoutSession.colour.value = colour;
    layoutSession.linkedAxes = params.axes ?? "";
    const line = Number(params.line);
    if (Number.isInteger(line) && line > 0 && line <= 256) layoutSession.line.value = line;
    const frame = /^\d{1,3}$/.test(params.film ?? "") ? Number(params.film) : null;
    film.open.value = frame !== null;
    film.frame.value = frame ?? 0;
    film.pins.value = parsePins(params.pins);
  },
  empty: words.layout.empty,
};

const outline: View = {
  id: "outline",
  title: words.outline.title,
  icon: "outline",
  Component: lazy(async () => (await import("./outline/OutlineView")).OutlineView),
  ...stateless,
  empty: words.outline.empty,
};

const ops: View = {
  id: "ops",
  title: words.ops.title,
  icon: "ops",
  Component: OpsView,
  encode: () => ({ ...(opFilter.value ? { op: opFilter.value } : {}) }),
  decode(_app, params) {
    opFilter.value = params.op ?? "";
  },
  empty: words.ops.empty,
};

const dialect: View = {
  id: "dialect",
  title: words.dialect.title,
  tab: (app) => words.dialect.names[otherDialect(app.state.check.value?.kind)],
  icon: "swap",
  Component: lazy(async () => {
    const { DialectView } = await import("./dialect/DialectView");
    return ({ app }: { app: App }) => createElement(DialectView, { app, session: dialectSession });
  }),
  ...stateless,
  empty: words.dialect.empty,
};

const memory: View = {
  id: "memory",
  title: words.memory.title,
  icon: "memory",
  Component: lazy(async () => (await import("./memory/MemoryView")).MemoryView),
  ...stateless,
  empty: words.memory.empty,
};

export const views: readonly View[] = [values, layout, outline, ops, dialect, memory];

export function findView(id: string): View | null {
  return views.find((view) => view.id === id) ?? null;
}
