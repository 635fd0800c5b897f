/** Windows of two layouts of one array. */
import type { LogicalWindow } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import type { CellData } from "../../grid/cells";
import type { CellRect } from "../../grid/viewport";
import { windowSpec } from "../../ui/axes";
import type { LayoutSession } from "./session";
import { readLogical } from "./windows";

/** Cells of the logical array as "from → to"; elements that stay have one number and no colour. */
export function comparedCells(cells: CellData, to: LogicalWindow): CellData {
  const text = [...cells.text];
  const tint = new Int32Array(cells.tint.length).fill(-1);
  for (let i = 0; i < text.length; i++) {
    const after = to.offsets[i] ?? -1;
    if (!text[i] || after < 0 || text[i] === String(after)) continue;
    text[i] = `${text[i]}→${after}`;
    tint[i] = 1;
  }
  return { ...cells, text, tint, heat: null };
}

/** Cells of the logical array with both offsets, and what those of the first were made of. */
export async function readCompared(
  first: LayoutSession,
  second: LayoutSession,
  app: App,
  rect: CellRect,
) {
  const info = second.info.peek();
  if (!info?.ok) return null;
  const spec = windowSpec(first.axes.peek(), rect);
  const [read, to] = await Promise.all([
    readLogical(first, app, rect, "offset"),
    app.engines.typing.call("logicalWindow", [info.subject, spec]),
  ]);
  return read ? { cells: comparedCells(read.cells, to), answer: read.answer } : null;
}

/** The same, kept for hovering. */
export async function loadCompared(
  first: LayoutSession,
  second: LayoutSession,
  app: App,
  rect: CellRect,
): Promise<CellData | null> {
  const read = await readCompared(first, second, app, rect);
  if (!read) return null;
  first.logical = { rect, answer: read.answer };
  return read.cells;
}
