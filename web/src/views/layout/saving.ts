/** How what can be taken away of a layout is made. */
import type { LayoutInfo, WindowSpec } from "../../../../wasm/engine_api";
import { notify } from "../../app/actions";
import type { App } from "../../app/app";
import { saveFile } from "../../app/download";
import { canvasOf, type PicturePart, svgOf } from "../../grid/picture";
import { readTheme } from "../../grid/theme";
import type { CellRect } from "../../grid/viewport";
import { words } from "../../strings";
import type { ExportKind } from "./exports";
import { type LayoutSession, lineOf, readLogical, readMemory } from "./session";

/** Larger pictures show their beginning: nobody reads more, and no viewer draws it. */
const MOST_CELLS = 16_384;
const MOST_COLUMNS = 128;
const MOST_ELEMENTS = 1_000_000;
const WINDOW = 65_536;

function firstCells(rows: number, cols: number): CellRect {
  const wide = Math.max(1, Math.min(cols, MOST_COLUMNS));
  return { row: 0, col: 0, rows: Math.min(rows, Math.floor(MOST_CELLS / wide)), cols: wide };
}

/** "f32_3_5__1_0_T_2_2": the shape as a file's name. */
export function shapeName(shape: string): string {
  return (
    shape
      .replace(/[^\w]+/g, "_")
      .replace(/^_+|_+$/g, "")
      .slice(0, 80) || "layout"
  );
}

async function parts(app: App, session: LayoutSession, info: LayoutInfo): Promise<PicturePart[]> {
  const axes = session.axes.value;
  const padded = info.paddedDims;
  const size = (dim: number): number => (dim >= 0 ? (padded[dim] ?? 1) : 1);
  const line = Math.min(lineOf(session), Math.max(1, info.physicalElements));
  const [logical, memory] = await Promise.all([
    readLogical(session, app, firstCells(size(axes.row), size(axes.col))),
    readMemory(session, app, firstCells(Math.ceil(info.physicalElements / line), line)),
  ]);
  return [
    ...(logical
      ? [{ title: info.subject, data: logical.cells, rowName: String, colName: String }]
      : []),
    ...(memory
      ? [
          {
            title: words.layout.memory,
            data: memory.cells,
            rowName: (row: number) => String(row * line),
            colName: (col: number) => `+${col}`,
          },
        ]
      : []),
  ];
}

async function saveSvg(app: App, session: LayoutSession, info: LayoutInfo): Promise<void> {
  const svg = svgOf(await parts(app, session, info), readTheme(document.documentElement));
  saveFile(`${shapeName(info.subject)}.svg`, svg, "image/svg+xml");
}

async function savePng(app: App, session: LayoutSession, info: LayoutInfo): Promise<void> {
  const canvas = canvasOf(await parts(app, session, info), readTheme(document.documentElement));
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) saveFile(`${shapeName(info.subject)}.png`, blob, "image/png");
  else notify(app, words.layout.noPicture, "error");
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
    // The next slice of the dimensions outside.
    for (dim = rank - 3; dim >= 0; dim--) {
      origin[dim] = (origin[dim] ?? 0) + 1;
      if ((origin[dim] ?? 0) < (dims[dim] ?? 1)) break;
      origin[dim] = 0;
    }
  }
}

async function csvOf(app: App, info: LayoutInfo): Promise<string> {
  const { dims, elementBits: bits, shape } = info;
  const lines = [[...dims.map((_, d) => `index${d}`), "offset", "byte", "bit"].join(",")];
  for (const spec of windowsOf(dims)) {
    if (lines.length > MOST_ELEMENTS) break;
    const { offsets } = await app.engines.typing.call("logicalWindow", [shape, spec]);
    for (let i = 0; i < offsets.length; i++) {
      const offset = offsets[i] ?? -1;
      if (offset < 0) continue;
      const index = [...spec.origin];
      if (spec.rowDim >= 0)
        index[spec.rowDim] = (index[spec.rowDim] ?? 0) + Math.floor(i / spec.cols);
      if (spec.colDim >= 0) index[spec.colDim] = (index[spec.colDim] ?? 0) + (i % spec.cols);
      if (lines.length > MOST_ELEMENTS) break;
      lines.push(
        [...index, offset, Math.floor((offset * bits) / 8), (offset * bits) % 8].join(","),
      );
    }
  }
  return `${lines.join("\n")}\n`;
}

async function saveCsv(app: App, _session: LayoutSession, info: LayoutInfo): Promise<void> {
  saveFile(`${shapeName(info.subject)}.csv`, await csvOf(app, info), "text/csv");
  if (info.logicalElements > MOST_ELEMENTS) notify(app, words.layout.cutCsv(MOST_ELEMENTS));
}

export const savers: Record<ExportKind, typeof saveSvg> = {
  svg: saveSvg,
  png: savePng,
  csv: saveCsv,
};
