/** Which part of an input its table shows: two of its dimensions, and a window of these. */
import { useSignal } from "@preact/signals";
import { type Axes, defaultAxes, sliceSize } from "../ui/axes";

/** Rows and columns that a table has at most. */
export const ROWS = 12;
export const COLS = 8;

interface Place {
  row: number;
  col: number;
}

/** The elements that are shown, and how to come to others. */
export interface TablePart {
  axes: Axes;
  /** Rows and columns of the slice that the axes select. */
  size: { rows: number; cols: number };
  /** The window of the slice. */
  rect: Place & { rows: number; cols: number };
  setAxes(axes: Axes): void;
  /** Moves the window: what is not said of its corner stays. */
  moveTo(corner: Partial<Place>): void;
}

/** Begins at the first elements of the last two dimensions; `dims` are the sizes of the input. */
export function useTablePart(dims: readonly number[]): TablePart {
  const picked = useSignal<Axes>(defaultAxes(dims.length));
  const corner = useSignal<Place>({ row: 0, col: 0 });
  const axes = picked.value.fixed.length === dims.length ? picked.value : defaultAxes(dims.length);
  const size = sliceSize(axes, dims);
  const rect = {
    row: Math.min(corner.value.row, Math.max(0, size.rows - ROWS)),
    col: Math.min(corner.value.col, Math.max(0, size.cols - COLS)),
    rows: Math.min(ROWS, size.rows),
    cols: Math.min(COLS, size.cols),
  };
  return {
    axes,
    size,
    rect,
    setAxes(next) {
      picked.value = next;
    },
    moveTo({ row = rect.row, col = rect.col }) {
      corner.value = { row, col };
    },
  };
}

const within = (n: number, size: number): number => Math.max(0, Math.min(size - 1, n));

/** Where a window that begins at `begin` has to begin for an element to be in it. */
const shifted = (begin: number, element: number, count: number): number =>
  element < begin ? element : element >= begin + count ? element - count + 1 : begin;

/** The element nearest to a place in or outside of the slice, and the corner of the window that shows it. */
export function stepTo(
  { size, rect }: TablePart,
  { row, col }: Place,
): { to: Place; corner: Place } {
  const to = { row: within(row, size.rows), col: within(col, size.cols) };
  const corner = {
    row: shifted(rect.row, to.row, rect.rows),
    col: shifted(rect.col, to.col, rect.cols),
  };
  return { to, corner };
}
