/** Makes the exports of a layout. */
import type { LayoutInfo, WindowSpec } from "../../../../wasm/engine_api";
import { notify } from "../../app/actions";
import type { App } from "../../app/app";
import { saveFile } from "../../app/file_saver";
import type { CellData } from "../../grid/cells";
import { canvasOf, type PicturePart, svgOf } from "../../grid/picture";
import { readTheme } from "../../grid/theme";
import type { CellRect } from "../../grid/viewport";
import { sliceSize } from "../../ui/axes";
import { readCompared } from "./compared_windows";
import type { FilmSession } from "./film";
import { frameGrids, readFrame } from "./film_frames";
import { type LayoutSession, lineOf } from "./session";
import { readLogical, readMemory } from "./windows";
import { layoutWords } from "./words";

export type ExportKind = "svg" | "png" | "csv";

interface Laid {
  session: LayoutSession;
  info: LayoutInfo;
}
/** What is on the screen. */
interface Shown extends Laid {
  /** The layout that it is compared with. */
  compared: Laid | null;
  film: FilmSession;
}

/** Larger pictures are cut at this size: viewers cannot draw more. */
const MOST_ROWS = 512;
const MOST_COLUMNS = 64;
const MOST_ELEMENTS = 1_000_000;
const WINDOW = 65_536;

function firstCells(rows: number, cols: number): CellRect {
  return { row: 0, col: 0, rows: Math.min(rows, MOST_ROWS), cols: Math.min(cols, MOST_COLUMNS) };
}

/** "f32_3_5_1_0_T_2_2": the shape as a file's name. */
export function shapeName(shape: string): string {
  return (
    shape
      .replace(/[\W_]+/g, "_")
      .replace(/^_|_$/g, "")
      .slice(0, 80) || "layout"
  );
}

/** A part of a picture, and whether it was cut. */
interface Cut {
  part: PicturePart;
  cut: boolean;
}

async function partOf(
  rows: number,
  cols: number,
  read: (rect: CellRect) => Promise<{ cells: CellData } | null>,
  names: Omit<PicturePart, "data">,
): Promise<Cut[]> {
  const rect = firstCells(rows, cols);
  const data = (await read(rect))?.cells;
  return data ? [{ part: { ...names, data }, cut: rect.rows < rows || rect.cols < cols }] : [];
}

function logicalPart(app: App, { session, info, compared }: Shown): Promise<Cut[]> {
  const axes = session.axes.value;
  const { rows, cols } = sliceSize(axes, info.paddedDims);
  const read = (rect: CellRect) =>
    compared ? readCompared(session, compared.session, app, rect) : readLogical(session, app, rect);
  const title = compared ? `${info.subject} → ${compared.info.subject}` : info.subject;
  const names = { title, rowName: String, colName: String };
  return partOf(rows, cols, read, names);
}

function memoryPart(app: App, { session, info }: Laid, title: string): Promise<Cut[]> {
  const line = Math.min(lineOf(session), Math.max(1, info.physicalElements));
  const rows = Math.ceil(info.physicalElements / line);
  return partOf(rows, line, (rect) => readMemory(session, app, rect), {
    title,
    rowName: (row) => String(row * line),
    colName: (col) => `+${col}`,
  });
}

function framePart(app: App, { session, info, film }: Shown): Promise<Cut[]> {
  const frame = film.shown.value;
  const frames = film.info.value?.frames ?? [];
  const grid = frameGrids(frames, lineOf(session))[film.frame.value];
  if (!frame || !grid) return Promise.resolve([]);
  const at = film.frame.value;
  return partOf(
    grid.rows,
    grid.cols,
    (rect) => readFrame(app, session, info, { frame, grid, at }, rect),
    {
      title: `${info.subject}: ${layoutWords.film.spoken(at, frames.length, frame.title)}`,
      rowName: (row) => String(row * grid.cols),
      colName: (col) => `+${col}`,
    },
  );
}

async function parts(app: App, shown: Shown): Promise<PicturePart[]> {
  const { compared } = shown;
  const w = layoutWords;
  const wanted = shown.film.open.value
    ? [framePart(app, shown)]
    : [
        logicalPart(app, shown),
        memoryPart(app, shown, compared ? w.before : w.memory),
        ...(compared ? [memoryPart(app, compared, w.after)] : []),
      ];
  const made = (await Promise.all(wanted)).flat();
  if (made.some(({ cut }) => cut)) notify(app, layoutWords.cutPicture(MOST_ROWS, MOST_COLUMNS));
  return made.map(({ part }) => part);
}

