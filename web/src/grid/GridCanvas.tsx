/**
 * A grid of any size on a canvas: pan, zoom, hover, selection by mouse and keyboard. It is one
 * focusable element with grid semantics; a live line says what the selected cell holds.
 */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { words } from "../strings";
import { Icon } from "../ui/Icon";
import { Scrollbar } from "../ui/Scrollbar";
import { type MovingCell, movingCells, type Painted, paintMoving } from "./moving";
import { Overview } from "./Overview";
import type { CellData, Headers, Pin } from "./paint";
import { paint } from "./paint";
import { readTheme } from "./theme";
import type { CellPlace, CellRect, Viewport } from "./viewport";
import {
  cellAt,
  clampScroll,
  contains,
  inCorner,
  maxScroll,
  moveByKey,
  reveal,
  scrollBy,
  visibleCells,
  windowAround,
  zoomAt,
} from "./viewport";

export interface GridProps {
  id: string;
  label: string;
  rows: number;
  cols: number;
  /** Size of a cell in a large array; in a small one cells grow or shrink to fill the area. */
  cellWidth: number;
  cellHeight: number;
  /** The least and the largest size of cells that are made to fit. */
  fit: { narrowest: number; widest: number; tallest: number };
  rowHeader: number;
  rowName(index: number): string;
  colName(index: number): string;
  /** What `load` depends on: when it changes, the window is asked for again. */
  source: string;
  load(window: CellRect): Promise<CellData | null>;
  selected: CellPlace | null;
  hovered: CellPlace | null;
  pins?: readonly Pin[];
  /** Cells move from where they were to where they are, where motion is welcome. */
  animated?: boolean;
  dimmed?: boolean;
  /** Changes when the colours do. */
  theme: string;
  onSelect(place: CellPlace): void;
  onHover(place: CellPlace | null): void;
  speak(place: CellPlace): string;
}

/** The size of a cell before any zooming. */
export function fitCell(
  props: Pick<GridProps, "rows" | "cols" | "cellWidth" | "cellHeight" | "fit">,
  width: number,
  height: number,
): { width: number; height: number } {
  const { rows, cols, cellWidth, cellHeight, fit } = props;
  const wide = width / Math.max(1, cols);
  const tall = height / Math.max(1, rows);
  return {
    width: wide >= fit.narrowest ? Math.min(wide, fit.widest) : cellWidth,
    height: tall >= cellHeight ? Math.min(tall, fit.tallest) : cellHeight,
  };
}

const MARGIN = 12;
const HEADER_HEIGHT = 20;
const ZOOM_STEP = 1.25;

/** Keeps the newest of several answers that may come in any order. */
function useLoader(props: GridProps, view: Viewport) {
  const data = useSignal<CellData | null>(null);
  const state = useRef({ asked: null as CellRect | null, source: "", turn: 0 });
  const wanted = visibleCells(view);
  useEffect(() => {
    const s = state.current;
    if (view.width === 0) return;
    if (s.source === props.source && s.asked && contains(s.asked, wanted)) return;
    const turn = ++s.turn;
    s.asked = windowAround(view, MARGIN);
    if (s.source !== props.source) s.source = props.source;
    props.load(s.asked).then(
      (loaded) => {
        if (turn === state.current.turn) data.value = loaded;
      },
      () => {
        if (turn === state.current.turn) state.current.asked = null;
      },
    );
  }, [props.source, wanted.row, wanted.col, wanted.rows, wanted.cols, view.width === 0]);
  return data;
}

const MOTION_MS = 600;

/** Moves cells when other data arrive; tells how far they are, 1 while nothing moves. */
function useMotion(animated: boolean, data: CellData | null, view: Viewport, left: number) {
  const share = useSignal(1);
  const painted = useRef<Painted | null>(null);
  const cells = useRef<MovingCell[]>([]);
  useLayoutEffect(() => {
    const before = painted.current;
    painted.current = data ? { data, view, left } : null;
    if (!animated || !data || !before || before.data === data) return;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    cells.current = movingCells(before, { data, view, left }, HEADER_HEIGHT);
    if (cells.current.length === 0) return;
    const start = performance.now();
    let frame = 0;
    const next = (now: number): void => {
      share.value = Math.min(1, (now - start) / MOTION_MS);
      if (share.value < 1) frame = requestAnimationFrame(next);
    };
    share.value = 0;
    frame = requestAnimationFrame(next);
    return () => {
      cancelAnimationFrame(frame);
      share.value = 1;
    };
  }, [data]);
  return { share: share.value, cells: cells.current };
}

