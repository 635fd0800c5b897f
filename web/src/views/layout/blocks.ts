/** The cells of a layout that is seen from afar: blocks of many elements, from samples of them. */
import type { LayoutInfo, LinearWindow } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { type CellData, emptyCells, OUTSIDE, PADDING } from "../../grid/cells";
import type { CellPlace, CellRect } from "../../grid/viewport";
import { type Axes, indexAt, sliceSize, windowSpec } from "../../ui/axes";
import { colourings, type Lie, modeFor } from "./colours";
import { tileSizes } from "./model";
import { blockOffset, type LogicalScale, type MemoryScale } from "./scales";
import type { LayoutSession, Spot } from "./session";
import type { Tiling } from "./tiling";
import { byteAt } from "./windows";
import { layoutWords } from "./words";

/** Cells of a scale, and the first element of each; null outside. */
export interface Blocks {
  scale: LogicalScale | MemoryScale;
  cells: CellData;
  spots: (Spot | null)[];
}

/**
 * The first element of the block at a place of a scale; null outside, undefined where that was not
 * read. What was read last may be of another scale, until this one's blocks are there.
 */
export function spotAmong(
  blocks: Blocks | null,
  scale: LogicalScale | MemoryScale,
  place: CellPlace,
): Spot | null | undefined {
  if (blocks?.scale !== scale) return undefined;
  const { window } = blocks.cells;
  const [row, col] = [place.row - window.row, place.col - window.col];
  const isRead = row >= 0 && col >= 0 && row < window.rows && col < window.cols;
  return isRead ? blocks.spots[row * window.cols + col] : undefined;
}

/** The first and the last offset of a picture: its shades go from the one to the other. */
type Size = ReturnType<typeof sliceSize>;
type Span = readonly [first: number, last: number];
const LIGHTEST = 0.12;

function shade(cells: CellData, i: number, offset: number, [first, last]: Span): void {
  cells.heat ??= new Float64Array(cells.kind.length).fill(Number.NaN);
  const share = Math.max(0, Math.min(1, (offset - first) / Math.max(1, last - first)));
  cells.heat[i] = LIGHTEST + (1 - LIGHTEST) * share;
}

/** How a block looks whose first element lies somewhere. */
function paintBlock(
  cells: CellData,
  i: number,
  session: LayoutSession,
  lie: Lie,
  block: number,
  span: Span,
) {
  const { info, tiling, offset } = lie;
  const mode = modeFor(session.colour.peek(), info, tiling, block);
  const { tint } = colourings[mode];
  if (tint) cells.tint[i] = tint(lie);
  if (mode === "address") shade(cells, i, offset, span);
  cells.group[i] = block > tiling.volume ? 0 : Math.floor(offset / tiling.volume);
  cells.part[i] = Math.floor(offset / block);
  if (block === tiling.volume && info.tiles.length > 0) cells.text[i] = String(cells.group[i]);
}

/** What lies beyond the array's own sizes, counted in blocks. */
export function holesOf(
  { step, ...all }: LogicalScale,
  size: { rows: number; cols: number },
): CellRect[] {
  const row = size.rows / step.rows;
  const col = size.cols / step.cols;
  const below = { row, col: 0, rows: all.rows - row, cols: all.cols };
  const right = { row: 0, col, rows: all.rows, cols: all.cols - col };
  return [below, right].filter(({ rows, cols }) => rows > 0 && cols > 0);
}

/** The first and the last offset of a slice, from its corners. */
async function logicalSpan(app: App, subject: string, size: Size, axes: Axes): Promise<Span> {
  const { rows, cols } = size;
  const corners = windowSpec(axes, { row: 0, col: 0, rows: 2, cols: 2 });
  const far = [Math.max(1, rows - 1), Math.max(1, cols - 1)] as const;
  const ends = await app.engines.typing.call("logicalWindow", [subject, corners, ...far]);
  const found = [...ends.offsets].filter((offset) => offset >= 0);
  return [Math.min(...found), Math.max(...found)];
}

/** Blocks of the logical array by their first elements; null where the session has come to another layout. */
export async function readLogicalBlocks(
  session: LayoutSession,
  app: App,
  scale: LogicalScale,
  rect: CellRect,
  compared: LayoutSession | null,
): Promise<Blocks | null> {
  const info = session.info.peek();
  const other = compared?.info.peek();
  if (!info?.ok) return null;
  const axes = session.axes.peek();
  const tiling = session.tiling.peek();
  const size = sliceSize(axes, info.dims);
  const { step } = scale;
  const at = { ...rect, row: rect.row * step.rows, col: rect.col * step.cols };
  const spec = windowSpec(axes, at);
  const ask = (subject: string) =>
    app.engines.typing.call("logicalWindow", [subject, spec, step.rows, step.cols]);
  const [answer, there] = await Promise.all([
    ask(info.subject),
    other?.ok ? ask(other.subject) : null,
  ]);
  // In a comparison the shades are the places after it.
  const shaded = other?.ok ? other : info;
  const span = await logicalSpan(app, shaded.subject, size, axes);
  if (session.info.peek() !== info) return null;
  const cells = emptyCells(rect);
  const spots = cells.text.map((_, i): Spot | null => {
    const offset = answer.offsets[i] ?? -1;
    if (offset < 0) {
      cells.kind[i] = PADDING;
      return null;
    }
    const row = at.row + Math.floor(i / rect.cols) * step.rows;
    const col = at.col + (i % rect.cols) * step.cols;
    if (there) shade(cells, i, there.offsets[i] ?? -1, span);
    else {
      const lie = { info, tiling, offset, row, col };
      paintBlock(cells, i, session, lie, step.rows * step.cols, span);
    }
    return { index: indexAt(axes, row, col), offset };
  });
  cells.holes = holesOf(scale, size);
  return { scale, cells, spots };
}

