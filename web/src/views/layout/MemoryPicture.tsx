/** Linear memory, line by line. */
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
import type { CellData } from "../../grid/cells";
import type { GridProps } from "../../grid/GridCanvas";
import type { CellPlace, CellRect } from "../../grid/viewport";
import { words } from "../../strings";
import { integer } from "../../ui/format";
import { type Blocks, bytesOf, readMemoryBlocks, spotAmong } from "./blocks";
import {
  cellLimits,
  cellSize,
  common,
  digits,
  fitOf,
  indexLetters,
  type PicturesProps,
  speak,
} from "./picture_parts";
import { blockOffset, blockPlace, type MemoryScale, memoryLimits, memoryScales } from "./scales";
import { lineOf, pick, type Spot, subjectOf } from "./session";
import { byteAt, loadMemory, memorySpot } from "./windows";
import { layoutWords } from "./words";
import { ZoomedGrid } from "./ZoomedGrid";

/** Memory, at the scales it is seen at. */
interface MemoryLines extends PicturesProps {
  id: string;
  /** Elements to a line where single ones are shown. */
  line: number;
  scales: readonly MemoryScale[];
  /** Cells of single elements; they show values, or else indices. */
  cell: ReturnType<typeof cellSize>;
  isValue: boolean;
  /** Those read last, of whatever scale. */
  blocks: { current: Blocks | null };
}

function useMemoryLines(props: PicturesProps & { id: string }): MemoryLines {
  const { session, info } = props;
  const blocks = useRef<Blocks | null>(null);
  const tiling = session.tiling.value;
  const line = Math.min(lineOf(session), Math.max(1, info.physicalElements));
  const scales = useMemo(() => memoryScales(info, tiling, line), [info, tiling, line]);
  const isValue = session.cells.value === "value";
  const cell = cellSize(isValue ? 7 : indexLetters(info.dims));
  return { ...props, line, scales, cell, isValue, blocks };
}

const scaleAt = ({ scales }: MemoryLines, at: number): MemoryScale => scales[at] as MemoryScale;

const placeOf = (spot: Spot | null, scale: MemoryScale): CellPlace | null =>
  spot && spot.offset >= 0 ? blockPlace(spot.offset, scale) : null;

/** Cells of single elements, `perLine` to a line. */
async function loadCells(
  { app, session }: MemoryLines,
  perLine: number,
  rect: CellRect,
): Promise<CellData | null> {
  const cells = await loadMemory(session, app, rect, perLine);
  if (!cells) return null;
  const detail = (i: number): string => {
    const row = rect.row + Math.floor(i / rect.cols);
    return bytesOf(session, row * perLine + rect.col + (i % rect.cols));
  };
  return { ...cells, detail };
}

async function loadBlocks(
  { app, session, blocks }: MemoryLines,
  scale: MemoryScale,
  rect: CellRect,
): Promise<CellData | null> {
  const read = await readMemoryBlocks(session, app, scale, rect);
  if (read) blocks.current = read;
  return read?.cells ?? null;
}

/** The first element of a block. */
function spotOf(lines: MemoryLines, scale: MemoryScale, place: CellPlace): Spot | null {
  if (scale.block === 1) return memorySpot(lines.session, place, scale.line);
  const offset = blockOffset(place, scale);
  if (offset >= lines.info.physicalElements) return null;
  return spotAmong(lines.blocks.current, scale, place) || { index: null, offset };
}

function speakBlock(lines: MemoryLines, scale: MemoryScale, place: CellPlace): string {
  const spot = spotOf(lines, scale, place);
  if (!spot) return words.grid.outside;
  const last = Math.min(lines.info.physicalElements, spot.offset + scale.block) - 1;
  const w = layoutWords.block;
  return [
    w.offsets(integer(spot.offset), integer(last)),
    words.grid.byte(integer(byteAt(lines.session, spot.offset))),
    ...(spot.index ? [w.from(spot.index)] : []),
  ].join(", ");
}

/** The middle of the cell that an offset is in. */
function middleOf(offset: number, scale: MemoryScale): CellPlace {
  const { row, col } = blockPlace(offset, scale);
  return { row: row + 0.5, col: col + 0.5 };
}

/** The grid of a scale. */
function gridOf(lines: MemoryLines, at: number): Omit<GridProps, "scale"> {
  const { app, session, info, line, cell, isValue } = lines;
  const scale = scaleAt(lines, at);
  const isCells = scale.block === 1;
  const isFinest = at === lines.scales.length - 1;
  return {
    id: lines.id,
    label: layoutWords.memoryGrid(info.subject),
    rows: scale.rows,
    cols: scale.line,
    ...(isFinest ? cell : { cellWidth: 44, cellHeight: 26 }),
    fit: fitOf(cell, isFinest),
    rowHeader: Math.max(28, digits(info.physicalElements) * 7 + 14),
    rowName: (row) => String(row * scale.line * scale.block),
    colName: (col) => `+${col * scale.block}`,
    source: `${common(app, session, info)} ${line} ${isValue ? session.values.value.size : ""}`,
    load: (rect) => (isCells ? loadCells(lines, scale.line, rect) : loadBlocks(lines, scale, rect)),
    selected: placeOf(session.picked.value, scale),
    hovered: placeOf(session.hover.value, scale),
    theme: String(app.state.dark.value),
    dimmed: isValue && app.state.stale.value,
    onSelect: (to) => {
      const spot = spotOf(lines, scale, to);
      if (spot) pick(session, app, spot);
    },
    onHover: (to) => {
      session.hover.value = to ? spotOf(lines, scale, to) : null;
    },
    speak: (to) =>
      isCells ? speak(session, info, spotOf(lines, scale, to), null) : speakBlock(lines, scale, to),
  };
}

/** The picture; `id` is that of its grid. */
export function MemoryPicture(props: PicturesProps & { id: string }): JSX.Element {
  const { session, info } = props;
  const lines = useMemoryLines(props);
  const { scales, cell } = lines;
  return (
    <ZoomedGrid
      subject={subjectOf(session, "memory")}
      zoom={session.zoom.memory}
      bytes={info.physicalBytes}
      scales={scales}
      limits={(at) => memoryLimits(scales, at, cellLimits(cell))}
      place={(place, from, to) =>
        middleOf(blockOffset(place, scaleAt(lines, from)), scaleAt(lines, to))
      }
      size={(_, __, to) => memoryLimits(scales, to, cellLimits(cell)).usual}
      element={({ row, col }, at) => {
        const scale = scaleAt(lines, at);
        const first = blockOffset({ row, col: Math.min(col, scale.line - 1) }, scale);
        return [first + Math.min(0.99, row % 1)];
      }}
      cellOf={([offset = 0], at) => {
        const { row, col } = middleOf(Math.floor(offset), scaleAt(lines, at));
        return { row: row - 0.5 + (offset % 1), col };
      }}
      grid={(at) => gridOf(lines, at)}
    />
  );
}
