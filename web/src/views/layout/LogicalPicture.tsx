/** The logical array: two of its dimensions, and where the elements lie. */
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import type { CellData } from "../../grid/cells";
import type { GridProps } from "../../grid/GridCanvas";
import type { CellPlace, CellRect } from "../../grid/viewport";
import { words } from "../../strings";
import { type Axes, cellOf, sliceSize } from "../../ui/axes";
import { integer } from "../../ui/format";
import { type Blocks, bytesOf, readLogicalBlocks, spotAmong } from "./blocks";
import { loadCompared } from "./compared_windows";
import {
  type ComparedProps,
  cellLimits,
  cellSize,
  common,
  digits,
  fitOf,
  indexLetters,
  speak,
} from "./picture_parts";
import { type LogicalScale, logicalLimits, logicalPlace, logicalScales } from "./scales";
import { pick, type Spot, subjectOf } from "./session";
import { byteAt, loadLogical, logicalSpot } from "./windows";
import { layoutWords } from "./words";
import { ZoomedGrid } from "./ZoomedGrid";

/** The logical array, at the scales it is seen at. */
interface LogicalArray extends ComparedProps {
  other: LayoutInfo | null;
  axes: Axes;
  /** Elements of the slice that the axes select. */
  rows: number;
  cols: number;
  scales: readonly LogicalScale[];
  /** Cells of single elements. */
  cell: ReturnType<typeof cellSize>;
  /** Those read last, of whatever scale. */
  blocks: { current: Blocks | null };
}

function useLogicalArray(props: ComparedProps): LogicalArray {
  const { session, info, compared } = props;
  const other = compared?.info.value ?? null;
  const axes = session.axes.value;
  const blocks = useRef<Blocks | null>(null);
  const scales = useMemo(() => logicalScales(info, axes), [info, axes.row, axes.col]);
  const letters = {
    offset: digits(info.physicalElements) + (other ? digits(other.physicalElements) + 1 : 0),
    index: indexLetters(info.dims),
    value: 7,
  };
  const cell = cellSize(letters[other ? "offset" : session.cells.value]);
  return {
    ...props,
    other,
    axes,
    ...sliceSize(axes, info.dims),
    scales,
    cell,
    blocks,
  };
}

const scaleAt = ({ scales }: LogicalArray, at: number): LogicalScale => scales[at] as LogicalScale;

function placeOf(axes: Axes, spot: Spot | null, { step }: LogicalScale): CellPlace | null {
  const at = spot?.index ? cellOf(axes, spot.index) : null;
  return at && { row: Math.floor(at.row / step.rows), col: Math.floor(at.col / step.cols) };
}

/** Cells of single elements. */
async function loadCells(array: LogicalArray, rect: CellRect): Promise<CellData | null> {
  const { app, session, compared, blocks } = array;
  blocks.current = null;
  const cells = await (compared
    ? loadCompared(session, compared, app, rect)
    : loadLogical(session, app, rect));
  if (!cells) return null;
  const offsets = session.logical?.answer.offsets;
  return { ...cells, detail: (i: number) => bytesOf(session, offsets?.[i] ?? 0) };
}

async function loadBlocks(
  { app, session, compared, blocks }: LogicalArray,
  scale: LogicalScale,
  rect: CellRect,
): Promise<CellData | null> {
  const read = await readLogicalBlocks(session, app, scale, rect, compared);
  if (read) blocks.current = read;
  return read?.cells ?? null;
}

/** The first element of a block, or the element of a cell at the finest scale. */
function spotOf(array: LogicalArray, at: number, place: CellPlace): Spot | null {
  const { session, scales, blocks } = array;
  if (at === scales.length - 1) return logicalSpot(session, place);
  const scale = scaleAt(array, at);
  const first = { row: place.row * scale.step.rows, col: place.col * scale.step.cols };
  const spot = logicalSpot(session, first);
  return spot && (spotAmong(blocks.current, scale, place) ?? spot);
}

