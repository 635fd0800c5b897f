/**
 * A grid of any size on a canvas: pan, zoom, hover, selection by mouse and keyboard. It is one
 * focusable element with grid semantics; a live region describes the selected cell.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useRef } from "preact/hooks";
import { words } from "../strings";
import { Scrollbar } from "../ui/Scrollbar";
import { useSize } from "../ui/size";
import type { CellData, Headers, Pin } from "./cells";
import { useDrawing } from "./drawing";
import { Foot, zoomKeys } from "./Foot";
import { useLoader, useMotion } from "./loading";
import { paintMoving } from "./moving";
import { paint } from "./paint";
import { touchAction, usePointers, useWheel } from "./pointing";
import { type Opening, type SeenGrid, useReport, useRevealed, useSeen } from "./seeing";
import type { CellPlace, CellRect, CellSize, Limits, Viewport } from "./viewport";
import {
  clampScroll,
  maxScroll,
  moveByKey,
  noLessThan,
  sizeWithin,
  visibleCells,
  zoomAt,
  zoomWithin,
} from "./viewport";
import "../styles/grid.css";

/** A grid whose cells are blocks of others when it is seen from afar. */
export interface Scale {
  /** A number of its own for every scale. */
  id: number;
  limits: Limits;
  /** Null: the whole. */
  opening: Opening | null;
  /** When it is another one the grid opens anew. */
  turn: unknown;
  /** The opening is what a link says: selecting leaves it, until the person does something. */
  isLinked: boolean;
  /** The person zooms on, in (1) or out (-1), where the limits end. */
  onBeyond(by: 1 | -1, at: Required<Opening>): void;
  /** The person has come to see something else, or the whole of this scale again. */
  onRest(view: Viewport, isWhole: boolean): void;
  /** Back to the whole. */
  onWhole(): void;
  /** More for the foot. */
  foot(view: Viewport): ComponentChildren;
}

export interface GridProps {
  id: string;
  label: string;
  rows: number;
  cols: number;
  /** Cell size in a large array; in a small one cells are scaled to fill the area. */
  cellWidth: number;
  cellHeight: number;
  /** The minimum and maximum size of cells scaled to fit. */
  fit: { narrowest: number; widest: number; tallest: number };
  /** With it the grid opens with all of its cells, however small. */
  scale?: Scale;
  rowHeader: number;
  rowName(index: number): string;
  colName(index: number): string;
  /** A key of what `load` depends on: when it changes, the window is loaded again. */
  source: string;
  load(window: CellRect): Promise<CellData | null>;
  selected: CellPlace | null;
  hovered: CellPlace | null;
  pins?: readonly Pin[];
  /** Animates cells to their new positions, unless reduced motion is requested. */
  animated?: boolean;
  dimmed?: boolean;
  /** Changes with the colour scheme. */
  theme: string;
  onSelect(place: CellPlace): void;
  onHover(place: CellPlace | null): void;
  speak(place: CellPlace): string;
  /** What the keys that copy take of the selected cell. */
  textAt?(place: CellPlace): string;
}

/** The cell size before any zooming. */
export function fitCell(
  props: Pick<GridProps, "rows" | "cols" | "cellWidth" | "cellHeight" | "fit" | "scale">,
  width: number,
  height: number,
): CellSize {
  const { rows, cols, cellWidth, cellHeight, fit, scale } = props;
  const wide = width / Math.max(1, cols);
  const tall = height / Math.max(1, rows);
  return {
    width: scale || wide >= fit.narrowest ? Math.min(wide, fit.widest) : cellWidth,
    height: scale || tall >= cellHeight ? Math.min(tall, fit.tallest) : cellHeight,
  };
}

const HEADER_HEIGHT = 20;

/** The grid as it is seen now. */
interface GridView {
  view: Viewport;
  headers: Headers;
  /** The cell size before any zooming. */
  whole: CellSize;
  /** How far a grid with scales can be zoomed before it comes to another scale. */
  limits: Limits | undefined;
  seen: SeenGrid;
}

