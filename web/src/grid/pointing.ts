/** Pointers on a grid: one hovers, drags or clicks; two pinch. */
import { useRef } from "preact/hooks";
import { type CellPlace, cellAt, scrollBy, type Viewport } from "./viewport";

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
        on.onView(scrollBy(view, -dy / view.cellHeight, -dx / view.cellWidth));
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
