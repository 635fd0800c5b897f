/** The picture of a graph: boxes and edges on the screen, moved by mouse, fingers and keys. */
import { type ReadonlySignal, type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { boxAt } from "../../graph/placing";
import type { WhyMarks } from "../../why/session";
import { whyWords } from "../../why/words";
import { Boxes, Edges, Heads, isBoxMarked, Ring } from "./Boxes";
import type { Colouring } from "./colours";
import { Minimap } from "./Minimap";
import { type Direction, moved } from "./moving";
import type { ShownGraph } from "./session";
import {
  fitted,
  lettersAt,
  type Size,
  showing,
  type ViewPort,
  windowOf,
  zoomed,
} from "./view_port";
import { graphWords as w } from "./words";

/** What is said of the box that the keys are at. */
export function spokenOf({ model }: ShownGraph, at: number, marks: WhyMarks | null = null): string {
  const box = model.boxes[at];
  if (!box) return "";
  const operands = model.edges.filter(({ to }) => to === at).length + box.moreOperands;
  const users = model.edges.filter(({ from }) => from === at).length + box.moreUsers;
  const what =
    box.kind === "instruction"
      ? `${box.shown}, ${box.opcode}, ${box.shape}`
      : box.kind === "group"
        ? box.title
        : `${box.role} ${box.shownComputation}`;
  const state = box.canOpen ? (box.isOpen ? w.states.open : w.states.closed) : "";
  const spoken = w.spoken(what, operands, users, state);
  return isBoxMarked(marks, box) ? `${spoken}, ${whyWords.markedBoxes}` : spoken;
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
};

interface PictureProps {
  graph: ShownGraph;
  colouring: Colouring;
  marks: WhyMarks | null;
  view: Signal<ViewPort>;
  screen: Signal<Size>;
  /** Index of the box that is selected; -1: none. */
  at: ReadonlySignal<number>;
  onSelect(index: number): void;
  onToggle(index: number): void;
}

/** The fingers on the picture, and what they did since it last moved. */
class Fingers {
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

export function Picture(props: PictureProps): JSX.Element {
  const { graph, marks, view, screen, at } = props;
  const { model, placed } = graph;
  const stage = useRef<HTMLDivElement>(null);
  const fingers = useRef(new Fingers()).current;
  const hovered = useSignal(-1);
  const letters = useComputed(() => lettersAt(view.value.scale)).value;
  const key = useComputed(() => {
    const { x, y, width, height } = windowOf(view.value, screen.value);
    return [x, y, width, height].map(Math.round).join();
  }).value;
  const [x = 0, y = 0, width = 0, height = 0] = key.split(",").map(Number);
  const seen = { x, y, width, height };
  const drawn = { graph, colouring: props.colouring, marks, seen, letters };
  const transform = useComputed(
    () => `scale(${view.value.scale}) translate(${-view.value.x} ${-view.value.y})`,
  );

  useLayoutEffect(() => {
    const element = stage.current;
    if (!element) return;
    const measure = (): void => {
      screen.value = { width: element.clientWidth, height: element.clientHeight };
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // Not passive: the page does not scroll under the picture.
  useEffect(() => {
    const element = stage.current;
    if (!element) return;
    const wheel = (event: WheelEvent): void => {
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const speed = event.ctrlKey ? 0.01 : 0.0016;
      const factor = Math.exp(-event.deltaY * lines * speed);
      view.value = zoomed(view.value, factor, event.clientX - left, event.clientY - top);
    };
    element.addEventListener("wheel", wheel, { passive: false });
    return () => element.removeEventListener("wheel", wheel);
  }, []);

  const placeOf = (event: MouseEvent): number => {
    const { left = 0, top = 0 } = stage.current?.getBoundingClientRect() ?? {};
    const { x, y, scale } = view.value;
    return boxAt(placed, x + (event.clientX - left) / scale, y + (event.clientY - top) / scale);
  };
  const isToggle = (event: MouseEvent): boolean =>
    event.target instanceof Element && event.target.closest("[data-toggle]") !== null;
  const zoom = (factor: number): void => {
    view.value = zoomed(view.value, factor, screen.value.width / 2, screen.value.height / 2);
  };
  const select = (index: number): void => {
    const box = placed.boxes[index];
    if (!box) return;
    props.onSelect(index);
    view.value = showing(view.value, box, screen.value);
  };
  const keyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow && event.shiftKey) {
      const step = 60 / view.value.scale;
      const [dx, dy] = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }[arrow];
      view.value = {
        ...view.value,
        x: view.value.x + (dx ?? 0) * step,
        y: view.value.y + (dy ?? 0) * step,
      };
    } else if (arrow) select(moved(model, placed, at.value, arrow));
    else if (event.key === "Enter" || event.key === " ") props.onToggle(at.value);
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "f" || event.key === "0") {
      view.value = fitted(placed, screen.value);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="graph-frame">
      <div
        ref={stage}
        class="graph-stage"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes keys
        tabIndex={0}
        aria-label={w.picture(model.shown, model.boxes.length)}
        aria-describedby="graph-spoken"
        onKeyDown={keyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          fingers.down(event);
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const { left, top } = event.currentTarget.getBoundingClientRect();
          view.value = fingers.move(event, view.value, left, top);
          hovered.value = fingers.dragged ? -1 : placeOf(event);
        }}
        onPointerUp={(event) => {
          fingers.up(event);
          if (fingers.dragged || event.button !== 0) return;
          const index = placeOf(event);
          if (index < 0) return;
          props.onSelect(index);
          const under = document
            .elementsFromPoint(event.clientX, event.clientY)
            .some((element) => element.closest("[data-toggle]"));
          if (under || isToggle(event)) props.onToggle(index);
        }}
        onPointerCancel={(event) => fingers.up(event)}
        onPointerLeave={() => {
          hovered.value = -1;
        }}
        onDblClick={(event) => {
          if (!isToggle(event)) props.onToggle(placeOf(event));
        }}
      >
        <svg class="graph-picture" width="100%" height="100%" aria-hidden="true">
          <defs>
            <marker
              id="graph-arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M0 .5L8 4L0 7.500z" />
            </marker>
          </defs>
          <g transform={transform}>
            <Boxes {...drawn} open />
            <Edges graph={graph} seen={seen} letters={letters} />
            <Heads graph={graph} seen={seen} letters={letters} />
            <Boxes {...drawn} />
            <Ring graph={graph} at={hovered} class="hovered" />
            <Ring graph={graph} at={at} class="selected" />
          </g>
        </svg>
      </div>
      <p id="graph-spoken" class="graph-spoken" aria-live="polite">
        {spokenOf(graph, at.value, marks)}
      </p>
      <div class="graph-zoom">
        <button type="button" title={w.zoomIn} aria-label={w.zoomIn} onClick={() => zoom(1.25)}>
          +
        </button>
        <button type="button" title={w.zoomOut} aria-label={w.zoomOut} onClick={() => zoom(0.8)}>
          −
        </button>
        <button
          type="button"
          title={w.fitTitle}
          onClick={() => {
            view.value = fitted(placed, screen.value);
          }}
        >
          {w.fit}
        </button>
        <span class="muted">{w.boxes(model.boxes.length)}</span>
      </div>
      <Minimap placed={placed} model={model} view={view} screen={screen} />
    </div>
  );
}
