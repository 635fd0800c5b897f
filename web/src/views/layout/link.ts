/** What a link says of the layout view, beside the layout itself. */
import { axesText } from "../../ui/axes";
import { type LinkField, linkField, oneOf } from "../view";
import { COLOUR_MODES } from "./colours";
import { type FilmSession, parsePins, pinsText } from "./film";
import { CELL_MODES } from "./model";
import { type LayoutSession, zoomOf } from "./session";
import { layoutSessions } from "./sessions";
import { type PictureId, parseZoom, type Zoom, zoomText } from "./zoom";

const MOST_PER_LINE = 256;

/** Axes that a link asks for wait for the layout that they are for. */
const axesOf = (session: LayoutSession) => ({
  get value(): string {
    return axesText(session.axes.value);
  },
  set value(text: string) {
    session.linkedAxes = text;
  },
});

/** The step at which a film is open; null while there is none. */
const stepOf = ({ open, frame }: FilmSession) => ({
  get value(): number | null {
    return open.value ? frame.value : null;
  },
  set value(step: number | null) {
    open.value = step !== null;
    frame.value = step ?? 0;
  },
});

const zoomField = (key: string, of: "session" | "compared", picture: PictureId): LinkField =>
  linkField<Zoom | null>({
    key,
    default: null,
    parse: parseZoom,
    print: zoomText,
    of: (app) => {
      const session = layoutSessions(app)[of];
      return {
        get value(): Zoom | null {
          return zoomOf(session, picture);
        },
        set value(zoom: Zoom | null) {
          session.zoom[picture].value = zoom;
        },
      };
    },
  });

function parseLine(text: string): number | null {
  const line = Number(text);
  return Number.isInteger(line) && line > 0 && line <= MOST_PER_LINE ? line : null;
}

export const linkFields: readonly LinkField[] = [
  linkField({
    key: "cells",
    default: "offset",
    parse: oneOf(CELL_MODES),
    print: String,
    of: (app) => layoutSessions(app).session.cells,
    stays: true,
  }),
  linkField({
    key: "colour",
    default: "tile",
    parse: oneOf(COLOUR_MODES),
    print: String,
    of: (app) => layoutSessions(app).session.colour,
    stays: true,
  }),
  linkField({
    key: "axes",
    default: "",
    parse: String,
    print: String,
    of: (app) => axesOf(layoutSessions(app).session),
  }),
  linkField({
    key: "line",
    default: 0,
    parse: parseLine,
    print: String,
    of: (app) => layoutSessions(app).session.line,
    stays: true,
  }),
  linkField<number | null>({
    key: "film",
    default: null,
    parse: (text) => (/^\d{1,3}$/.test(text) ? Number(text) : null),
    print: (step) => (step === null ? "" : String(step)),
    of: (app) => stepOf(layoutSessions(app).film),
  }),
  linkField({
    key: "pins",
    default: [],
    parse: parsePins,
    print: pinsText,
    of: (app) => layoutSessions(app).film.pins,
  }),
  zoomField("logical", "session", "logical"),
  zoomField("memory", "session", "memory"),
  zoomField("after", "compared", "memory"),
];
