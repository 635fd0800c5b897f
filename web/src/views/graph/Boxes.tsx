/** Boxes, edges and the marks on them, as SVG. Only what is near the screen is there. */
import type { ReadonlySignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { GraphBox, GraphEdge } from "../../../../wasm/engine_api";
import {
  CHARACTER,
  cut,
  fittingLines,
  foldedNote,
  headOf,
  LINE,
  pathOf,
  type Rect,
} from "../../graph/placing";
import { isMarked } from "../../why/marks";
import type { WhyMarks } from "../../why/session";
import type { Colouring } from "./colours";
import type { ShownGraph } from "./session";
import { around, type Letters, touches } from "./view_port";

interface PartProps {
  graph: ShownGraph;
  /** The path through the run that is marked. */
  marks?: WhyMarks | null;
  /** The part of the picture that is drawn. */
  seen: Rect;
  letters: Letters;
}

/** Whether the instruction of a box is on the path that is marked. */
export function isBoxMarked(marks: WhyMarks | null, box: GraphBox | undefined): boolean {
  return box?.kind === "instruction" && isMarked(marks, box.computation, box.name);
}

/** The third line of a box: the value of its colour, or what is folded into it. */
export function noteOf(graph: ShownGraph, colouring: Colouring, i: number): string {
  const box = graph.model.boxes[i];
  if (!box) return "";
  const note = colouring.shades[i]?.note || foldedNote(box);
  return cut(note, Math.floor(((graph.placed.boxes[i]?.width ?? 0) - 14) / CHARACTER));
}

/** The sign of a box that opens and closes. */
function Toggle({ width, isOpen }: { width: number; isOpen: boolean }): JSX.Element {
  const d = isOpen ? "M-4 -2L0 3L4 -2" : "M-2 -4L3 0L-2 4";
  return (
    <g data-toggle="" class="graph-toggle" transform={`translate(${width - 15} 15)`}>
      <rect x="-12" y="-12" width="24" height="24" />
      <path d={d} />
    </g>
  );
}

interface BoxesProps extends PartProps {
  colouring: Colouring;
  open?: boolean;
}

/** The first word, what is done, stands out; of a group all do. */
function Title({ text, isGroup }: { text: string; isGroup: boolean }): JSX.Element {
  const at = isGroup ? text.length : text.indexOf(" ");
  return (
    <>
      <tspan class="first-word">{text.slice(0, at < 0 ? text.length : at)}</tspan>
      {at >= 0 ? text.slice(at) : ""}
    </>
  );
}

/** One word, as large as its box: what is done, or how many instructions there are. */
function Word({ box, place }: { box: GraphBox; place: Rect }): JSX.Element {
  const word = box.kind === "instruction" ? box.opcode : String(box.count);
  const size = Math.min(place.height * 0.62, place.width / (word.length * 0.62 + 0.8));
  return (
    <text class="word" x={place.width / 2} y={place.height / 2 + size * 0.34} font-size={size}>
      {word}
    </text>
  );
}

function Box(props: BoxesProps & { i: number }): JSX.Element | null {
  const { graph, colouring, letters, i } = props;
  const hasLetters = letters === "all";
  const box = graph.model.boxes[i];
  const place = graph.placed.boxes[i];
  if (!box || !place) return null;
  const [title = "", second = ""] = fittingLines(box);
  const { tint = "" } = colouring.shades[i] ?? {};
  const marked = isBoxMarked(props.marks ?? null, box);
  const path = `${box.isOnPath ? "on-path" : ""} ${marked ? "is-marked" : ""}`;
  const state = `${box.isOpen ? "is-open" : tint} ${box.kind} ${path}`;
  return (
    <g
      class={`graph-box ${state}`}
      data-box={box.id}
      transform={`translate(${place.x} ${place.y})`}
    >
      {box.canOpen && !box.isOpen && (
        <rect class="behind" x="4" y="4" width={place.width} height={place.height} rx="5" />
      )}
      <rect width={place.width} height={place.height} rx="5" />
      {marked && <path class="mark-corner" d="M0 0H14L0 14Z" />}
      {letters === "word" && !box.isOpen && <Word box={box} place={place} />}
      {hasLetters && !box.isOpen && (
        <>
          <text x="9" y={LINE} class="title">
            <Title text={title} isGroup={box.kind === "group"} />
          </text>
          <text x="9" y={2 * LINE}>
            {second}
          </text>
          <text x="9" y={3 * LINE} class="note">
            {noteOf(graph, colouring, i)}
          </text>
        </>
      )}
      {hasLetters && box.canOpen && <Toggle width={place.width} isOpen={box.isOpen} />}
    </g>
  );
}

/** Those that are open lie under the edges, the others over them. */
export function Boxes(props: BoxesProps): JSX.Element {
  const { graph, colouring, seen, letters } = props;
  const { model, placed } = graph;
  const open = props.open === true;
  return useMemo(
    () => (
      <>
        {model.boxes.map((box, i) => {
          const place = placed.boxes[i];
          if (!place || box.isOpen !== open || !touches(place, seen)) return null;
          return <Box key={box.id} {...props} i={i} />;
        })}
      </>
    ),
    [
      model.boxes,
      placed,
      colouring,
      props.marks,
      letters,
      open,
      seen.x,
      seen.y,
      seen.width,
      seen.height,
    ],
  );
}

/** The titles of open boxes, over the edges that go in at their top. */
export function Heads({ graph, seen, letters }: PartProps): JSX.Element {
  const { model, placed } = graph;
  const head = (box: GraphBox, i: number): JSX.Element | null => {
    const place = placed.boxes[i];
    if (letters !== "all" || !box.isOpen || !place || !touches(place, seen)) return null;
    return (
      <text key={box.id} x={place.x + 9} y={place.y + LINE} class="graph-head">
        <Title text={headOf(box)} isGroup={box.kind === "group"} />
      </text>
    );
  };
  return <>{model.boxes.map(head)}</>;
}

/** What is written beside an edge: how many uses it stands for. */
export function edgeNote({ count }: GraphEdge): string {
  return count > 1 ? `×${count}` : "";
}

export function middleOf(points: readonly number[]): { x: number; y: number } {
  const at = 2 * Math.floor(points.length / 4);
  const [x0 = 0, y0 = 0] = [points[at - 2] ?? points[0], points[at - 1] ?? points[1]];
  const [x1 = x0, y1 = y0] = [points[at], points[at + 1]];
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2 };
}

