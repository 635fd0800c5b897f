/** What is seen of a grid: where it opens, where a person has gone from there, and who is told. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import {
  type CellPlace,
  type CellSize,
  clampScroll,
  type Limits,
  maxScroll,
  noLessThan,
  reveal,
  sizeWithin,
  type Viewport,
} from "./viewport";

/** What a grid shows first: a place, with fractions, at a point of the area (its middle if not said). */
export interface Opening {
  place: CellPlace;
  x?: number;
  y?: number;
  cell: CellSize;
}

export interface Seen {
  top: number;
  left: number;
  /** Null until the person zooms. */
  cell: CellSize | null;
  /** Until the person scrolls, the selected element stays in view whatever becomes of the area. */
  untouched: boolean;
}

/** What is seen, and what changes it. */
export interface SeenGrid {
  readonly now: Seen;
  change(part: Partial<Seen>): void;
}

interface SeenProps {
  rows: number;
  cols: number;
  cellWidth: number;
  cellHeight: number;
  scale?: { limits: Limits; opening: Opening | null; turn: unknown };
}

function openedAt({ place, cell, x, y }: Opening, area: CellSize, limits: Limits): Seen {
  const size = sizeWithin(cell, limits);
  const top = place.row - (y ?? area.height / 2) / size.height;
  const left = place.col - (x ?? area.width / 2) / size.width;
  return { top, left, cell: size, untouched: false };
}

/**
 * Known as soon as the grid is another one: no picture is painted, and nothing loaded, of what
 * would be seen of the new grid where the old one was.
 */
export function useSeen(props: SeenProps, area: CellSize, whole: CellSize): SeenGrid {
  const changes = useSignal(0);
  const state = useRef<{ of: unknown[]; early: boolean; now: Seen } | null>(null);
  const { rows, cols, cellWidth, cellHeight, scale } = props;
  const of = scale ? [scale.turn] : [rows, cols, cellWidth, cellHeight];
  const { current } = state;
  // What is in the middle is known once there is an area.
  const isLate = current?.early && area.width > 0;
  if (!current || isLate || of.some((part, i) => part !== current.of[i])) {
    const now = scale?.opening
      ? openedAt(scale.opening, area, noLessThan(scale.limits, whole))
      : { top: 0, left: 0, cell: null, untouched: true };
    state.current = { of, early: area.width === 0, now };
  }
  void changes.value;
  const kept = state as { current: { now: Seen } };
  return {
    get now(): Seen {
      return kept.current.now;
    },
    change(part: Partial<Seen>): void {
      kept.current.now = { ...kept.current.now, ...part };
      changes.value++;
    },
  };
}

/** Nobody is told while the person is still moving. */
const REST_MS = 150;
const isSame = (a: number, b: number): boolean => Math.abs(a - b) < 0.005;

/** Says what is seen once the person has come to rest, or leaves. */
export function useReport(
  seen: Seen,
  view: Viewport,
  whole: CellSize,
  scale: { isLinked: boolean; onRest(view: Viewport, isWhole: boolean): void } | undefined,
): void {
  const due = useRef<(() => void) | null>(null);
  const max = maxScroll(view);
  const isWhole =
    max.top === 0 &&
    max.left === 0 &&
    isSame(view.cellWidth, whole.width) &&
    isSame(view.cellHeight, whole.height);
  useEffect(() => {
    due.current = null;
    if (!scale || scale.isLinked || seen.untouched || view.width === 0) return;
    const report = (): void => {
      due.current = null;
      scale.onRest(view, isWhole);
    };
    due.current = report;
    const timer = setTimeout(report, REST_MS);
    return () => clearTimeout(timer);
  }, [seen, scale?.isLinked, view.width === 0]);
  useEffect(() => () => due.current?.(), []);
}

interface Revealing {
  selected: CellPlace | null;
  scale: { id: number; isLinked: boolean } | undefined;
  seen: SeenGrid;
  view: Viewport;
  /** Pixels, with headers; zero until it is laid out. */
  area: CellSize;
  show(view: Viewport): void;
}

/** Scrolls to the selected cell when it is another one and, until the person scrolls, when the area changes. */
export function useRevealed({ selected, scale, seen, view, area, show }: Revealing): void {
  const sought = useRef({ row: -1, col: -1, scale: scale?.id });
  useEffect(() => {
    if (!selected || area.width === 0) return;
    const { row, col } = selected;
    const { current: before } = sought;
    const moved = before.row !== row || before.col !== col;
    sought.current = { row, col, scale: scale?.id };
    // Who comes nearer stays where they are, wherever the selected cell is.
    const isNew = before.scale !== scale?.id || before.row < 0 || scale?.isLinked;
    if (isNew && !seen.now.untouched) return;
    if (seen.now.untouched) show(reveal(clampScroll({ ...view, top: 0, left: 0 }), selected));
    else if (moved) show(reveal(view, selected));
  }, [
    selected?.row,
    selected?.col,
    view.rows,
    view.cols,
    view.cellWidth,
    view.cellHeight,
    area.width,
    area.height,
  ]);
}