/** What is seen of a grid in an area of so many pixels, headers included. */
function useGridView(props: GridProps, area: CellSize): GridView {
  const { rows, cols, scale } = props;
  const headers: Headers = {
    left: props.rowHeader,
    top: HEADER_HEIGHT,
    row: props.rowName,
    col: props.colName,
  };
  const width = Math.max(0, area.width - headers.left - 2);
  const height = Math.max(0, area.height - headers.top - 2);
  const whole = fitCell(props, Math.max(1, width), Math.max(1, height));
  const seen = useSeen(props, { width, height }, whole);
  const limits = scale && noLessThan(scale.limits, whole);
  const { top, left } = seen.now;
  const cell = seen.now.cell ? sizeWithin(seen.now.cell, limits) : whole;
  const sizes = { width, height, cellWidth: cell.width, cellHeight: cell.height };
  const view = clampScroll({ rows, cols, ...sizes, top, left });
  return { view, headers, whole, limits, seen };
}

/** What changes the view. Wheels and timers hold on to these functions, so they look up the newest view. */
interface Moves {
  /** Without the person having moved. */
  show(next: Viewport): void;
  scroll(next: Viewport): void;
  /** About a point of the area, in pixels from its first cell. */
  zoom(factor: number, x: number, y: number): void;
  /** About the middle. */
  zoomMiddle(factor: number): void;
}

function useMoves(props: GridProps, grid: GridView): Moves {
  const latest = useRef({ grid, scale: props.scale });
  latest.current = { grid, scale: props.scale };
  const isZoomed = ({ cellWidth, cellHeight }: Viewport): boolean => {
    const { view } = latest.current.grid;
    return cellWidth !== view.cellWidth || cellHeight !== view.cellHeight;
  };
  const show = (next: Viewport): void => {
    const { top, left, cellWidth: width, cellHeight: height } = next;
    grid.seen.change({ top, left, ...(isZoomed(next) && { cell: { width, height } }) });
  };
  const scroll = (next: Viewport): void => {
    grid.seen.change({ untouched: false });
    show(next);
  };
  const zoom = (factor: number, x: number, y: number): void => {
    const { scale } = latest.current;
    const { view, limits } = latest.current.grid;
    const { cellWidth: width, cellHeight: height } = view;
    if (!scale || !limits) {
      scroll(zoomAt(view, factor, x, y));
      return;
    }
    const next = zoomWithin(view, factor, x, y, limits);
    if (isZoomed(next)) scroll(next);
    else {
      const place = { row: view.top + y / height, col: view.left + x / width };
      scale.onBeyond(factor > 1 ? 1 : -1, { place, x, y, cell: { width, height } });
    }
  };
  const { view } = grid;
  return {
    show,
    scroll,
    zoom,
    zoomMiddle: (factor) => zoom(factor, view.width / 2, view.height / 2),
  };
}

/** What a key does to a grid; false where it does nothing. */
function pressed(event: KeyboardEvent, props: GridProps, grid: GridView, moves: Moves): boolean {
  if (event.altKey) return false;
  const isControl = event.ctrlKey || event.metaKey;
  const factor = zoomKeys[event.key];
  if (factor !== undefined && !isControl) moves.zoomMiddle(factor);
  else if (event.key === "0" && !isControl) {
    grid.seen.change({ cell: null });
    props.scale?.onWhole();
  } else {
    const from = props.selected ?? visibleCells(grid.view);
    const to = moveByKey(grid.view, from, event.key, isControl);
    if (!to) return false;
    props.onSelect(props.selected ? to : { row: from.row, col: from.col });
  }
  return true;
}

function copyText(event: ClipboardEvent, text: string | null | undefined): void {
  if (!text) return;
  event.clipboardData?.setData("text/plain", text);
  event.preventDefault();
}

const cellId = (grid: string): string => `${grid}-cell`;