function fileName({ info, compared }: Shown, ending: string): string {
  const names = [info, ...(compared ? [compared.info] : [])].map(({ subject }) =>
    shapeName(subject),
  );
  return `${names.join("-to-")}.${ending}`;
}

async function saveSvg(app: App, shown: Shown): Promise<void> {
  const svg = svgOf(await parts(app, shown), readTheme(document.documentElement));
  saveFile(fileName(shown, "svg"), svg, "image/svg+xml");
}

async function savePng(app: App, shown: Shown): Promise<void> {
  const canvas = canvasOf(await parts(app, shown), readTheme(document.documentElement));
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) saveFile(fileName(shown, "png"), blob, "image/png");
  else notify(app, layoutWords.noPicture, "error");
}

/** Windows of at most WINDOW elements that cover an array in row-major order. */
export function* windowsOf(dims: readonly number[]): Generator<WindowSpec> {
  const rank = dims.length;
  if (dims.some((n) => n === 0)) return;
  const [rowDim, colDim] = [rank - 2, rank - 1];
  const [height, width] = [dims[rowDim] ?? 1, dims[colDim] ?? 1];
  const cols = Math.min(width, WINDOW);
  const rows = Math.floor(WINDOW / cols);
  const origin = dims.map(() => 0);
  for (let dim = 0; dim >= 0; ) {
    for (let row = 0; row < height; row += rows) {
      for (let col = 0; col < width; col += cols) {
        const at = [...origin];
        if (rowDim >= 0) at[rowDim] = row;
        if (colDim >= 0) at[colDim] = col;
        const size = { rows: Math.min(rows, height - row), cols: Math.min(cols, width - col) };
        yield { origin: at, rowDim, colDim, ...size };
      }
    }
    // The next slice of the outer dimensions.
    for (dim = rank - 3; dim >= 0; dim--) {
      origin[dim] = (origin[dim] ?? 0) + 1;
      if ((origin[dim] ?? 0) < (dims[dim] ?? 1)) break;
      origin[dim] = 0;
    }
  }
}

/** Bytes before the array: metadata, which offsets do not count. */
async function prefixOf(app: App, info: LayoutInfo): Promise<number> {
  const first = info.dims.map(() => 0);
  const { offset, byteOffset } = await app.engines.typing.call("address", [info.subject, first]);
  return byteOffset - Math.floor((offset * info.elementBits) / 8);
}

/** "17,68,0": an offset, its byte, and the bit in it. */
function placeText(offset: number, bits: number, prefix: number): string {
  return `${offset},${prefix + Math.floor((offset * bits) / 8)},${(offset * bits) % 8}`;
}

/** One line per element, row-major: its index and its place, or its places in both layouts. */
async function csvOf(app: App, layouts: readonly LayoutInfo[], dims: readonly number[]) {
  const { typing } = app.engines;
  const prefixes = await Promise.all(layouts.map((info) => prefixOf(app, info)));
  const heads = layouts.map((_, at) => ["", "other_"][at] ?? "");
  const lines = [
    [
      ...dims.map((_, d) => `index${d}`),
      ...heads.flatMap((head) => [`${head}offset`, `${head}byte`, `${head}bit`]),
    ].join(","),
  ];
  for (const spec of windowsOf(dims)) {
    if (lines.length > MOST_ELEMENTS) break;
    const windows = await Promise.all(
      layouts.map(({ subject }) => typing.call("logicalWindow", [subject, spec])),
    );
    for (let i = 0; i < spec.rows * spec.cols && lines.length <= MOST_ELEMENTS; i++) {
      const index = [...spec.origin];
      if (spec.rowDim >= 0)
        index[spec.rowDim] = (index[spec.rowDim] ?? 0) + Math.floor(i / spec.cols);
      if (spec.colDim >= 0) index[spec.colDim] = (index[spec.colDim] ?? 0) + (i % spec.cols);
      const places = layouts.map(({ elementBits }, at) =>
        placeText(windows[at]?.offsets[i] ?? -1, elementBits, prefixes[at] ?? 0),
      );
      lines.push([...index, ...places].join(","));
    }
  }
  return `${lines.join("\n")}\n`;
}

async function saveCsv(app: App, shown: Shown): Promise<void> {
  const { info, compared } = shown;
  const text = await csvOf(app, compared ? [info, compared.info] : [info], info.dims);
  saveFile(fileName(shown, "csv"), text, "text/csv");
  if (info.logicalElements > MOST_ELEMENTS) notify(app, layoutWords.cutCsv(MOST_ELEMENTS));
}

export const savers: Record<ExportKind, typeof saveSvg> = {
  svg: saveSvg,
  png: savePng,
  csv: saveCsv,
};
