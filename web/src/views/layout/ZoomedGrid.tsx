/** A picture of a layout that is seen whole first, and from there as near as a person likes. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { GridCanvas, type GridProps, type Opening } from "../../grid/GridCanvas";
import { isDetailed } from "../../grid/lettering";
import type { CellPlace, CellSize, Limits, Viewport } from "../../grid/viewport";
import type { ScaleName } from "./scales";
import { layoutWords } from "./words";

/** Room for "bytes 68–71" under what a cell shows. */
function bytesCell(cellWidth: number, bytes: number): CellSize {
  const letters = 8 + 2 * String(bytes).length;
  return { width: Math.max(96, cellWidth, letters * 5.5 + 6), height: 46 };
}

interface ZoomedGridProps {
  /** Of another subject the whole is shown first. */
  subject: string;
  /** Of memory. */
  bytes: number;
  scales: readonly { name: ScaleName | null }[];
  limits(at: number): Limits;
  /** The same place, and cells as large on the screen, at another scale. */
  place(place: CellPlace, from: number, to: number): CellPlace;
  size(cell: CellSize, from: number, to: number): CellSize;
  grid(at: number): Omit<GridProps, "scale">;
}

interface State {
  subject: string;
  at: number;
  opening: Opening | null;
}

export function ZoomedGrid(props: ZoomedGridProps): JSX.Element {
  const { subject, scales } = props;
  const kept = useSignal<State>({ subject, at: 0, opening: null });
  const isKept = kept.value.subject === subject && kept.value.at < scales.length;
  const { at, opening } = isKept ? kept.value : { at: 0, opening: null };
  const last = scales.length - 1;
  const grid = props.grid(at);
  const go = (to: number, then: Opening | null): void => {
    kept.value = { subject, at: to, opening: then };
  };

  const onBeyond = (by: 1 | -1, { place, cell, x, y }: Required<Opening>): void => {
    const to = at + by;
    if (to < 0 || to > last) return;
    go(to, { place: props.place(place, at, to), cell: props.size(cell, at, to), x, y });
  };
  /** To a scale by its name: around the selected element, or the first one. */
  const onScale = (to: number, cell: CellSize | null): void => {
    const { row, col } = props.grid(to).selected ?? { row: 0, col: 0 };
    const { width, height } = props.limits(to).usual;
    const usual = { width: Math.min(width, 96), height: Math.min(height, 40) };
    const isWhole = to === 0 && !cell;
    go(to, isWhole ? null : { place: { row: row + 0.5, col: col + 0.5 }, cell: cell ?? usual });
  };
  const names: { name: ScaleName | "bytes"; to: number; cell: CellSize | null }[] = [
    ...scales.flatMap(({ name }, to) => (name ? [{ name, to, cell: null }] : [])),
    { name: "bytes", to: last, cell: bytesCell(grid.cellWidth, props.bytes) },
  ];
  const foot = (view: Viewport): JSX.Element => {
    const current = at === last && isDetailed(view) ? "bytes" : scales[at]?.name;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
      <div class="scales" role="group" aria-label={layoutWords.scale}>
        {names.map(({ name, to, cell }) => (
          <button
            key={name}
            type="button"
            class="quiet"
            aria-pressed={name === current}
            title={layoutWords.scaleTitles[name]}
            onClick={() => onScale(to, cell)}
          >
            {layoutWords.scales[name]}
          </button>
        ))}
      </div>
    );
  };
  return (
    <GridCanvas
      {...grid}
      source={`${at} ${grid.source}`}
      scale={{
        id: at,
        limits: props.limits(at),
        opening,
        onBeyond,
        onWhole: () => go(0, null),
        foot,
      }}
    />
  );
}
