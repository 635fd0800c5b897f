/** How a person moves the picture of a graph: by fingers, the wheel and keys. */
import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { Direction } from "./moving";
import { type ViewPort, zoomed } from "./view_port";

/** The fingers on the picture, and what they did since it last moved. */
export class Fingers {
  readonly #at = new Map<number, { x: number; y: number }>();
  /** They have moved: no click. */
  dragged = false;

  down(event: PointerEvent): void {
    if (this.#at.size === 0) this.dragged = false;
    this.#at.set(event.pointerId, { x: event.clientX, y: event.clientY });
  }
  up(event: PointerEvent): void {
    this.#at.delete(event.pointerId);
  }
  /** How the view follows. */
  move(event: PointerEvent, view: ViewPort, left: number, top: number): ViewPort {
    const before = this.#at.get(event.pointerId);
    if (!before) return view;
    const now = { x: event.clientX, y: event.clientY };
    const [dx, dy] = [now.x - before.x, now.y - before.y];
    if (!this.dragged && Math.hypot(dx, dy) < 4) return view;
    this.dragged = true;
    this.#at.set(event.pointerId, now);
    const other = [...this.#at].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) return { ...view, x: view.x - dx / view.scale, y: view.y - dy / view.scale };
    const factor =
      Math.hypot(now.x - other.x, now.y - other.y) /
      Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    return zoomed(view, factor, (now.x + other.x) / 2 - left, (now.y + other.y) / 2 - top);
  }
}

/** Pixels of a line, for wheels that count in lines. */
const LINE = 16;

/** Zooms by the wheel, about where the pointer is. */
export function useWheelZoom(stage: RefObject<HTMLElement | null>, view: Signal<ViewPort>): void {
  // Not passive: the page does not scroll under the picture.
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
      const speed = event.ctrlKey ? 0.01 : 0.0016;
      const factor = Math.exp(-event.deltaY * lines * speed);
      view.value = zoomed(view.value, factor, event.clientX - left, event.clientY - top);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, []);
}

export const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

/** By which an arrow moves the picture, in pixels of the screen. */
const STEP = 60;
const STEPS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] } as const;

/** The view one step further. */
export function stepped(view: ViewPort, direction: Direction): ViewPort {
  const [dx, dy] = STEPS[direction];
  const step = STEP / view.scale;
  return { ...view, x: view.x + dx * step, y: view.y + dy * step };
}