function speakBlock(array: LogicalArray, at: number, place: CellPlace): string {
  const { session, rows, cols } = array;
  const { step } = scaleAt(array, at);
  const spot = spotOf(array, at, place);
  if (!spot) return words.grid.outside;
  const [row, col] = [place.row * step.rows, place.col * step.cols];
  const w = layoutWords.block;
  const said = [
    w.rows(row, Math.min(rows, row + step.rows) - 1),
    w.columns(col, Math.min(cols, col + step.cols) - 1),
  ];
  if (spot.offset >= 0) {
    said.push(w.fromOffset(integer(spot.offset)));
    said.push(words.grid.byte(integer(byteAt(session, spot.offset))));
  }
  return said.join(", ");
}

/** Selects the element of a cell. Keys stop at the last element: the padding around it has no index. */
function pickAt(array: LogicalArray, at: number, to: CellPlace): void {
  const { app, session, rows, cols } = array;
  const { step } = scaleAt(array, at);
  const row = Math.min(to.row, Math.floor((rows - 1) / step.rows));
  const col = Math.min(to.col, Math.floor((cols - 1) / step.cols));
  const spot = spotOf(array, at, { row, col });
  if (spot) pick(session, app, spot);
}

/** The grid of a scale. */
function gridOf(array: LogicalArray, at: number): Omit<GridProps, "scale"> {
  const { app, session, info, other, axes, cell } = array;
  const scale = scaleAt(array, at);
  const isFinest = at === array.scales.length - 1;
  return {
    id: "logical-grid",
    label: other
      ? layoutWords.comparedGrid(info.subject, other.subject)
      : layoutWords.logicalGrid(info.subject),
    rows: scale.rows,
    cols: scale.cols,
    ...cell,
    fit: fitOf(cell, isFinest),
    rowHeader: Math.max(24, digits(info.paddedDims[axes.row] ?? 1) * 7 + 12),
    rowName: (row) => String(row * scale.step.rows),
    colName: (col) => String(col * scale.step.cols),
    source: `${common(app, session, info)} ${other?.subject ?? ""}`,
    load: (rect) => (isFinest ? loadCells(array, rect) : loadBlocks(array, scale, rect)),
    selected: placeOf(axes, session.picked.value, scale),
    hovered: placeOf(axes, session.hover.value, scale),
    theme: String(app.state.dark.value),
    dimmed: session.cells.value === "value" && app.state.stale.value,
    onSelect: (to) => pickAt(array, at, to),
    onHover: (to) => {
      session.hover.value = to ? spotOf(array, at, to) : null;
    },
    speak: (to) =>
      isFinest ? speak(session, info, logicalSpot(session, to), to) : speakBlock(array, at, to),
  };
}

/** The picture; with a layout to compare with, cells say where elements go in that one. */
export function LogicalPicture(props: ComparedProps): JSX.Element {
  const { session, info } = props;
  const array = useLogicalArray(props);
  const { scales, cell } = array;
  const stepAt = (at: number) => scaleAt(array, at).step;
  return (
    <ZoomedGrid
      subject={subjectOf(session, "logical")}
      zoom={session.zoom.logical}
      bytes={info.physicalBytes}
      scales={scales}
      limits={(at) => logicalLimits(scales, at, cellLimits(cell))}
      place={(place, from, to) => logicalPlace(place, scaleAt(array, from), scaleAt(array, to))}
      size={({ width, height }, from, to) => {
        const [a, b] = [stepAt(from), stepAt(to)];
        return { width: (width * b.cols) / a.cols, height: (height * b.rows) / a.rows };
      }}
      element={({ row, col }, at) => [row * stepAt(at).rows, col * stepAt(at).cols]}
      cellOf={([row = 0, col = 0], at) => {
        const step = stepAt(at);
        return { row: row / step.rows, col: col / step.cols };
      }}
      grid={(at) => gridOf(array, at)}
    />
  );
}