export function GridCanvas(props: GridProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const area = useSignal({ width: 0, height: 0 });
  const scroll = useSignal({ top: 0, left: 0 });
  /** Null until the person zooms. */
  const zoomed = useSignal<{ width: number; height: number } | null>(null);
  const focused = useSignal(false);
  /** Until the person scrolls, the selected element stays in view whatever becomes of the area. */
  const untouched = useRef(true);
  const drag = useRef<{ x: number; y: number; moved: boolean } | null>(null);

  const headers: Headers = {
    left: props.rowHeader,
    top: HEADER_HEIGHT,
    row: props.rowName,
    col: props.colName,
  };
  const width = Math.max(0, area.value.width - headers.left - 2);
  const height = Math.max(0, area.value.height - headers.top - 2);
  const cell = zoomed.value ?? fitCell(props, width, height);
  const view = clampScroll({
    rows: props.rows,
    cols: props.cols,
    width,
    height,
    cellWidth: cell.width,
    cellHeight: cell.height,
    top: scroll.value.top,
    left: scroll.value.left,
  });
  const latest = useRef({ view, props });
  latest.current = { view, props };
  // Read here, so that the grid is drawn again when data arrive.
  const data = useLoader(props, view).value;
  const motion = useMotion(props.animated ?? false, data, view, headers.left);
  const show = (next: Viewport): void => {
    scroll.value = { top: next.top, left: next.left };
    if (next.cellWidth !== cell.width || next.cellHeight !== cell.height) {
      zoomed.value = { width: next.cellWidth, height: next.cellHeight };
    }
  };
  const setView = (next: Viewport): void => {
    untouched.current = false;
    show(next);
  };

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

  useEffect(() => {
    zoomed.value = null;
    scroll.value = { top: 0, left: 0 };
    untouched.current = true;
  }, [props.rows, props.cols, props.cellWidth, props.cellHeight]);

  const sought = useRef("");
  useEffect(() => {
    if (!props.selected || area.value.width === 0) return;
    const { row, col } = props.selected;
    const moved = sought.current !== `${row},${col}`;
    sought.current = `${row},${col}`;
    const { view: v } = latest.current;
    if (untouched.current) show(reveal(clampScroll({ ...v, top: 0, left: 0 }), props.selected));
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

  // A wheel listener must not be passive to keep the page from scrolling along.
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
        next = zoomAt(v, Math.exp(-event.deltaY / 300), x, y);
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

  const at = (event: PointerEvent): CellPlace | null => {
    const rect = (event.currentTarget as Element).getBoundingClientRect();
    const x = event.clientX - rect.left - headers.left;
    const y = event.clientY - rect.top - headers.top;
    return cellAt(view, x, y);
  };
  const onPointerMove = (event: PointerEvent): void => {
    const from = drag.current;
    if (!from) {
      props.onHover(at(event));
      return;
    }
    const dx = event.clientX - from.x;
    const dy = event.clientY - from.y;
    if (!from.moved && Math.hypot(dx, dy) < 5) return;
    drag.current = { x: event.clientX, y: event.clientY, moved: true };
    setView(scrollBy(view, -dy / view.cellHeight, -dx / view.cellWidth));
  };
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    drag.current = { x: event.clientX, y: event.clientY, moved: false };
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
  };
  const onPointerUp = (event: PointerEvent): void => {
    const clicked = drag.current && !drag.current.moved;
    drag.current = null;
    const place = clicked ? at(event) : null;
    if (place) props.onSelect(place);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    const from = props.selected ?? visibleCells(view);
    const zoom = { "+": ZOOM_STEP, "=": ZOOM_STEP, "-": 1 / ZOOM_STEP }[event.key];
    if (zoom !== undefined && !event.ctrlKey && !event.metaKey) {
      setView(zoomAt(view, zoom, view.width / 2, view.height / 2));
    } else if (event.key === "0" && !event.ctrlKey && !event.metaKey) {
      zoomed.value = null;
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
  const corner = props.selected && inCorner(view, props.selected) ? " aside" : "";
  return (
    <div class="grid-frame">
      <div
        id={props.id}
        class="grid-box"
        ref={box}
        role="grid"
        tabIndex={0}
        // Where there is nothing to move, a finger scrolls the page.
        style={{ touchAction: max.top > 0 || max.left > 0 ? "none" : "auto" }}
        aria-label={props.label}
        aria-rowcount={props.rows > 2 ** 31 ? -1 : props.rows}
        aria-colcount={props.cols > 2 ** 31 ? -1 : props.cols}
        aria-activedescendant={activeId}
        aria-describedby="grid-help"
        onPointerMove={onPointerMove}
        onPointerDown={onPointerDown}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          drag.current = null;
        }}
        onPointerLeave={() => props.onHover(null)}
        onKeyDown={onKeyDown}
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
      {(max.top > 0 || max.left > 0) && <Overview view={view} aside={corner} onScroll={setView} />}
      <div class={`zoom${corner}`} hidden={max.top === 0 && max.left === 0 && !zoomed.value}>
        {[
          { name: "minus" as const, label: words.layout.zoomOut, by: 1 / ZOOM_STEP },
          { name: "plus" as const, label: words.layout.zoomIn, by: ZOOM_STEP },
        ].map(({ name, label, by }) => (
          <button
            key={name}
            type="button"
            class="quiet"
            aria-label={label}
            title={label}
            aria-controls={props.id}
            onClick={() => setView(zoomAt(view, by, view.width / 2, view.height / 2))}
          >
            <Icon name={name} />
          </button>
        ))}
      </div>
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
