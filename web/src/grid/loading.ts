/** What a grid has loaded of its cells, and their way from where they were to where they are. */
import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { CellData } from "./cells";
import { type MovingCell, movingCells, type Painted } from "./moving";
import { type CellRect, contains, type Viewport, visibleCells, windowAround } from "./viewport";

const MARGIN = 12;

interface Source {
  /** What `load` depends on: when it changes, the window is asked for again. */
  source: string;
  /** Cells of one scale are not shown at another. */
  scale: number | undefined;
  load(window: CellRect): Promise<CellData | null>;
}

/** Keeps the newest of several answers that may come in any order. */
export function useLoader(props: Source, view: Viewport): CellData | null {
  const data = useSignal<{ cells: CellData | null; scale: number | undefined } | null>(null);
  const state = useRef({ asked: null as CellRect | null, source: "", turn: 0 });
  const wanted = visibleCells(view);
  const { source, scale } = props;
  useEffect(() => {
    const s = state.current;
    if (view.width === 0) return;
    if (s.source === source && s.asked && contains(s.asked, wanted)) return;
    const turn = ++s.turn;
    s.asked = windowAround(view, MARGIN);
    s.source = source;
    props.load(s.asked).then(
      (cells) => {
        if (turn === s.turn) data.value = { cells, scale };
      },
      () => {
        if (turn === s.turn) s.asked = null;
      },
    );
  }, [source, wanted.row, wanted.col, wanted.rows, wanted.cols, view.width === 0]);
  return data.value?.scale === scale ? (data.value?.cells ?? null) : null;
}

const MOTION_MS = 600;

/** Moves cells when other data arrive; tells how far they are, 1 while nothing moves. */
export function useMotion(
  animated: boolean,
  data: CellData | null,
  view: Viewport,
  headers: { left: number; top: number },
) {
  const { left, top } = headers;
  const share = useSignal(1);
  const painted = useRef<Painted | null>(null);
  const cells = useRef<MovingCell[]>([]);
  useLayoutEffect(() => {
    const before = painted.current;
    painted.current = data ? { data, view, left } : null;
    if (!animated || !data || !before || before.data === data) return;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    cells.current = movingCells(before, { data, view, left }, top);
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