/** A path through a box goes through what is drawn in it. */
export function isOnPath({ model }: ShownGraph, { from, to }: GraphEdge): boolean {
  const passes = (at: number): boolean => {
    const box = model.boxes[at];
    return box !== undefined && (box.isOnPath || passes(box.parent));
  };
  return model.path !== null && passes(from) && passes(to);
}

export function Edges({ graph, seen, letters }: PartProps): JSX.Element {
  const { model, placed } = graph;
  const bounds = useMemo(() => placed.edges.map(around), [placed]);
  const drawn = (edge: GraphEdge, i: number): JSX.Element | null => {
    const points = placed.edges[i] ?? [];
    const bound = bounds[i];
    if (points.length < 4 || !bound || !touches(bound, seen)) return null;
    const note = letters === "all" ? edgeNote(edge) : "";
    const middle = middleOf(points);
    return (
      <g key={i} class={`graph-edge ${edge.kind} ${isOnPath(graph, edge) ? "on-path" : ""}`}>
        <path d={pathOf(points)} marker-end="url(#graph-arrow)" />
        {note && (
          <text x={middle.x + 4} y={middle.y}>
            {note}
          </text>
        )}
      </g>
    );
  };
  const hasPath = model.path !== null;
  return useMemo(
    () => <>{model.edges.map(drawn)}</>,
    [model.edges, hasPath && model.boxes, placed, letters, seen.x, seen.y, seen.width, seen.height],
  );
}

/** A line around a box, and along its edges. */
export function Ring(props: {
  graph: ShownGraph;
  at: ReadonlySignal<number>;
  class: string;
}): JSX.Element | null {
  const { model, placed } = props.graph;
  const at = props.at.value;
  const box = placed.boxes[at];
  if (!box) return null;
  const d = model.edges
    .flatMap(({ from, to }, i) => (from === at || to === at ? pathOf(placed.edges[i] ?? []) : []))
    .join("");
  return (
    <g class={`graph-ring ${props.class}`}>
      <path d={d} />
      <rect x={box.x - 2} y={box.y - 2} width={box.width + 4} height={box.height + 4} rx="7" />
    </g>
  );
}