/** The selected cell, for screen readers: the canvas has none. */
function SelectedCell(props: {
  grid: string;
  place: CellPlace | null;
  spoken: string;
}): JSX.Element {
  const { grid, place, spoken } = props;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div role="row" class="visually-hidden" aria-rowindex={(place?.row ?? 0) + 1}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
      <div
        role="gridcell"
        id={cellId(grid)}
        aria-colindex={(place?.col ?? 0) + 1}
        aria-selected={place !== null}
      >
        {spoken || words.grid.noCell}
      </div>
    </div>
  );
}

/** Around the cells: buttons that zoom, a small picture of the whole, and scrollbars. */
function Controls(props: {
  id: string;
  scale: Scale | undefined;
  grid: GridView;
  moves: Moves;
}): JSX.Element {
  const { id, scale, moves } = props;
  const { view, seen } = props.grid;
  const max = maxScroll(view);
  const scrolls = max.top > 0 || max.left > 0;
  return (
    <>
      {(scrolls || seen.now.cell || scale) && (
        <Foot
          grid={id}
          view={view}
          scrolls={scrolls}
          onZoom={moves.zoomMiddle}
          onScroll={moves.scroll}
        >
          {scale?.foot(view)}
        </Foot>
      )}
      <Scrollbar
        vertical
        position={view.top}
        max={max.top}
        shown={view.height / view.cellHeight}
        onScroll={(top) => moves.scroll(clampScroll({ ...view, top }))}
      />
      <Scrollbar
        position={view.left}
        max={max.left}
        shown={view.width / view.cellWidth}
        onScroll={(left) => moves.scroll(clampScroll({ ...view, left }))}
      />
    </>
  );
}

/** How many rows or columns assistive technology is told of: its numbers have 32 bits. */
const toldCount = (cells: number): number => (cells > 2 ** 31 ? -1 : cells);

/** A grid: the canvas of its cells, which follows pointers, wheel and keys, with its controls. */
export function GridCanvas(props: GridProps): JSX.Element {
  const { id, selected, scale } = props;
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const area = useSize(box);
  const focused = useSignal(false);
  const grid = useGridView(props, area);
  const { view, headers, seen } = grid;
  const moves = useMoves(props, grid);
  useReport(seen.now, view, grid.whole, scale);
  // Read here, so that the grid is drawn again when data arrive.
  const data = useLoader({ ...props, scale: scale?.id }, view);
  const motion = useMotion(props.animated ?? false, data, view, headers);
  useRevealed({ selected, scale, seen, view, area, show: moves.show });
  useDrawing(canvas, area, (ctx, theme) => {
    const { dimmed = false, pins = [], hovered } = props;
    if (motion.share < 1) {
      paintMoving(ctx, motion.cells, motion.share, area, headers, theme, pins);
    } else {
      const marks = { selected, hovered, focused: focused.value, dimmed, pins };
      paint(ctx, data, view, headers, theme, marks);
    }
  });
  const { onHover, onSelect } = props;
  const pointing = { view, headers, onHover, onSelect, onZoom: moves.zoom, onView: moves.scroll };
  useWheel(box, pointing);
  const pointers = usePointers(pointing);
  return (
    <div class="grid-frame">
      <div
        id={id}
        class="grid-box"
        ref={box}
        role="grid"
        tabIndex={0}
        // Where there is nothing to move, or no more, a finger scrolls the page.
        style={{ touchAction: touchAction(view, scale !== undefined) || "none" }}
        aria-label={props.label}
        aria-rowcount={toldCount(props.rows)}
        aria-colcount={toldCount(props.cols)}
        aria-activedescendant={cellId(id)}
        aria-describedby="grid-help"
        {...pointers}
        onKeyDown={(event) => {
          if (!pressed(event, props, grid, moves)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        onCopy={(event) => copyText(event, selected && props.textAt?.(selected))}
        onFocus={() => {
          focused.value = true;
        }}
        onBlur={() => {
          focused.value = false;
        }}
      >
        <canvas ref={canvas} aria-hidden="true" data-theme-key={props.theme} />
        <SelectedCell grid={id} place={selected} spoken={selected ? props.speak(selected) : ""} />
      </div>
      <Controls id={id} scale={scale} grid={grid} moves={moves} />
    </div>
  );
}
