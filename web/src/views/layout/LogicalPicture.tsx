/** The logical array: two of its dimensions, and where the elements lie. */
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { GridProps } from "../../grid/GridCanvas";
import type { CellPlace, CellRect } from "../../grid/viewport";
import { words } from "../../strings";
import { cellOf } from "../../ui/axes";
import { integer } from "../../ui/format";
import { type Blocks, bytesOf, readLogicalBlocks, spotAmong } from "./blocks";
import { loadCompared } from "./compare";
import {
  type ComparedProps,
  cellLimits,
  cellSize,
  common,
  digits,
  indexLetters,
  speak,
} from "./picture_parts";
import { type LogicalScale, logicalLimits, logicalPlace, logicalScales } from "./scales";
import { byteAt, loadLogical, logicalSpot, pick, type Spot, subjectOf } from "./session";
import { layoutWords } from "./words";
import { ZoomedGrid } from "./ZoomedGrid";

export function LogicalPicture({ app, session, info, compared }: ComparedProps): JSX.Element {
  const other = compared?.info.value ?? null;
  const axes = session.axes.value;
  const blocks = useRef<Blocks | null>(null);
  const scales = useMemo(() => logicalScales(info, axes), [info, axes.row, axes.col]);
  const scaleAt = (at: number): LogicalScale => scales[at] as LogicalScale;
  const size = (dim: number): number => (dim >= 0 ? (info.dims[dim] ?? 1) : 1);
  const [rows, cols] = [size(axes.row), size(axes.col)];
  const letters = {
    offset: digits(info.physicalElements) + (other ? digits(other.physicalElements) + 1 : 0),
    index: indexLetters(info.dims),
    value: 7,
  };
  const cell = cellSize(letters[other ? "offset" : session.cells.value]);

  const placeOf = (spot: Spot | null, { step }: LogicalScale): CellPlace | null => {
    const at = spot?.index ? cellOf(axes, spot.index) : null;
    return at && { row: Math.floor(at.row / step.rows), col: Math.floor(at.col / step.cols) };
  };
  const loadCells = async (rect: CellRect) => {
    blocks.current = null;
    const cells = await (compared
      ? loadCompared(session, compared, app, rect)
      : loadLogical(session, app, rect));
    if (!cells) return null;
    const offsets = session.logical?.answer.offsets;
    return { ...cells, detail: (i: number) => bytesOf(session, offsets?.[i] ?? 0) };
  };
  const loadBlocks = async (scale: LogicalScale, rect: CellRect) => {
    const read = await readLogicalBlocks(session, app, scale, rect, compared);
    if (read) blocks.current = read;
    return read?.cells ?? null;
  };
  /** The first element of a block. */
  const spotOf = (at: number, place: CellPlace): Spot | null => {
    if (at === scales.length - 1) return logicalSpot(session, place);
    const scale = scaleAt(at);
    const first = { row: place.row * scale.step.rows, col: place.col * scale.step.cols };
    const spot = logicalSpot(session, first);
    return spot && (spotAmong(blocks.current, scale, place) ?? spot);
  };
  const speakBlock = (at: number, place: CellPlace): string => {
    const { step } = scaleAt(at);
    const spot = spotOf(at, place);
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
  };

  const grid = (at: number): Omit<GridProps, "scale"> => {
    const scale = scaleAt(at);
    const isFinest = at === scales.length - 1;
    const fit = isFinest ? cell.fit : { ...cell.fit, widest: Infinity, tallest: Infinity };
    return {
      id: "logical-grid",
      label: other
        ? layoutWords.comparedGrid(info.subject, other.subject)
        : layoutWords.logicalGrid(info.subject),
      rows: scale.rows,
      cols: scale.cols,
      ...cell,
      fit,
      rowHeader: Math.max(24, digits(info.paddedDims[axes.row] ?? 1) * 7 + 12),
      rowName: (row) => String(row * scale.step.rows),
      colName: (col) => String(col * scale.step.cols),
      source: `${common(app, session, info)} ${other?.subject ?? ""}`,
      load: (rect) => (isFinest ? loadCells(rect) : loadBlocks(scale, rect)),
      selected: placeOf(session.picked.value, scale),
      hovered: placeOf(session.hover.value, scale),
      theme: String(app.state.dark.value),
      dimmed: session.cells.value === "value" && app.state.stale.value,
      onSelect: (to) => {
        // Keys stop at the last element: the padding around it has no index.
        const row = Math.min(to.row, Math.floor((rows - 1) / scale.step.rows));
        const spot = spotOf(at, {
          row,
          col: Math.min(to.col, Math.floor((cols - 1) / scale.step.cols)),
        });
        if (spot) pick(session, app, spot);
      },
      onHover: (to) => {
        session.hover.value = to ? spotOf(at, to) : null;
      },
      speak: (to) =>
        isFinest ? speak(session, info, logicalSpot(session, to), to) : speakBlock(at, to),
    };
  };
  return (
    <ZoomedGrid
      subject={subjectOf(session, "logical")}
      zoom={session.zoom.logical}
      bytes={info.physicalBytes}
      scales={scales}
      limits={(at) => logicalLimits(scales, at, cellLimits(cell))}
      place={(place, from, to) => logicalPlace(place, scaleAt(from), scaleAt(to))}
      size={({ width, height }, from, to) => {
        const [a, b] = [scaleAt(from).step, scaleAt(to).step];
        return { width: (width * b.cols) / a.cols, height: (height * b.rows) / a.rows };
      }}
      element={({ row, col }, at) => {
        const { step } = scaleAt(at);
        return [row * step.rows, col * step.cols];
      }}
      cellOf={([row = 0, col = 0], at) => {
        const { step } = scaleAt(at);
        return { row: row / step.rows, col: col / step.cols };
      }}
      grid={grid}
    />
  );
}
