/** A slice of an array as one picture: a block of elements has a colour. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ValueFigures, ValueTiles } from "../../../../../wasm/engine_api";
import { selectElement } from "../../../app/actions";
import { AxisPicker } from "../../../ui/AxisPicker";
import { type Axes, indexAt, sliceSize } from "../../../ui/axes";
import { percent, significant } from "../../../ui/format";
import { selectedCell, useLook, useWord } from "../look";
import { SpotLine } from "../SpotLine";
import { useAxes } from "../ValueGrid";
import { type FigureProps, useFigure, useFigures, useOptions } from "./asking";
import { gradient, type Range, rangeOf, SCALES, type Scale, ticksOf, usualScale } from "./colours";
import { Choice, Pending } from "./Pending";
import {
  type Block,
  blockAt,
  type Drawing,
  drawBlocks,
  MARKS,
  movedBlock,
  type Size,
} from "./painting";
import { figureWords } from "./words";

/** Blocks down and across at most. */
const MOST_BLOCKS = 256;
type Measure = "mean" | "min" | "max" | "zeros";
const PER = ["block", "row", "column"] as const;

/** What a block holds, in words. */
export function blockText(
  tiles: ValueTiles,
  { row, col }: Block,
  size: Size,
  ofZeros = false,
): string {
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
  const zeros = tiles.zeros[i] ?? 0;
  if (ofZeros) parts.push(w.zeroShare(percent(zeros)));
  if (marks & MARKS.nan) parts.push(w.hasNan);
  if (marks & MARKS.infinity) parts.push(w.hasInfinity);
  return parts.join(", ");
}

const ZERO_RANGE: Range = { scale: "sequential", low: 0, high: 1 };

interface PictureProps {
  label: string;
  tiles: ValueTiles;
  numbers: Float64Array;
  range: Range;
  selected: Block | null;
  /** Without marks for what is not finite. */
  plain: boolean;
  /** Changes with the page's colours. */
  theme: string;
  onSelect(block: Block): void;
  onHover(block: Block | null): void;
}

