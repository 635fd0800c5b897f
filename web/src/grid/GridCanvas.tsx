/**
 * A grid of any size on a canvas: pan, zoom, hover, selection by mouse and keyboard. It is one
 * focusable element with grid semantics; a live region describes the selected cell.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../strings";
import { Scrollbar } from "../ui/Scrollbar";
import type { CellData, Headers, Pin } from "./cells";
import { Foot, zoomKeys } from "./Foot";
import { useLoader, useMotion } from "./loading";
import { paintMoving } from "./moving";
import { paint } from "./paint";
import { touchAction, usePointers } from "./pointing";
import { type Opening, useReport, useSeen } from "./seeing";
import { readTheme } from "./theme";
import type { CellPlace, CellRect, CellSize, Limits, Viewport } from "./viewport";
import {
  clampScroll,
  maxScroll,
  moveByKey,
  noLessThan,
  reveal,
  scrollBy,
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

export function GridCanvas(props: GridProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const area = useSignal({ width: 0, height: 0 });
  const focused = useSignal(false);

  const headers: Headers = {
    left: props.rowHeader,
    top: HEADER_HEIGHT,
    row: props.rowName,
    col: props.colName,
  };
  const width = Math.max(0, area.value.width - headers.left - 2);
  const height = Math.max(0, area.value.height - headers.top - 2);
  const whole = fitCell(props, Math.max(1, width), Math.max(1, height));
  const seen = useSeen(props, { width, height }, whole);
  const { scale } = props;
  const limits = scale && noLessThan(scale.limits, whole);
  const cell = seen.now.cell ? sizeWithin(seen.now.cell, limits) : whole;
  const view = clampScroll({
    rows: props.rows,
    cols: props.cols,
    width,
    height,
    cellWidth: cell.width,
    cellHeight: cell.height,
    top: seen.now.top,
    left: seen.now.left,
  });
  const latest = useRef({ view, props, limits });
  latest.current = { view, props, limits };
  useReport(seen.now, view, whole, scale);
  // Read here, so that the grid is drawn again when data arrive.
  const data = useLoader({ ...props, scale: scale?.id }, view);
  const motion = useMotion(props.animated ?? false, data, view, headers);
  const show = (next: Viewport): void => {
    const { view: v } = latest.current;
    const isZoomed = next.cellWidth !== v.cellWidth || next.cellHeight !== v.cellHeight;
    seen.change({
      top: next.top,
      left: next.left,
      ...(isZoomed && { cell: { width: next.cellWidth, height: next.cellHeight } }),
    });
  };
  const setView = (next: Viewport): void => {
    seen.change({ untouched: false });
    show(next);
  };

  const zoom = (factor: number, x: number, y: number): void => {
    const { view: v, props: p, limits: ends } = latest.current;
    if (!p.scale || !ends) {
      setView(zoomAt(v, factor, x, y));
      return;
    }
    const next = zoomWithin(v, factor, x, y, ends);
    if (next.cellWidth !== v.cellWidth || next.cellHeight !== v.cellHeight) setView(next);
    else {
      const place = { row: v.top + y / v.cellHeight, col: v.left + x / v.cellWidth };
      const size = { width: v.cellWidth, height: v.cellHeight };
      p.scale.onBeyond(factor > 1 ? 1 : -1, { place, x, y, cell: size });
    }
  };
  const zoomMiddle = (factor: number): void => zoom(factor, view.width / 2, view.height / 2);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      area.value = { width: element.clientWidth, height: element.clientHeight };
    });
    observer.observe(element);
    area.value = { width: element.clientWidth, height: element.clientHeight };
    return () => observer.disconnect();
  }, []);

  const sought = useRef({ row: -1, col: -1, scale: scale?.id });
  useEffect(() => {
    if (!props.selected || area.value.width === 0) return;
    const { row, col } = props.selected;
    const { current: before } = sought;
    const moved = before.row !== row || before.col !== col;
    sought.current = { row, col, scale: scale?.id };
    const { view: v } = latest.current;
    // Who comes nearer stays where they are, wherever the selected cell is.
    const isNew = before.scale !== scale?.id || before.row < 0 || scale?.isLinked;
    if (isNew && !seen.now.untouched) return;
    if (seen.now.untouched) show(reveal(clampScroll({ ...v, top: 0, left: 0 }), props.selected));
    else if (moved) show(reveal(v, props.selected));
  }, [
    props.selected?.row,
    props.selected?.col,
    props.rows,
    props.cols,
    cell.width,
    cell.height,
    area.value.width,
    area.value.height,
  ]);

  useLayoutEffect(() => {
    const element = canvas.current;
    const ctx = element?.getContext("2d");
    if (!element || !ctx || area.value.width === 0) return;
    const ratio = window.devicePixelRatio || 1;
    const width = Math.round(area.value.width * ratio);
    const height = Math.round(area.value.height * ratio);
    if (element.width !== width || element.height !== height) {
      element.width = width;
      element.height = height;
    }
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (motion.share < 1) {
      const size = { width: area.value.width, height: area.value.height };
      const theme = readTheme(element);
      paintMoving(ctx, motion.cells, motion.share, size, headers, theme, props.pins ?? []);
      return;
    }
    paint(ctx, data, view, headers, readTheme(element), {
      selected: props.selected,
      hovered: props.hovered,
      focused: focused.value,
      dimmed: props.dimmed ?? false,
      pins: props.pins ?? [],
    });
  });

  // A wheel listener must not be passive to prevent the page from scrolling too.
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      const { view: v } = latest.current;
      const rect = element.getBoundingClientRect();
      let next: Viewport;
      if (event.ctrlKey || event.metaKey) {
        const x = event.clientX - rect.left - headers.left;
        const y = event.clientY - rect.top - headers.top;
        event.preventDefault();
        zoom(Math.exp(-event.deltaY / 300), x, y);
        return;
      } else {
        const unit = event.deltaMode === 1 ? 24 : 1;
        const dx = event.shiftKey ? event.deltaY : event.deltaX;
        const dy = event.shiftKey ? 0 : event.deltaY;
        next = scrollBy(v, (dy * unit) / v.cellHeight, (dx * unit) / v.cellWidth);
        if (next.top === v.top && next.left === v.left) return;
      }
      event.preventDefault();
      setView(next);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, [headers.left]);

  const pointers = usePointers({
    view,
    headers,
    onHover: props.onHover,
    onSelect: props.onSelect,
    onZoom: zoom,
    onView: setView,
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    const from = props.selected ?? visibleCells(view);
    const factor = zoomKeys[event.key];
    if (factor !== undefined && !event.ctrlKey && !event.metaKey) zoomMiddle(factor);
    else if (event.key === "0" && !event.ctrlKey && !event.metaKey) {
      seen.change({ cell: null });
      scale?.onWhole();
    } else {
      const to = moveByKey(view, from, event.key, event.ctrlKey || event.metaKey);
      if (!to) return;
      props.onSelect(props.selected ? to : { row: from.row, col: from.col });
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const line = props.selected ? props.speak(props.selected) : "";
  const activeId = `${props.id}-cell`;
  const max = maxScroll(view);
  const scrolls = max.top > 0 || max.left > 0;
  return (
    <div class="grid-frame">
      <div
        id={props.id}
        class="grid-box"
        ref={box}
        role="grid"
        tabIndex={0}
        // Where there is nothing to move, or no more, a finger scrolls the page.
        style={{ touchAction: touchAction(view, scale !== undefined) || "none" }}
        aria-label={props.label}
        aria-rowcount={props.rows > 2 ** 31 ? -1 : props.rows}
        aria-colcount={props.cols > 2 ** 31 ? -1 : props.cols}
        aria-activedescendant={activeId}
        aria-describedby="grid-help"
        {...pointers}
        onKeyDown={onKeyDown}
        onCopy={(event) => {
          const copied = props.selected && props.textAt?.(props.selected);
          if (!copied) return;
          event.clipboardData?.setData("text/plain", copied);
          event.preventDefault();
        }}
        onFocus={() => {
          focused.value = true;
        }}
        onBlur={() => {
          focused.value = false;
        }}
      >
        <canvas ref={canvas} aria-hidden="true" data-theme-key={props.theme} />
        {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
        <div role="row" class="visually-hidden" aria-rowindex={(props.selected?.row ?? 0) + 1}>
          {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
          <div
            role="gridcell"
            id={activeId}
            aria-colindex={(props.selected?.col ?? 0) + 1}
            aria-selected={props.selected !== null}
          >
            {line || words.grid.noCell}
          </div>
        </div>
      </div>
      {(scrolls || seen.now.cell || scale) && (
        <Foot grid={props.id} view={view} scrolls={scrolls} onZoom={zoomMiddle} onScroll={setView}>
          {scale?.foot(view)}
        </Foot>
      )}
      <Scrollbar
        vertical
        position={view.top}
        max={max.top}
        shown={view.height / view.cellHeight}
        onScroll={(top) => setView(clampScroll({ ...view, top }))}
      />
      <Scrollbar
        position={view.left}
        max={max.left}
        shown={view.width / view.cellWidth}
        onScroll={(left) => setView(clampScroll({ ...view, left }))}
      />
    </div>
  );
}
