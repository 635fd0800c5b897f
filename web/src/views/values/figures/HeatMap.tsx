/** A slice of an array as one picture: a block of elements has a colour. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ValueFigures, ValueTiles } from "../../../../../wasm/engine_api";
import { selectElement } from "../../../app/actions";
import { AxisPicker } from "../../../ui/AxisPicker";
import { cellOf, defaultAxes, inBounds, indexAt } from "../../../ui/axes";
import { significant } from "../../../ui/format";
import { useAxes } from "../ValueGrid";
import { type FigureProps, useFigure, useFigures } from "./asking";
import { gradient, type Range, rangeOf, type Scale, ticksOf, usualScale } from "./colours";
import { Choice, Pending } from "./Pending";
import { type Block, blockAt, type Drawing, drawBlocks, MARKS, movedBlock } from "./painting";
import { figureWords } from "./words";

/** Blocks down and across at most. */
const MOST_BLOCKS = 256;
type Measure = "mean" | "min" | "max";

/** What a block holds, in words. */
export function blockText(tiles: ValueTiles, { row, col }: Block, size: Size): string {
  const w = figureWords.map;
  const i = row * tiles.cols + col;
  const span = (name: string, at: number, step: number, most: number): string =>
    w.range(name, at * step, Math.min((at + 1) * step, most) - 1);
  const [mean, min, max] = [tiles.mean, tiles.min, tiles.max].map((n) => n[i] ?? Number.NaN);
  const marks = tiles.marks[i] ?? 0;
  const parts = [
    span(w.row, row, tiles.rowStep, size.rows),
    span(w.col, col, tiles.colStep, size.cols),
  ];
  if (Number.isFinite(mean)) {
    parts.push(
      w.value(significant(mean as number), significant(min as number), significant(max as number)),
    );
  }
  if (marks & MARKS.nan) parts.push(w.hasNan);
  if (marks & MARKS.infinity) parts.push(w.hasInfinity);
  return parts.join(", ");
}

interface Size {
  rows: number;
  cols: number;
}

interface PictureProps {
  label: string;
  tiles: ValueTiles;
  numbers: Float64Array;
  range: Range;
  selected: Block | null;
  /** Changes with the page's colours. */
  theme: string;
  onSelect(block: Block): void;
  onHover(block: Block | null): void;
}

