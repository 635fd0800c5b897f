/** A picture of a layout that is seen whole first, and from there as near as a person likes. */
import { batch, type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { GridCanvas, type GridProps } from "../../grid/GridCanvas";
import { isDetailed } from "../../grid/lettering";
import type { Opening } from "../../grid/seeing";
import {
  type CellPlace,
  type CellSize,
  type Limits,
  sizeWithin,
  type Viewport,
} from "../../grid/viewport";
import { type ScaleName, scaleIndex } from "./scales";
import { layoutWords } from "./words";
import type { Zoom } from "./zoom";

/** Room for "bytes 68–71" under what a cell shows. */
function bytesCell(cellWidth: number, bytes: number): CellSize {
  const letters = 8 + 2 * String(bytes).length;
  return { width: Math.max(96, cellWidth, letters * 5.5 + 6), height: 46 };
}

interface ZoomedGridProps {
  /** Of another subject the whole is shown first. */
  subject: string;
  /** What links say of it. */
  zoom: Signal<Zoom | null>;
  /** Of memory. */
  bytes: number;
  scales: readonly { name: ScaleName | null }[];
  limits(at: number): Limits;
  /** The same place, and cells as large on the screen, at another scale. */
  place(place: CellPlace, from: number, to: number): CellPlace;
  size(cell: CellSize, from: number, to: number): CellSize;
  /** A place as links have it, by elements, and the same as a cell of a scale. */
  element(place: CellPlace, at: number): number[];
  cellOf(element: readonly number[], at: number): CellPlace;
  grid(at: number): Omit<GridProps, "scale">;
}

interface State {
  at: number;
  opening: Opening | null;
}
const wholeOf = (): State => ({ at: 0, opening: null });

/** Cells of a scale as they are before anybody zooms. */
function usualCell({ width, height }: CellSize): CellSize {
  return { width: Math.min(width, 96), height: Math.min(height, 40) };
}

/** What a link says, as far as these scales have it. */
function openingOf(props: ZoomedGridProps, zoom: Zoom | null): State {
  const { scales } = props;
  if (!zoom) return wholeOf();
  const isBytes = zoom.scale === "bytes";
  const at = scaleIndex(scales, zoom.scale);
  if (!scales[at]) return wholeOf();
  const limits = props.limits(at);
  const usual = isBytes
    ? bytesCell(props.grid(at).cellWidth, props.bytes)
    : usualCell(limits.usual);
  const cell = sizeWithin(zoom.cell ?? usual, limits);
  const place = zoom.place.length > 0 ? props.cellOf(zoom.place, at) : { row: 0, col: 0 };
  return { at, opening: { place, cell } };
}

/** What a link will say. */
function zoomOf(props: ZoomedGridProps, at: number, view: Viewport): Zoom {
  const { top, left, width, height, cellWidth, cellHeight } = view;
  const middle = {
    row: Math.min(view.rows - 1, top + height / 2 / cellHeight),
    col: Math.min(view.cols - 1, left + width / 2 / cellWidth),
  };
  const isUsual = ({ width: w, height: h }: CellSize): boolean =>
    Math.abs(w - cellWidth) < 0.01 && Math.abs(h - cellHeight) < 0.01;
  const limits = props.limits(at);
  const isBytes =
    at === props.scales.length - 1 &&
    isUsual(sizeWithin(bytesCell(props.grid(at).cellWidth, props.bytes), limits));
  return {
    subject: props.subject,
    scale: isBytes ? "bytes" : (props.scales[at]?.name ?? String(at)),
    cell:
      isBytes || isUsual(usualCell(limits.usual)) ? null : { width: cellWidth, height: cellHeight },
    place: top === 0 && left === 0 ? [] : props.element(middle, at),
  };
}

const ACTS = ["pointerdown", "keydown", "wheel", "input"] as const;

/** The scale, and where it opens: as the person went on, or else as a link says. */
function useScale(props: ZoomedGridProps) {
  const { subject, scales, zoom } = props;
  const { value } = zoom;
  const said = (value?.subject ?? subject) === subject ? value : null;
  const linked = useMemo(() => openingOf(props, said), [said, subject, scales]);
  const kept = useSignal<{ state: State; subject: string; said: Zoom | null } | null>(null);
  const { value: own } = kept;
  const isOwn = own?.subject === subject && own.said === said && own.state.at < scales.length;
  const state = isOwn ? own.state : linked;
  const say = (next: Zoom | null): void =>
    batch(() => {
      // What a scale is told late, when the person has gone on to another one, is not said any more.
      const now = kept.peek();
      if (now !== own && now?.state !== state) return;
      kept.value = { state, subject, said: next };
      zoom.value = next;
    });
  // A link leads to what is shown once a person does something.
  const isLinked = said?.subject === null && !isOwn;
  useEffect(() => {
    if (!isLinked) return;
    const settle = (): void => say({ ...said, subject });
    for (const act of ACTS) window.addEventListener(act, settle, true);
    return () => {
      for (const act of ACTS) window.removeEventListener(act, settle, true);
    };
  }, [isLinked, linked]);
  const go = (at: number, opening: Opening | null): void =>
    batch(() => {
      // The whole has no place of which the grid could tell.
      if (!opening) zoom.value = null;
      kept.value = { state: { at, opening }, subject, said: opening && said };
    });
  return { state, isLinked, go, say };
}

export function ZoomedGrid(props: ZoomedGridProps): JSX.Element {
  const { scales } = props;
  const { state, isLinked, go, say } = useScale(props);
  const { at, opening } = state;
  const last = scales.length - 1;
  const grid = props.grid(at);

  const onBeyond = (by: 1 | -1, { place, cell, x, y }: Required<Opening>): void => {
    const to = at + by;
    if (to < 0 || to > last) return;
    go(to, { place: props.place(place, at, to), cell: props.size(cell, at, to), x, y });
  };
  /** To a scale by its name: around the selected element, or the first one. */
  const onScale = (to: number, cell: CellSize | null): void => {
    const { row, col } = props.grid(to).selected ?? { row: 0, col: 0 };
    const isWhole = to === 0 && !cell;
    const place = { row: row + 0.5, col: col + 0.5 };
    go(to, isWhole ? null : { place, cell: cell ?? usualCell(props.limits(to).usual) });
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
        turn: state,
        isLinked,
        onBeyond,
        onRest: (view, isWhole) => say(isWhole && at === 0 ? null : zoomOf(props, at, view)),
        onWhole: () => go(0, null),
        foot,
      }}
    />
  );
}
