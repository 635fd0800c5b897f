/** The elements along one dimension of an array, through the selected element. */
import type { JSX } from "preact";
import type uPlot from "uplot";
import type { ValueTiles } from "../../../../../wasm/engine_api";
import { inBounds } from "../../../ui/axes";
import { significant } from "../../../ui/format";
import { axisOf, Plot } from "../../../ui/Plot";
import { useLook } from "../look";
import { type FigureProps, useFigure, useOptions } from "./asking";
import { Choice, Pending } from "./Pending";
import { figureWords } from "./words";

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

export function LinePlot(props: FigureProps): JSX.Element {
  const { app, value, valueRef } = props;
  const w = figureWords.line;
  const { dims } = value;
  const chosen = useLook(app, "along");
  const last = dims.length - 1;
  const dim = /^\d{1,3}$/.test(chosen.value) ? Math.min(Number(chosen.value), last) : last;
  const options = useOptions(props);
  const focus = app.state.focus.value.index;
  const origin = focus && inBounds(focus, dims) ? [...focus] : dims.map(() => 0);
  const shownAt = origin.map((i, d) => (d === dim ? ":" : String(i))).join(", ");
  if (dim >= 0) origin[dim] = 0;
  const size = dims[dim] ?? 1;
  const key = JSON.stringify([valueRef, options, dim, origin]);
  const { answer, failed } = useFigure(key, () =>
    app.engines.results.call("valueTiles", [
      valueRef,
      options,
      { origin, rowDim: -1, colDim: dim, rows: 1, cols: size },
      1,
      MOST_POINTS,
    ]),
  );
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
              chosen.value = Number(next) === last ? "" : next;
            }}
          />
        )}
        <span class="muted">{w.at(`(${shownAt})`)}</span>
        {answer && answer.colStep > 1 && <span class="muted">{w.blocks(answer.colStep)}</span>}
        {answer?.marks.some((mark) => mark > 0) && <span class="muted">{w.gaps}</span>}
      </p>
      {!answer && <Pending failed={failed} />}
      {answer && lows.length === 0 && <p class="empty">{figureWords.nothing}</p>}
      {answer && lows.length > 0 && (
        <Plot
          version={key + app.state.dark.value}
          label={w.label(
            `(${shownAt})`,
            significant(Math.min(...lows)),
            significant(Math.max(...highs)),
          )}
          data={lineData(answer, size)}
          options={(colours) => ({
            scales: { x: { time: false } },
            axes: [axisOf(colours, w.index), { ...axisOf(colours, w.value), size: 64 }],
            bands: answer.colStep > 1 ? [{ series: [2, 3], fill: colours.fill }] : [],
            series: [
              { label: w.index },
              {
                label: answer.colStep > 1 ? w.mean : w.value,
                stroke: colours.line,
                width: 1.5,
                points: { show: size <= 60 },
              },
              ...(answer.colStep > 1 ? [w.max, w.min] : []).map((label) => ({
                label,
                stroke: colours.text,
                width: 0.5,
                points: { show: false },
              })),
            ],
          })}
        />
      )}
    </>
  );
}
