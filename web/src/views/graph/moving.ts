/** Where the arrow keys lead in a graph. Pure. */
import type { GraphModel } from "../../../../wasm/engine_api";
import type { Placed } from "../../graph/placing";

export type Direction = "up" | "down" | "left" | "right";

const middle = (placed: Placed, i: number): { x: number; y: number } => {
  const box = placed.boxes[i];
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : { x: 0, y: 0 };
};

/** Boxes that edges of a box lead from, or to; the nearest to the left first. */
export function linked(model: GraphModel, placed: Placed, at: number, up: boolean): number[] {
  const found = new Set<number>();
  for (const { from, to } of model.edges) {
    if ((up ? to : from) === at) found.add(up ? from : to);
  }
  return [...found].sort((a, b) => middle(placed, a).x - middle(placed, b).x);
}

/** Boxes in the same one, in the order in which they are read. */
function siblings(model: GraphModel, placed: Placed, at: number): number[] {
  const parent = model.boxes[at]?.parent;
  return model.boxes
    .flatMap((box, i) => (box.parent === parent ? [i] : []))
    .sort((a, b) => {
      const [from, to] = [middle(placed, a), middle(placed, b)];
      return Math.abs(from.y - to.y) > 4 ? from.y - to.y : from.x - to.x;
    });
}

/**
 * The next box; -1: there is none. Without edges, up leads to the box that it is in, and down to the
 * first one inside.
 */
export function moved(model: GraphModel, placed: Placed, at: number, to: Direction): number {
  const box = model.boxes[at];
  if (!box) return model.boxes.length > 0 ? 0 : -1;
  if (to === "left" || to === "right") {
    const row = siblings(model, placed, at);
    return row[row.indexOf(at) + (to === "left" ? -1 : 1)] ?? -1;
  }
  const next = linked(model, placed, at, to === "up");
  if (next.length > 0) {
    const here = middle(placed, at).x;
    const away = (i: number): number => Math.abs(middle(placed, i).x - here);
    return next.reduce((best, each) => (away(each) < away(best) ? each : best));
  }
  if (to === "up") return box.parent;
  return model.boxes.findIndex(({ parent }) => parent === at);
}