function Picture(props: PictureProps): JSX.Element {
  const { tiles, numbers, range, selected, plain } = props;
  const place = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const drawing: Drawing = { tiles, numbers, range, selected, plain };
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

interface LegendProps {
  range: Range;
  /** Null: shares are drawn. */
  figures: ValueFigures | null;
  tiles: ValueTiles | null;
}

/** What is drawn for numbers that are not finite. */
function Signs({ figures }: { figures: ValueFigures }): JSX.Element {
  const w = figureWords.map;
  return (
    <>
      <span class="heat-sign">
        <i class="heat-key nan" aria-hidden="true" />
        {w.nan(figures.nans)}
      </span>
      <span class="heat-sign">
        <i class="heat-key infinity" aria-hidden="true" />
        {w.infinity(figures.infinities + figures.negativeInfinities)}
      </span>
    </>
  );
}

function Legend({ range, figures, tiles }: LegendProps): JSX.Element {
  const w = figureWords.map;
  return (
    <div class="heat-legend">
      <span class="heat-ramp">
        <i style={{ background: gradient(range.scale) }} />
        <span>
          {ticksOf(range).map((tick, i) => (
            <b key={i}>{figures ? significant(tick) : percent(tick)}</b>
          ))}
        </span>
      </span>
      {figures && <Signs figures={figures} />}
      {tiles && (
        <span class="muted">
          {tiles.rowStep * tiles.colStep > 1
            ? w.blocks(tiles.rowStep, tiles.colStep)
            : figures
              ? w.cells
              : w.zeroCells}
        </span>
      )}
    </div>
  );
}

/** What a person has chosen to see of the value. */
interface Choices {
  axes: { value: Axes };
  /** "": the usual one for the numbers. */
  scale: { value: string };
  measure: { value: Measure };
  /** What shares of zeros are of. */
  per: { value: (typeof PER)[number] };
}

const useChoices = ({ app, value }: FigureProps): Choices => ({
  axes: useAxes(app, value.dims),
  scale: useLook(app, "scale"),
  measure: useWord<Measure>(app, "of", ["mean", "min", "max", "zeros"], "mean"),
  per: useWord(app, "per", PER, "block"),
});

const showsZeros = ({ measure }: Choices): boolean => measure.value === "zeros";

/** The slice in blocks, or in strips of whole rows or columns. */
function useTiles(props: FigureProps, choices: Choices, size: Size) {
  const { app, valueRef } = props;
  const axes = choices.axes.value;
  const options = useOptions(props);
  const strips = showsZeros(choices) ? choices.per.value : "block";
  return useFigure(JSON.stringify([valueRef, options, axes, strips]), () => {
    const window = { origin: axes.fixed, rowDim: axes.row, colDim: axes.col, ...size };
    const most = axes.row < 0 || strips === "column" ? 1 : MOST_BLOCKS;
    const across = axes.row < 0 ? MOST_BLOCKS * 2 : strips === "row" ? 1 : MOST_BLOCKS;
    return app.engines.results.call("valueTiles", [valueRef, options, window, most, across]);
  });
}

/** Whether a tile is a block of several elements. */
const isOfBlocks = (tiles: ValueTiles | null): boolean =>
  tiles !== null && (tiles.rowStep > 1 || tiles.colStep > 1);

/** Of blocks one of several numbers is drawn; of single elements themselves, or whether they are zero. */
const drawnMeasure = (choices: Choices, tiles: ValueTiles | null): Measure =>
  isOfBlocks(tiles) || showsZeros(choices) ? choices.measure.value : "mean";

interface ChoiceLineProps {
  choices: Choices;
  /** The one that is drawn by. */
  scale: Scale;
  tiles: ValueTiles | null;
  size: Size;
}

/** Above the map: the scale of the colours, what they show, and how many lines are zero throughout. */
function ChoiceLine({ choices, scale, tiles, size }: ChoiceLineProps): JSX.Element {
  const w = figureWords.map;
  const ofZeros = showsZeros(choices);
  return (
    <p class="figure-choices">
      {!ofZeros && (
        <Choice
          label={w.scale}
          names={w.scales}
          value={scale}
          onChange={(next) => {
            choices.scale.value = next;
          }}
        />
      )}
      <Choice
        label={w.of}
        names={(isOfBlocks(tiles) ? w.measures : w.measuresOfOne) as Record<Measure, string>}
        value={drawnMeasure(choices, tiles)}
        onChange={(next) => {
          choices.measure.value = next;
        }}
      />
      {ofZeros && (
        <Choice
          label={w.per}
          names={w.pers}
          value={choices.per.value}
          onChange={(next) => {
            choices.per.value = next;
          }}
        />
      )}
      {ofZeros && tiles && (
        <span class="muted">
          {w.zeroLines(tiles.zeroRows, size.rows, tiles.zeroCols, size.cols)}
        </span>
      )}
    </p>
  );
}

/** The map of a slice, with choices above, a legend, and what is said of a block below. */
export function HeatMap(props: FigureProps): JSX.Element {
  const { app, value } = props;
  const w = figureWords.map;
  const choices = useChoices(props);
  const axes = choices.axes.value;
  const ofZeros = showsZeros(choices);
  const hovered = useSignal<Block | null>(null);
  const size = sliceSize(axes, value.dims);
  const { answer: figures, failed } = useFigures(props);
  const tiles = useTiles(props, choices, size);
  const blocks = tiles.answer;
  if (!figures) return <Pending failed={failed} />;
  const scale = SCALES.find((known) => known === choices.scale.value) ?? usualScale(figures);
  const range = ofZeros ? ZERO_RANGE : rangeOf(scale, figures);
  const cell = selectedCell(app, axes, value.dims);
  const selected = cell &&
    blocks && {
      row: Math.floor(cell.row / blocks.rowStep),
      col: Math.floor(cell.col / blocks.colStep),
    };
  const at = hovered.value ?? selected;
  const said = (block: Block | null): string | null =>
    block && blocks && blockText(blocks, block, size, ofZeros);
  return (
    <>
      <AxisPicker
        dims={value.dims}
        axes={axes}
        onChange={(next) => {
          choices.axes.value = next;
        }}
      />
      <ChoiceLine choices={choices} scale={scale} tiles={blocks} size={size} />
      {!blocks && <Pending failed={tiles.failed} />}
      {blocks && (
        <Picture
          label={w.label(value.shape)}
          tiles={blocks}
          numbers={blocks[drawnMeasure(choices, blocks)]}
          plain={ofZeros}
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
      <Legend range={range} figures={ofZeros ? null : figures} tiles={blocks} />
      <SpotLine shown={said(at) ?? w.hint} spoken={said(selected) ?? ""} />
    </>
  );
}
