/** Linear memory, line by line. */
import type { JSX } from "preact";
import { useMemo, useRef } from "preact/hooks";
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
  indexLetters,
  type PicturesProps,
  speak,
} from "./picture_parts";
import { blockOffset, blockPlace, type MemoryScale, memoryLimits, memoryScales } from "./scales";
import { byteAt, lineOf, loadMemory, memorySpot, pick, type Spot, subjectOf } from "./session";
import { layoutWords } from "./words";
import { ZoomedGrid } from "./ZoomedGrid";

export function MemoryPicture(props: PicturesProps & { id: string }): JSX.Element {
  const { app, session, info } = props;
  const blocks = useRef<Blocks | null>(null);
  const tiling = session.tiling.value;
  const line = Math.min(lineOf(session), Math.max(1, info.physicalElements));
  const scales = useMemo(() => memoryScales(info, tiling, line), [info, tiling, line]);
  const scaleAt = (at: number): MemoryScale => scales[at] as MemoryScale;
  const isValue = session.cells.value === "value";
  const cell = cellSize(isValue ? 7 : indexLetters(info.dims));

  const placeOf = (spot: Spot | null, scale: MemoryScale): CellPlace | null =>
    spot && spot.offset >= 0 ? blockPlace(spot.offset, scale) : null;
  const loadCells = async (perLine: number, rect: CellRect) => {
    const cells = await loadMemory(session, app, rect, perLine);
    if (!cells) return null;
    const detail = (i: number): string => {
      const row = rect.row + Math.floor(i / rect.cols);
      return bytesOf(session, row * perLine + rect.col + (i % rect.cols));
    };
    return { ...cells, detail };
  };
  const loadBlocks = async (scale: MemoryScale, rect: CellRect) => {
    const read = await readMemoryBlocks(session, app, scale, rect);
    if (read) blocks.current = read;
    return read?.cells ?? null;
  };
  /** The first element of a block. */
  const spotOf = (scale: MemoryScale, place: CellPlace): Spot | null => {
    if (scale.block === 1) return memorySpot(session, place, scale.line);
    const offset = blockOffset(place, scale);
    if (offset >= info.physicalElements) return null;
    return spotAmong(blocks.current, scale, place) || { index: null, offset };
  };
  const speakBlock = (scale: MemoryScale, place: CellPlace): string => {
    const spot = spotOf(scale, place);
    if (!spot) return words.grid.outside;
    const last = Math.min(info.physicalElements, spot.offset + scale.block) - 1;
    const w = layoutWords.block;
    return [
      w.offsets(integer(spot.offset), integer(last)),
      words.grid.byte(integer(byteAt(session, spot.offset))),
      ...(spot.index ? [w.from(spot.index)] : []),
    ].join(", ");
  };

  const middleOf = (offset: number, at: number): CellPlace => {
    const { row, col } = blockPlace(offset, scaleAt(at));
    return { row: row + 0.5, col: col + 0.5 };
  };

  const grid = (at: number): Omit<GridProps, "scale"> => {
    const scale = scaleAt(at);
    const isCells = scale.block === 1;
    const isFinest = at === scales.length - 1;
    const fit = isFinest ? cell.fit : { ...cell.fit, widest: Infinity, tallest: Infinity };
    return {
      id: props.id,
      label: layoutWords.memoryGrid(info.subject),
      rows: scale.rows,
      cols: scale.line,
      ...(isFinest ? cell : { cellWidth: 44, cellHeight: 26 }),
      fit,
      rowHeader: Math.max(28, digits(info.physicalElements) * 7 + 14),
      rowName: (row) => String(row * scale.line * scale.block),
      colName: (col) => `+${col * scale.block}`,
      source: `${common(app, session, info)} ${line} ${isValue ? session.values.value.size : ""}`,
      load: (rect) => (isCells ? loadCells(scale.line, rect) : loadBlocks(scale, rect)),
      selected: placeOf(session.picked.value, scale),
      hovered: placeOf(session.hover.value, scale),
      theme: String(app.state.dark.value),
      dimmed: isValue && app.state.stale.value,
      onSelect: (to) => {
        const spot = spotOf(scale, to);
        if (spot) pick(session, app, spot);
      },
      onHover: (to) => {
        session.hover.value = to ? spotOf(scale, to) : null;
      },
      speak: (to) =>
        isCells ? speak(session, info, spotOf(scale, to), null) : speakBlock(scale, to),
    };
  };
  return (
    <ZoomedGrid
      subject={subjectOf(session, "memory")}
      zoom={session.zoom.memory}
      bytes={info.physicalBytes}
      scales={scales}
      limits={(at) => memoryLimits(scales, at, cellLimits(cell))}
      place={(place, from, to) => middleOf(blockOffset(place, scaleAt(from)), to)}
      size={(_, __, to) => memoryLimits(scales, to, cellLimits(cell)).usual}
      element={({ row, col }, at) => {
        const scale = scaleAt(at);
        const first = blockOffset({ row, col: Math.min(col, scale.line - 1) }, scale);
        return [first + Math.min(0.99, row % 1)];
      }}
      cellOf={([offset = 0], at) => {
        const { row, col } = middleOf(Math.floor(offset), at);
        return { row: row - 0.5 + (offset % 1), col };
      }}
      grid={grid}
    />
  );
}
