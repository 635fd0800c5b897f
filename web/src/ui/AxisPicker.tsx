/** Which two dimensions of an array run down and across, and where the others are fixed. */
import type { JSX } from "preact";
import { words } from "../strings";

export interface Axes {
  /** Dimension that runs down and across; -1 for none. */
  row: number;
  col: number;
  /** Index in every dimension; those that run are 0. */
  fixed: number[];
}

/** The last dimension across, the one before it down. */
export function defaultAxes(rank: number): Axes {
  return { row: rank >= 2 ? rank - 2 : -1, col: rank - 1, fixed: new Array(rank).fill(0) };
}

/** "2,0": what runs down and across, for links; "" where it is the default. */
export function axesText({ row, col, fixed }: Axes): string {
  const usual = defaultAxes(fixed.length);
  return row === usual.row && col === usual.col ? "" : `${row},${col}`;
}

/** Axes of an array from that text; the default ones where it does not say two of its dimensions. */
export function parseAxes(text: string, rank: number): Axes {
  const usual = defaultAxes(rank);
  const found = /^(-1|\d{1,3}),(-1|\d{1,3})$/.exec(text);
  const [row, col] = [Number(found?.[1]), Number(found?.[2])];
  const fits = found && row < rank && col < rank && (row !== col || row < 0);
  return fits ? { ...usual, row, col } : usual;
}

/** The element of a cell. */
export function indexAt(axes: Axes, row: number, col: number): number[] {
  const index = [...axes.fixed];
  if (axes.row >= 0) index[axes.row] = row;
  if (axes.col >= 0) index[axes.col] = col;
  return index;
}

/** The cell of an element, null when it lies in another slice. */
export function cellOf(axes: Axes, index: number[]): { row: number; col: number } | null {
  const here = index.every((i, d) => d === axes.row || d === axes.col || i === axes.fixed[d]);
  if (!here || index.length !== axes.fixed.length) return null;
  return { row: index[axes.row] ?? 0, col: index[axes.col] ?? 0 };
}

/** The same axes, through the slice that holds an element. */
export function sliceThrough(axes: Axes, index: number[]): Axes {
  return { ...axes, fixed: index.map((i, d) => (d === axes.row || d === axes.col ? 0 : i)) };
}

function withAxis(axes: Axes, which: "row" | "col", dim: number): Axes {
  const other = which === "row" ? "col" : "row";
  const next = { ...axes, [which]: dim, fixed: [...axes.fixed] };
  // Two axes never show one dimension: they change places.
  if (dim >= 0 && axes[other] === dim) next[other] = axes[which];
  for (const d of [next.row, next.col]) if (d >= 0) next.fixed[d] = 0;
  return next;
}

interface AxisPickerProps {
  dims: number[];
  axes: Axes;
  onChange(axes: Axes): void;
}

/** Nothing to choose below rank 2. */
export function AxisPicker({ dims, axes, onChange }: AxisPickerProps): JSX.Element | null {
  if (dims.length < 2) return null;
  const axis = (which: "row" | "col", label: string): JSX.Element => (
    <label>
      <span>{label}</span>
      <select
        value={String(axes[which])}
        onChange={(event) => onChange(withAxis(axes, which, Number(event.currentTarget.value)))}
      >
        {dims.map((size, d) => (
          <option key={d} value={String(d)}>
            {`${words.axes.dim(d)} (${size})`}
          </option>
        ))}
        <option value="-1">{words.axes.none}</option>
      </select>
    </label>
  );
  return (
    <fieldset class="axes" aria-label={words.axes.legend}>
      {axis("row", words.axes.down)}
      {axis("col", words.axes.across)}
      {dims.map((size, d) =>
        d === axes.row || d === axes.col ? null : (
          <label key={d}>
            <span>{words.axes.dim(d)}</span>
            <input
              type="number"
              min={0}
              max={Math.max(0, size - 1)}
              value={axes.fixed[d]}
              aria-label={words.axes.fixed(d, size)}
              onInput={(event) => {
                const at = Math.floor(Number(event.currentTarget.value));
                const fixed = [...axes.fixed];
                fixed[d] = Math.max(0, Math.min(size - 1, Number.isFinite(at) ? at : 0));
                onChange({ ...axes, fixed });
              }}
            />
            <span class="of">/ {size - 1}</span>
          </label>
        ),
      )}
    </fieldset>
  );
}