function Picture(props: PictureProps): JSX.Element {
  const { tiles, numbers, range, selected } = props;
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing: Drawing = { tiles, numbers, range, selected };
  const latest = useRef(drawing);
  latest.current = drawing;
  const draw = (): void => {
    if (place.current && canvas.current) drawBlocks(canvas.current, place.current, latest.current);
  };
  useEffect(draw, [
    tiles,
    numbers,
    JSON.stringify(range),
    selected?.row,
    selected?.col,
    props.theme,
  ]);
  useEffect(() => {
    const watch = new ResizeObserver(draw);
    if (place.current) watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const under = (event: MouseEvent): Block | null =>
    canvas.current && blockAt(canvas.current, event, tiles);
  return (
    <div
      class="heat-place"
      ref={place}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is moved in by the arrow keys
      tabIndex={0}
      role="application"
      aria-label={props.label}
      onPointerMove={(event) => props.onHover(under(event))}
      onPointerLeave={() => props.onHover(null)}
      onClick={(event) => {
        const block = under(event);
        if (block) props.onSelect(block);
      }}
      onKeyDown={(event) => {
        const next = movedBlock(event.key, selected, tiles);
        if (!next) return;
        event.preventDefault();
        props.onSelect(next);
      }}
    >
      <canvas ref={canvas} class="heat-map" />
    </div>
  );
}

function Legend({ range, figures }: { range: Range; figures: ValueFigures }): JSX.Element {
  const w = figureWords.map;
  const infinite = figures.infinities + figures.negativeInfinities;
  return (
    <div class="heat-legend">
      <span class="heat-ramp">
        <i style={{ background: gradient(range.scale) }} />
        <span>
          {ticksOf(range).map((tick, i) => (
            <b key={i}>{significant(tick)}</b>
          ))}
        </span>
      </span>
      <span class="heat-sign">
        <i class="heat-key nan" aria-hidden="true" />
        {w.nan(figures.nans)}
      </span>
      <span class="heat-sign">
        <i class="heat-key infinity" aria-hidden="true" />
        {w.infinity(infinite)}
      </span>
    </div>
  );
}

export function HeatMap(props: FigureProps): JSX.Element {
  const { app, value, valueRef } = props;
  const w = figureWords.map;
  const wanted = useSignal<Scale | null>(null);
  const measure = useSignal<Measure>("mean");
  const hovered = useSignal<Block | null>(null);
  const axesSignal = useAxes(app, value.dims);
  const fits = axesSignal.value.fixed.length === value.dims.length;
  const axes = fits ? axesSignal.value : defaultAxes(value.dims.length);
  const sizeOf = (dim: number): number => (dim >= 0 ? (value.dims[dim] ?? 1) : 1);
  const size: Size = { rows: sizeOf(axes.row), cols: sizeOf(axes.col) };
  const figures = useFigures(props);
  const tiles = useFigure(JSON.stringify([valueRef, axes]), () => {
    const window = { origin: axes.fixed, rowDim: axes.row, colDim: axes.col, ...size };
    const options = { type: value.elementType };
    const most = axes.row < 0 ? 1 : MOST_BLOCKS;
    const across = axes.row < 0 ? MOST_BLOCKS * 2 : MOST_BLOCKS;
    return app.engines.results.call("valueTiles", [valueRef, options, window, most, across]);
  });
  const blocks = tiles.answer;
  if (!figures.answer) return <Pending failed={figures.failed} />;
  const scale = wanted.value ?? usualScale(figures.answer);
  const range = rangeOf(scale, figures.answer);
  const index = app.state.focus.value.index;
  const cell = index && inBounds(index, value.dims) ? cellOf(axes, index) : null;
  const selected = cell &&
    blocks && {
      row: Math.floor(cell.row / blocks.rowStep),
      col: Math.floor(cell.col / blocks.colStep),
    };
  const isBlocks = blocks !== null && (blocks.rowStep > 1 || blocks.colStep > 1);
  const at = hovered.value ?? selected;
  return (
    <>
      <AxisPicker
        dims={value.dims}
        axes={axes}
        onChange={(next) => {
          axesSignal.value = next;
        }}
      />
      <p class="figure-choices">
        <Choice
          label={w.scale}
          names={w.scales}
          value={scale}
          onChange={(next) => {
            wanted.value = next;
          }}
        />
        {isBlocks && (
          <Choice
            label={w.of}
            names={w.measures}
            value={measure.value}
            onChange={(next) => {
              measure.value = next;
            }}
          />
        )}
        {blocks && (
          <span class="muted">{isBlocks ? w.blocks(blocks.rowStep, blocks.colStep) : w.cells}</span>
        )}
      </p>
      {!blocks && <Pending failed={tiles.failed} />}
      {blocks && (
        <Picture
          label={w.label(value.shape)}
          tiles={blocks}
          numbers={blocks[measure.value]}
          range={range}
          selected={selected}
          theme={String(app.state.dark.value)}
          onSelect={({ row, col }) =>
            selectElement(app, indexAt(axes, row * blocks.rowStep, col * blocks.colStep))
          }
          onHover={(block) => {
            hovered.value = block;
          }}
        />
      )}
      <Legend range={range} figures={figures.answer} />
      <p class="spot-line">
        <span aria-hidden="true">{at && blocks ? blockText(blocks, at, size) : w.hint}</span>
        <span class="visually-hidden" aria-live="polite">
          {selected && blocks ? blockText(blocks, selected, size) : ""}
        </span>
      </p>
    </>
  );
}
