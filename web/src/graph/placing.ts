/** Where the boxes of a graph go: the question for the layout, and its answer. */
import type { ElkExtendedEdge, ElkNode } from "elkjs/lib/elk-api";
import type { GraphBox, GraphModel } from "../../../wasm/engine_api";
import { boxWords } from "./words";

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** By index of the model's boxes and edges. */
export interface Placed {
  width: number;
  height: number;
  boxes: Rect[];
  /** Points, x and y in turn, from the user's operand to the user. */
  edges: number[][];
}

/** In pixels at scale 1. */
export const CHARACTER = 7.25;
export const LINE = 16;
const MARGIN = 10;
/** Above the boxes in an open one, for its name. */
export const HEAD = 30;
const MOST_CHARACTERS = 34;
const MOST_HEAD = 44;
/** A group says what is in it. */
const MOST_OF_GROUP = 58;
const TOGGLE = 20;

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, Math.max(0, most - 1))}…` : text;
}

/** What is written in a box: what it is, and what it makes. */
export function linesOf(box: GraphBox): [string, string] {
  if (box.kind === "instruction") return [`${box.opcode} ${box.shown}`, box.shape];
  if (box.kind === "computation") return [`${box.role}: ${box.shownComputation}`, ""];
  // That all are of one jitted function says nothing of the group.
  const scope = box.opName.includes("/") ? box.opName : "";
  return [box.title, scope || boxWords.fromTo(box.first, box.last)];
}

/** The same, as long as there is room for. */
export function fittingLines(box: GraphBox): string[] {
  const most = box.kind === "group" ? MOST_OF_GROUP : MOST_CHARACTERS;
  return linesOf(box).map((line) => cut(line, most));
}

/** What is folded into a box, or inside of it. */
export function foldedNote(box: GraphBox): string {
  if (box.kind === "instruction" && box.folded.length > 0) {
    return box.folded.map(({ operand, text }) => `${operand}: ${text}`).join(", ");
  }
  return box.kind !== "group" && box.count > 0 && !box.isOpen ? boxWords.inside(box.count) : "";
}

/** The line above the boxes in an open one. */
export function headOf(box: GraphBox): string {
  const [title, second] = linesOf(box);
  return cut(`${title}  ${second}`.trim(), MOST_HEAD);
}

function sizeOf(box: GraphBox): { width: number; height: number } {
  if (box.isOpen) {
    const width = Math.round(headOf(box).length * CHARACTER + 2 * MARGIN + TOGGLE);
    return { width, height: HEAD };
  }
  const texts = [...fittingLines(box), cut(foldedNote(box), MOST_CHARACTERS)];
  const longest = Math.max(12, ...texts.map((text) => text.length));
  const width = Math.round(longest * CHARACTER + 2 * MARGIN + (box.canOpen ? TOGGLE : 0));
  return { width, height: 3 * LINE + 10 };
}

const OPTIONS = {
  "elk.algorithm": "layered",
  "elk.direction": "DOWN",
  "elk.hierarchyHandling": "INCLUDE_CHILDREN",
  "elk.randomSeed": "1",
  "elk.edgeRouting": "ORTHOGONAL",
  "elk.spacing.nodeNode": "22",
  "elk.spacing.edgeNode": "14",
  "elk.spacing.edgeEdge": "8",
  "elk.spacing.componentComponent": "30",
  "elk.layered.spacing.nodeNodeBetweenLayers": "38",
  "elk.layered.spacing.edgeNodeBetweenLayers": "14",
  "elk.layered.spacing.edgeEdgeBetweenLayers": "6",
  "elk.layered.thoroughness": "4",
  "elk.json.shapeCoords": "ROOT",
  "elk.json.edgeCoords": "ROOT",
};

/** Groups have many edges, which are a few lines if those of one box are one. */
const OF_GROUPS = {
  "elk.layered.mergeEdges": "true",
  "elk.layered.nodePlacement.strategy": "LINEAR_SEGMENTS",
  // As good, in half of the time.
  "elk.layered.thoroughness": "1",
};

/** A graph that goes through what large ones go through. */
export function trialGraph(): ElkNode {
  const count = 12;
  const children = Array.from({ length: count }, (_, i) => ({ id: `${i}`, width: 90, height: 40 }));
  const edges = Array.from({ length: 2 * count - 3 }, (_, i) => ({
    id: `e${i}`,
    sources: [`${i >> 1}`],
    targets: [`${(i >> 1) + 1 + (i & 1)}`],
  }));
  return { id: "root", layoutOptions: OPTIONS, children, edges };
}

/** The question. The same model gives the same one. */
export function toPlace(model: GraphModel): ElkNode {
  const hasGroups = model.boxes.some(({ kind }) => kind === "group");
  const layoutOptions = hasGroups ? { ...OPTIONS, ...OF_GROUPS } : OPTIONS;
  const root: ElkNode = { id: "root", layoutOptions, children: [], edges: [] };
  const nodes: ElkNode[] = [];
  for (const [i, box] of model.boxes.entries()) {
    const { width, height } = sizeOf(box);
    const node: ElkNode = { id: String(i), width, height };
    nodes.push(node);
    const parent = box.parent < 0 ? root : nodes[box.parent];
    if (!parent) continue;
    parent.children ??= [];
    parent.children.push(node);
    if (box.parent < 0) continue;
    parent.layoutOptions = {
      "elk.padding": `[top=${HEAD},left=12,bottom=12,right=12]`,
      "elk.nodeSize.constraints": "[MINIMUM_SIZE]",
      "elk.nodeSize.minimum": `(${parent.width ?? 0}, ${HEAD})`,
    };
  }
  root.edges = model.edges.map(
    (edge, i): ElkExtendedEdge => ({
      id: `e${i}`,
      sources: [String(edge.from)],
      targets: [String(edge.to)],
      // A loop's state goes back up.
      ...(edge.kind === "carried"
        ? { layoutOptions: { "elk.layered.priority.direction": "0" } }
        : { layoutOptions: { "elk.layered.priority.direction": "10" } }),
    }),
  );
  return root;
}

function pointsOf(edge: ElkExtendedEdge): number[] {
  return (edge.sections ?? []).flatMap(({ startPoint, bendPoints, endPoint }) =>
    [startPoint, ...(bendPoints ?? []), endPoint].flatMap(({ x, y }) => [x, y]),
  );
}

/** The answer, by index. */
export function takePlaces(model: GraphModel, answer: ElkNode): Placed {
  const boxes: Rect[] = model.boxes.map(() => ({ x: 0, y: 0, width: 0, height: 0 }));
  const edges: number[][] = model.edges.map(() => []);
  const visit = (node: ElkNode): void => {
    const { x = 0, y = 0, width = 0, height = 0 } = node;
    if (node !== answer) boxes[Number(node.id)] = { x, y, width, height };
    for (const edge of node.edges ?? []) edges[Number(edge.id.slice(1))] = pointsOf(edge);
    for (const child of node.children ?? []) visit(child);
  };
  visit(answer);
  return { width: answer.width ?? 0, height: answer.height ?? 0, boxes, edges };
}

/** Two models with the same key have the same places. */
export function placeKey(model: GraphModel): string {
  const boxes = model.boxes.map((box) => [box.id, ...linesOf(box), foldedNote(box), box.isOpen]);
  return JSON.stringify([boxes, model.edges.map(({ from, to, kind }) => [from, to, kind])]);
}

/** The innermost box at a point; -1: none. Boxes come after those that they are in. */
export function boxAt({ boxes }: Placed, x: number, y: number): number {
  for (let i = boxes.length - 1; i >= 0; i--) {
    const box = boxes[i];
    if (!box) continue;
    if (x >= box.x && y >= box.y && x <= box.x + box.width && y <= box.y + box.height) return i;
  }
  return -1;
}

/** A line through points, x and y in turn. */
export function pathOf(points: readonly number[]): string {
  let d = "";
  for (let i = 0; i + 1 < points.length; i += 2) {
    const [x = 0, y = 0] = [points[i], points[i + 1]];
    d += `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`;
  }
  return d;
}