/** How much of a tile is padding, from the index of its first element; null where it cannot be told. */
function paddedShare(info: LayoutInfo, tiling: Tiling, index: number[]): number | null {
  const sizes = tileSizes(info);
  if (sizes.reduce((all, size) => all * size, 1) !== tiling.volume) return null;
  const filled = sizes.map(
    (size, d) => Math.min(size, (info.dims[d] ?? 1) - (index[d] ?? 0)) / size,
  );
  return 1 - filled.reduce((all, share) => all * share, 1);
}

const MOST_SAMPLES = 32_768;
const MOST_PER_BLOCK = 64;

/** Of every block the share of its elements that are padding, from samples of odd distances. */
async function sampledShares(
  app: App,
  info: LayoutInfo,
  begin: number,
  block: number,
  count: number,
): Promise<number[]> {
  const each = Math.max(1, Math.min(MOST_PER_BLOCK, Math.floor(MOST_SAMPLES / count)));
  const half = Math.floor(block / each / 2);
  const step = 2 * half + 1;
  const samples = Math.min(2 * MOST_SAMPLES, Math.floor((count * block) / step));
  const answer = await app.engines.typing.call("linearWindow", [
    info.subject,
    begin,
    samples,
    step,
  ]);
  const all = new Array<number>(count).fill(0);
  const padded = new Array<number>(count).fill(0);
  for (let k = 0; k < samples; k++) {
    const at = Math.floor((k * step) / block);
    all[at] = (all[at] ?? 0) + 1;
    if (sampleIndex(answer, info.dims.length, k) === null) padded[at] = (padded[at] ?? 0) + 1;
  }
  return padded.map((n, i) => n / Math.max(1, all[i] ?? 1));
}

/** The index of the k-th sample; null for padding. */
function sampleIndex(answer: LinearWindow, rank: number, k: number): number[] | null {
  const index = Array.from(answer.indices.subarray(k * rank, k * rank + rank));
  return index.some((i) => i < 0) ? null : index;
}

export async function readMemoryBlocks(
  session: LayoutSession,
  app: App,
  scale: MemoryScale,
  rect: CellRect,
): Promise<Blocks | null> {
  const info = session.info.peek();
  if (!info?.ok) return null;
  const axes = session.axes.peek();
  const tiling = session.tiling.peek();
  const { block, line } = scale;
  const begin = blockOffset({ row: rect.row, col: 0 }, scale);
  const count = Math.min(rect.rows * line, Math.ceil((info.physicalElements - begin) / block));
  const firsts = await app.engines.typing.call("linearWindow", [info.subject, begin, count, block]);
  const exact =
    block === tiling.volume &&
    paddedShare(
      info,
      tiling,
      info.dims.map(() => 0),
    ) !== null;
  const hasPadding = info.physicalElements > info.logicalElements;
  const shares = exact || !hasPadding ? [] : await sampledShares(app, info, begin, block, count);
  if (session.info.peek() !== info) return null;
  const cells = emptyCells(rect);
  const holes: CellRect[] = [];
  const spots = cells.text.map((_, i): Spot | null => {
    const row = rect.row + Math.floor(i / rect.cols);
    const col = rect.col + (i % rect.cols);
    const k = (row - rect.row) * line + col;
    if (k >= count) {
      cells.kind[i] = OUTSIDE;
      return null;
    }
    const offset = begin + k * block;
    const index = sampleIndex(firsts, info.dims.length, k);
    const share = exact && index ? (paddedShare(info, tiling, index) ?? 0) : (shares[k] ?? 0);
    if (!index && (exact || share > 0.99)) cells.kind[i] = PADDING;
    else {
      const place = { row: index?.[axes.row] ?? 0, col: index?.[axes.col] ?? 0 };
      const span: Span = [0, info.physicalElements - 1];
      paintBlock(cells, i, session, { info, tiling, offset, ...place }, block, span);
      // What is there at all is seen, and that there is padding too.
      const rows = share > 0 ? Math.min(0.85, Math.max(0.15, share)) : 0;
      if (rows > 0) holes.push({ row: row + 1 - rows, col, rows, cols: 1 });
    }
    return { index, offset };
  });
  cells.holes = holes;
  return { scale, cells, spots };
}

/** "bytes 68–71", "byte 3, bits 4–7": where an element's own bytes lie. */
export function bytesOf(session: LayoutSession, offset: number): string {
  const bits = session.info.peek()?.elementBits ?? 8;
  const first = byteAt(session, offset);
  if (bits >= 8) return layoutWords.bytesAt(first, first + bits / 8 - 1);
  const bit = (offset * bits) % 8;
  return layoutWords.bitsAt(first, bit, bit + bits - 1);
}
