/** The overview of a large grid: a small box for the whole, and in it the visible part. */
import type { JSX } from "preact";
import { clampScroll, type Viewport } from "./viewport";

const WIDTH = 84;
const HEIGHT = 24;
const LEAST = 12;
const MARK = 3;

/** Pixels of the small box: proportional to the grid, but never a thin line. */
export function overviewSize(rows: number, cols: number): { width: number; height: number } {
  const scale = Math.min(WIDTH / Math.max(1, cols), HEIGHT / Math.max(1, rows));
  return {
    width: Math.max(LEAST, Math.round(cols * scale)),
    height: Math.max(LEAST, Math.round(rows * scale)),
  };
}

interface OverviewProps {
  view: Viewport;
  onScroll(view: Viewport): void;
}

/** Pointers move it; keys have the grid itself and its scrollbars. */
export function Overview({ view, onScroll }: OverviewProps): JSX.Element {
  const { width, height } = overviewSize(view.rows, view.cols);
  const seen = {
    width: Math.max(MARK, Math.min(1, view.width / view.cellWidth / view.cols) * width),
    height: Math.max(MARK, Math.min(1, view.height / view.cellHeight / view.rows) * height),
  };
  const x = Math.min(width - seen.width, (view.left / view.cols) * width);
  const y = Math.min(height - seen.height, (view.top / view.rows) * height);
  const goTo = (event: PointerEvent): void => {
    const rect = (event.currentTarget as Element).getBoundingClientRect();
    const col = ((event.clientX - rect.left) / rect.width) * view.cols;
    const row = ((event.clientY - rect.top) / rect.height) * view.rows;
    const top = row - view.height / view.cellHeight / 2;
    const left = col - view.width / view.cellWidth / 2;
    onScroll(clampScroll({ ...view, top, left }));
    event.stopPropagation();
  };
  return (
    <svg
      class="overview"
      width={width}
      height={height}
      aria-hidden="true"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        goTo(event);
      }}
      onPointerMove={(event) => {
        if (event.buttons === 1) goTo(event);
      }}
    >
      <rect class="whole" x="0.5" y="0.5" width={width - 1} height={height - 1} />
      <rect class="seen" x={x} y={y} width={seen.width} height={seen.height} />
    </svg>
  );
}
