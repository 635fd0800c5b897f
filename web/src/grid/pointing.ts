/** Pointers on a grid: one hovers, drags or clicks; two pinch. And the wheel, which scrolls and zooms. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type CellPlace, cellAt, maxScroll, scrollBy, type Viewport } from "./viewport";

interface Point {
  x: number;
  y: number;
}

interface Pointing {
  view: Viewport;
  headers: { left: number; top: number };
  onHover(place: CellPlace | null): void;
  onSelect(place: CellPlace): void;
  onZoom(factor: number, x: number, y: number): void;
  onView(view: Viewport): void;
}

/** The boxes that scroll around an element, from the inside out. */
function* scrollersOf(element: Element): Generator<Element> {
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(box).overflowY)) yield box;
  }
  if (document.scrollingElement) yield document.scrollingElement;
}

/** Scrolls what is around an element, as far as that goes: what is left is zero, or all were at their ends. */
function handOn(element: Element, left: number, top: number): Point {
  const moved = { x: 0, y: 0 };
  for (const box of scrollersOf(element)) {
    const [x, y] = [box.scrollLeft, box.scrollTop];
    box.scrollBy(left - moved.x, top - moved.y);
    moved.x += box.scrollLeft - x;
    moved.y += box.scrollTop - y;
  }
  return moved;
}

/**
 * What of a touch the browser scrolls the page by: where the picture has come to its end. It asks when a
 * finger comes down; browsers that know no directions leave it to `handOn`.
 */
export function touchAction(view: Viewport, zooms: boolean): string {
  const max = maxScroll(view);
  if (max.top === 0 && max.left === 0 && !zooms) return "auto";
  const ends = [
    ["pan-left", view.left <= 0],
    ["pan-right", view.left >= max.left],
    ["pan-up", view.top <= 0],
    ["pan-down", view.top >= max.top],
  ] as const;
  const all = ends.flatMap(([pan, isEnd]) => (isEnd ? pan : []));
  return all.join(" ").replace("pan-left pan-right", "pan-x").replace("pan-up pan-down", "pan-y");
}

const DRAG_FROM = 5;
const distance = (a: Point, b: Point): number => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));

export function usePointers({ view, headers, ...on }: Pointing) {
  const state = useRef({ down: new Map<number, Point>(), moved: false });
  const { down } = state.current;
  const pointOf = (event: PointerEvent): Point => {
    const rect = (event.currentTarget as Element).getBoundingClientRect();
    return {
      x: event.clientX - rect.left - headers.left,
      y: event.clientY - rect.top - headers.top,
    };
  };
  const at = (event: PointerEvent): CellPlace | null => {
    const { x, y } = pointOf(event);
    return cellAt(view, x, y);
  };
  const lift = (event: PointerEvent): void => {
    down.delete(event.pointerId);
  };
  return {
    onPointerMove(event: PointerEvent): void {
      const from = down.get(event.pointerId);
      if (!from) {
        on.onHover(at(event));
        return;
      }
      const to = pointOf(event);
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      if (!state.current.moved && !other && Math.hypot(to.x - from.x, to.y - from.y) < DRAG_FROM) {
        return;
      }
      state.current.moved = true;
      down.set(event.pointerId, to);
      if (other) {
        const factor = distance(to, other) / distance(from, other);
        on.onZoom(factor, (to.x + other.x) / 2, (to.y + other.y) / 2);
      } else {
        const [dx, dy] = [to.x - from.x, to.y - from.y];
        const next = scrollBy(view, -dy / view.cellHeight, -dx / view.cellWidth);
        on.onView(next);
        if (event.pointerType !== "touch") return;
        const left = -dx - (next.left - view.left) * view.cellWidth;
        const top = -dy - (next.top - view.top) * view.cellHeight;
        const moved = handOn(event.currentTarget as Element, left, top);
        // The picture went with the page, away from under the finger.
        down.set(event.pointerId, { x: to.x + moved.x, y: to.y + moved.y });
      }
    },
    onPointerDown(event: PointerEvent): void {
      if (event.button !== 0) return;
      state.current.moved = down.size > 0;
      down.set(event.pointerId, pointOf(event));
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
    },
    onPointerUp(event: PointerEvent): void {
      const clicked = down.size === 1 && down.has(event.pointerId) && !state.current.moved;
      lift(event);
      const place = clicked ? at(event) : null;
      if (place) on.onSelect(place);
    },
    onPointerCancel: lift,
    onPointerLeave: (): void => on.onHover(null),
  };
}

/** Pixels of a line, for wheels that count in lines. */
const LINE = 24;

/** Where a wheel scrolls a grid to; with Shift up and down are left and right. */
function wheeled(event: WheelEvent, view: Viewport): Viewport {
  const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
  const dx = event.shiftKey ? event.deltaY : event.deltaX;
  const dy = event.shiftKey ? 0 : event.deltaY;
  return scrollBy(view, (dy * unit) / view.cellHeight, (dx * unit) / view.cellWidth);
}

/** Scrolls a grid by the wheel, as far as it goes, and zooms it by the wheel with Ctrl. */
export function useWheel(
  box: RefObject<HTMLElement | null>,
  pointing: Pick<Pointing, "view" | "headers" | "onZoom" | "onView">,
): void {
  const latest = useRef(pointing);
  latest.current = pointing;
  // A wheel listener must not be passive to prevent the page from scrolling too.
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onWheel = (event: WheelEvent): void => {
      const { view, headers, onZoom, onView } = latest.current;
      if (event.ctrlKey || event.metaKey) {
        const rect = element.getBoundingClientRect();
        const x = event.clientX - rect.left - headers.left;
        const y = event.clientY - rect.top - headers.top;
        event.preventDefault();
        onZoom(Math.exp(-event.deltaY / 300), x, y);
        return;
      }
      const next = wheeled(event, view);
      if (next.top === view.top && next.left === view.left) return;
      event.preventDefault();
      onView(next);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);
}
