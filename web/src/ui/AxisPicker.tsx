/** Selects the dimensions of rows and columns, and the indices of the others. */
import type { JSX } from "preact";
import { type Axes, isDrawn } from "./axes";
import { axesWords } from "./words";

type Which = "row" | "col" | "channel";

function withAxis(axes: Axes, which: Which, dim: number): Axes {
  const next: Axes = { ...axes, [which]: dim, fixed: [...axes.fixed] };
  // No two axes show the same dimension: they are swapped.
  for (const other of ["row", "col", "channel"] as const) {
    if (other !== which && dim >= 0 && axes[other] === dim) next[other] = axes[which] ?? -1;
  }
  next.fixed = next.fixed.map((i, d) => (isDrawn(next, d) ? 0 : i));
  return next;
}

interface AxisPickerProps {
  dims: number[];
  axes: Axes;
  onChange(axes: Axes): void;
}

/** Not shown below rank 2: there is nothing to choose. */
export function AxisPicker({ dims, axes, onChange }: AxisPickerProps): JSX.Element | null {
  if (dims.length < 2) return null;
  const axis = (which: Which, label: string): JSX.Element => (
    <label>
      <span>{label}</span>
      <select
        value={String(axes[which])}
        onChange={(event) => onChange(withAxis(axes, which, Number(event.currentTarget.value)))}
      >
        {dims.map((size, d) => (
          <option key={d} value={String(d)}>
            {`${axesWords.dim(d)} (${size})`}
          </option>
        ))}
        <option value="-1">{which === "channel" ? axesWords.grey : axesWords.none}</option>
      </select>
    </label>
  );
  return (
    <fieldset class="axes" aria-label={axesWords.legend}>
      {axis("row", axesWords.down)}
      {axis("col", axesWords.across)}
      {axes.channel !== undefined && axis("channel", axesWords.colours)}
      {dims.map((size, d) =>
        isDrawn(axes, d) ? null : (
          <label key={d}>
            <span>{axesWords.dim(d)}</span>
            <input
              type="number"
              min={0}
              max={Math.max(0, size - 1)}
              value={axes.fixed[d]}
              aria-label={axesWords.fixed(d, size)}
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
