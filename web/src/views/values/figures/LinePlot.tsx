/** The elements along one dimension of an array, through the selected element. */
import type { JSX } from "preact";
import type uPlot from "uplot";
import type { ValueTiles } from "../../../../../wasm/engine_api";
import { inBounds } from "../../../ui/axes";
import { significant } from "../../../ui/format";
import { axisOf, Plot, type PlotProps } from "../../../ui/Plot";
import { useLook } from "../look";
import { type FigureProps, useFigure, useOptions } from "./asking";
import { Choice, Pending } from "./Pending";
import { figureWords } from "./words";

const w = figureWords.line;
const MOST_POINTS = 1000;

const gap = (n: number): number | null => (Number.isFinite(n) ? n : null);

/** The middle of each block, its mean, and its extremes where blocks are of several elements. */
export function lineData(tiles: ValueTiles, size: number): uPlot.AlignedData {
  const middles = Array.from({ length: tiles.cols }, (_, i) => {
    const begin = i * tiles.colStep;
    return (begin + Math.min(begin + tiles.colStep, size) - 1) / 2;
  });
  const line = (numbers: Float64Array): (number | null)[] => Array.from(numbers, gap);
  if (tiles.colStep === 1) return [middles, line(tiles.mean)];
  return [middles, line(tiles.mean), line(tiles.max), line(tiles.min)];
}

/** A line through an array along one dimension. */
interface Line {
  dim: number;
  /** Elements of it. */
  size: number;
  /** Its first element. */
  origin: number[];
  /** "0, :, 3". */
  name: string;
}

/** The line along a dimension, as a link or a person writes it, through the selected element. */
function lineAlong({ app, value: { dims } }: FigureProps, along: string): Line {
  const last = dims.length - 1;
  const dim = /^\d{1,3}$/.test(along) ? Math.min(Number(along), last) : last;
  const focus = app.state.focus.value.index;
  const origin = focus && inBounds(focus, dims) ? [...focus] : dims.map(() => 0);
  const name = origin.map((i, d) => (d === dim ? ":" : String(i))).join(", ");
  if (dim >= 0) origin[dim] = 0;
  return { dim, size: dims[dim] ?? 1, origin, name };
}

/** How a line is drawn: its mean, and between its extremes a band where points are of several elements. */
function plotOptions(isOfBlocks: boolean, size: number): PlotProps["options"] {
  return (colours) => ({
    scales: { x: { time: false } },
    axes: [axisOf(colours, w.index), { ...axisOf(colours, w.value), size: 64 }],
    bands: isOfBlocks ? [{ series: [2, 3], fill: colours.fill }] : [],
    series: [
      { label: w.index },
      {
        label: isOfBlocks ? w.mean : w.value,
        stroke: colours.line,
        width: 1.5,
        points: { show: size <= 60 },
      },
      ...(isOfBlocks ? [w.max, w.min] : []).map((label) => ({
        label,
        stroke: colours.text,
        width: 0.5,
        points: { show: false },
      })),
    ],
  });
}

export function LinePlot(props: FigureProps): JSX.Element {
  const { app, value, valueRef } = props;
  const { dims } = value;
  const chosen = useLook(app, "along");
  const { dim, size, origin, name } = lineAlong(props, chosen.value);
  const options = useOptions(props);
  const key = JSON.stringify([valueRef, options, dim, origin]);
  const { answer, failed } = useFigure(key, () => {
    const window = { origin, rowDim: -1, colDim: dim, rows: 1, cols: size };
    return app.engines.results.call("valueTiles", [valueRef, options, window, 1, MOST_POINTS]);
  });
  const names = Object.fromEntries(dims.map((n, d) => [String(d), `${d} (${n})`]));
  const lows = answer ? [...answer.min].filter(Number.isFinite) : [];
  const highs = answer ? [...answer.max].filter(Number.isFinite) : [];
  return (
    <>
      <p class="figure-choices">
        {dims.length > 0 && (
          <Choice
            label={w.along}
            names={names}
            value={String(dim)}
            onChange={(next) => {
              chosen.value = Number(next) === dims.length - 1 ? "" : next;
            }}
          />
        )}
        <span class="muted">{w.at(`(${name})`)}</span>
        {answer && answer.colStep > 1 && <span class="muted">{w.blocks(answer.colStep)}</span>}
        {answer?.marks.some((mark) => mark > 0) && <span class="muted">{w.gaps}</span>}
      </p>
      {!answer && <Pending failed={failed} />}
      {answer && lows.length === 0 && <p class="empty">{figureWords.nothing}</p>}
      {answer && lows.length > 0 && (
        <Plot
          version={key + app.state.dark.value}
          label={w.label(
            `(${name})`,
            significant(Math.min(...lows)),
            significant(Math.max(...highs)),
          )}
          data={lineData(answer, size)}
          options={plotOptions(answer.colStep > 1, size)}
        />
      )}
    </>
  );
}
