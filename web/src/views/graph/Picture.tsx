/** The picture of a graph: boxes and edges on the screen, moved by mouse, fingers and keys. */
import { type ReadonlySignal, type Signal, useComputed, useSignal } from "@preact/signals";
import type { JSX, RefObject, TargetedPointerEvent } from "preact";
import { useRef } from "preact/hooks";
import { boxAt } from "../../graph/placing";
import { useMeasured } from "../../ui/size";
import type { WhyMarks } from "../../why/session";
import { whyWords } from "../../why/words";
import { Boxes, Edges, Heads, isBoxMarked, Ring } from "./Boxes";
import type { Colouring } from "./colours";
import { ARROWS, Fingers, stepped, useWheelZoom } from "./gestures";
import { Minimap } from "./Minimap";
import { moved } from "./moving";
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

/** By which keys and buttons zoom. */
const ZOOM_IN = 1.25;
const ZOOM_OUT = 0.8;

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

/** The head of an edge. */
function ArrowMarker(): JSX.Element {
  return (
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
  );
}

/** The boxes and edges near the screen, drawn again when what is near it changes. */
function Drawing(props: PictureProps & { hovered: ReadonlySignal<number> }): JSX.Element {
  const { graph, colouring, marks, view, screen } = props;
  const letters = useComputed(() => lettersAt(view.value.scale)).value;
  const key = useComputed(() => {
    const { x, y, width, height } = windowOf(view.value, screen.value);
    return [x, y, width, height].map(Math.round).join();
  }).value;
  const [x = 0, y = 0, width = 0, height = 0] = key.split(",").map(Number);
  const seen = { x, y, width, height };
  const drawn = { graph, colouring, marks, seen, letters };
  const transform = useComputed(
    () => `scale(${view.value.scale}) translate(${-view.value.x} ${-view.value.y})`,
  );
  return (
    <svg class="graph-picture" width="100%" height="100%" aria-hidden="true">
      <ArrowMarker />
      <g transform={transform}>
        <Boxes {...drawn} open />
        <Edges graph={graph} seen={seen} letters={letters} />
        <Heads graph={graph} seen={seen} letters={letters} />
        <Boxes {...drawn} />
        <Ring graph={graph} at={props.hovered} class="hovered" />
        <Ring graph={graph} at={props.at} class="selected" />
      </g>
    </svg>
  );
}

const isToggle = (event: MouseEvent): boolean =>
  event.target instanceof Element && event.target.closest("[data-toggle]") !== null;

/** Whether there is a toggle at a point of the screen, whatever lies over it. */
const isOverToggle = ({ clientX, clientY }: MouseEvent): boolean =>
  document
    .elementsFromPoint(clientX, clientY)
    .some((element) => element.closest("[data-toggle]") !== null);

type Stage = RefObject<HTMLDivElement | null>;
type OnStage = TargetedPointerEvent<HTMLDivElement>;

/** Pointers on the stage: they hover, click and drag; two fingers zoom. */
function usePointers(props: PictureProps, stage: Stage, hovered: Signal<number>) {
  const { graph, view, onSelect, onToggle } = props;
  const fingers = useRef(new Fingers()).current;
  /** Index of the box under a pointer; -1: none. */
  const placeOf = (event: MouseEvent): number => {
    const { left = 0, top = 0 } = stage.current?.getBoundingClientRect() ?? {};
    const { x, y, scale } = view.value;
    const at = { x: x + (event.clientX - left) / scale, y: y + (event.clientY - top) / scale };
    return boxAt(graph.placed, at.x, at.y);
  };
  return {
    onPointerDown(event: OnStage): void {
      if (event.button !== 0) return;
      fingers.down(event);
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: OnStage): void {
      const { left, top } = event.currentTarget.getBoundingClientRect();
      view.value = fingers.move(event, view.value, left, top);
      hovered.value = fingers.dragged ? -1 : placeOf(event);
    },
    onPointerUp(event: OnStage): void {
      fingers.up(event);
      if (fingers.dragged || event.button !== 0) return;
      const index = placeOf(event);
      if (index < 0) return;
      onSelect(index);
      if (isOverToggle(event) || isToggle(event)) onToggle(index);
    },
    onPointerCancel: (event: OnStage): void => fingers.up(event),
    onPointerLeave(): void {
      hovered.value = -1;
    },
    onDblClick(event: MouseEvent): void {
      if (!isToggle(event)) onToggle(placeOf(event));
    },
  };
}

function zoomMiddle(props: PictureProps, factor: number): void {
  const { view, screen } = props;
  view.value = zoomed(view.value, factor, screen.value.width / 2, screen.value.height / 2);
}

function showWhole({ graph, view, screen }: PictureProps): void {
  view.value = fitted(graph.placed, screen.value);
}

/** Selects a box and brings it onto the screen. */
function goToBox({ graph, view, screen, onSelect }: PictureProps, index: number): void {
  const box = graph.placed.boxes[index];
  if (!box) return;
  onSelect(index);
  view.value = showing(view.value, box, screen.value);
}

/** What a key does to the picture; false where it does nothing. */
function pressed(event: KeyboardEvent, props: PictureProps): boolean {
  const { graph, view, at } = props;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const arrow = ARROWS[event.key];
  if (arrow && event.shiftKey) view.value = stepped(view.value, arrow);
  else if (arrow) goToBox(props, moved(graph.model, graph.placed, at.value, arrow));
  else if (event.key === "Enter" || event.key === " ") props.onToggle(at.value);
  else if (event.key === "+" || event.key === "=") zoomMiddle(props, ZOOM_IN);
  else if (event.key === "-") zoomMiddle(props, ZOOM_OUT);
  else if (event.key === "f" || event.key === "0") showWhole(props);
  else return false;
  return true;
}

function ZoomButtons(props: PictureProps): JSX.Element {
  const zoom = (factor: number) => (): void => zoomMiddle(props, factor);
  return (
    <div class="graph-zoom">
      <button type="button" title={w.zoomIn} aria-label={w.zoomIn} onClick={zoom(ZOOM_IN)}>
        +
      </button>
      <button type="button" title={w.zoomOut} aria-label={w.zoomOut} onClick={zoom(ZOOM_OUT)}>
        −
      </button>
      <button type="button" title={w.fitTitle} onClick={() => showWhole(props)}>
        {w.fit}
      </button>
      <span class="muted">{w.boxes(props.graph.model.boxes.length)}</span>
    </div>
  );
}

/** The picture on its stage, with what is said of the selected box, buttons, and a small picture of the whole. */
export function Picture(props: PictureProps): JSX.Element {
  const { graph, marks, view, screen, at } = props;
  const { model, placed } = graph;
  const stage = useRef<HTMLDivElement>(null);
  const hovered = useSignal(-1);
  useMeasured(stage, ({ clientWidth, clientHeight }) => {
    screen.value = { width: clientWidth, height: clientHeight };
  });
  useWheelZoom(stage, view);
  const pointers = usePointers(props, stage, hovered);
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
        onKeyDown={(event) => {
          if (!pressed(event, props)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
        {...pointers}
      >
        <Drawing {...props} hovered={hovered} />
      </div>
      <p id="graph-spoken" class="graph-spoken" aria-live="polite">
        {spokenOf(graph, at.value, marks)}
      </p>
      <ZoomButtons {...props} />
      <Minimap placed={placed} model={model} view={view} screen={screen} />
    </div>
  );
}
