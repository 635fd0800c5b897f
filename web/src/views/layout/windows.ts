/** Windows of the layout on the screen: what is painted, and what lies where it is pointed at. */
import type { LayoutInfo, LogicalWindow, ValueRef } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import type { CellData } from "../../grid/cells";
import type { CellPlace, CellRect } from "../../grid/viewport";
import { type Axes, inBounds, indexAt, sliceSize, windowSpec } from "../../ui/axes";
import { colourings } from "./colours";
import type { CellMode } from "./model";
import { type LayoutSession, lineOf, type Spot } from "./session";
import { indexOf, type Look, logicalCells, memoryCells } from "./window_cells";

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

/** The byte in which an element begins. Metadata before the array (M(n)) shifts all elements. */
export function byteAt(session: LayoutSession, offset: number): number {
  const bits = session.info.value?.elementBits ?? 8;
  const byte = (at: number): number => Math.floor((at * bits) / 8);
  const known = session.address.value;
  return byte(offset) + (known?.ok ? known.byteOffset - byte(known.offset) : 0);
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
