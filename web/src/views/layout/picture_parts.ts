/** What both pictures of a layout have in common: how large cells are, and how they are spoken of. */
import type { LayoutInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import type { CellPlace, Limits } from "../../grid/viewport";
import { words } from "../../strings";
import { integer } from "../../ui/format";
import { colourings } from "./colours";
import { paddingValue } from "./model";
import type { LayoutSession, Spot } from "./session";
import { byteAt, valueFor } from "./windows";

export interface PicturesProps {
  app: App;
  session: LayoutSession;
  info: LayoutInfo;
}

/** With `compared`, the logical array shows where its elements go in that layout. */
export interface ComparedProps extends PicturesProps {
  compared: LayoutSession | null;
}

/** "row 3, column 5, value 0.25, tile 1, byte 212" */
export function speak(
  session: LayoutSession,
  info: LayoutInfo,
  spot: Spot | null,
  place: CellPlace | null,
): string {
  if (!spot) return words.grid.outside;
  const parts = place ? [words.grid.row(place.row), words.grid.column(place.col)] : [];
  if (!spot.index) parts.push(words.grid.paddingOf(paddingValue(info)));
  else if (!place || spot.index.length > 2) parts.push(words.grid.index(spot.index));
  const value = session.values.value.get(spot.offset);
  if (spot.index && value !== undefined) parts.push(words.grid.value(value));
  if (spot.offset >= 0) {
    if (info.tiles.length > 0) {
      parts.push(words.grid.tile(Math.floor(spot.offset / session.tiling.value.volume)));
    }
    const byte = integer(byteAt(session, spot.offset));
    parts.push(words.grid.offset(integer(spot.offset)), words.grid.byte(byte));
    const { row, col } = place ?? { row: 0, col: 0 };
    const lie = { info, tiling: session.tiling.value, offset: spot.offset, row, col };
    const said = colourings[session.colour.value].says?.(lie);
    if (said) parts.push(said);
  }
  return parts.join(", ");
}

/** Cells of a small array grow so far. */
export const TALLEST = 56;
const WIDEST = 96;

/** Cells wide enough for the longest text in them. */
export function cellSize(letters: number) {
  const cellWidth = Math.max(30, Math.min(96, letters * 8 + 8));
  const narrowest = Math.max(24, Math.min(96, letters * 6 + 5));
  return {
    cellWidth,
    cellHeight: 28,
    fit: { narrowest, widest: Math.max(WIDEST, narrowest), tallest: TALLEST },
  };
}

type CellFit = ReturnType<typeof cellSize>;

/** How cells fill the area: single elements stay as small as their text allows, blocks share all of it. */
export const fitOf = ({ fit }: CellFit, isElements: boolean): CellFit["fit"] =>
  isElements
    ? fit
    : { ...fit, widest: Number.POSITIVE_INFINITY, tallest: Number.POSITIVE_INFINITY };

/** From cells of one pixel to such that an element's bytes are written beside it. */
export function cellLimits({ cellWidth, cellHeight }: CellFit): Limits {
  const usual = { width: cellWidth, height: cellHeight };
  return { least: { width: 1, height: 1 }, usual, most: { width: 240, height: 96 } };
}

export const digits = (n: number): number => String(Math.max(0, n - 1)).length;
export const indexLetters = (dims: number[]): number =>
  dims.reduce((sum, size) => sum + digits(size) + 1, -1);

export function common(app: App, session: LayoutSession, info: LayoutInfo): string {
  const ref = valueFor(app, info);
  return JSON.stringify([
    session.turn.value,
    info.subject,
    session.axes.value,
    session.cells.value,
    session.colour.value,
    ref,
  ]);
}
