/** How a watch goes over the run, as lines over its steps; a click goes there. */
import type { JSX } from "preact";
import type uPlot from "uplot";
import type { DebugHistory, DebugSeries } from "../../../../wasm/engine_api";
import { integer, significant } from "../../ui/format";
import { axisOf, Plot, type PlotColours } from "../../ui/Plot";
import { debugWords } from "./words";

interface HistoryProps {
  watch: string;
  history: DebugHistory;
  length: number;
  position: number;
  dark: boolean;
  onMove(position: number): void;
}

const finite = (numbers: readonly (number | null)[]): number[] =>
  numbers.filter((n): n is number => n !== null);

/** The least and the most of all lines; null: there is no finite value. */
export function extremes(series: readonly DebugSeries[]): [number, number] | null {
  let [least, most] = [Infinity, -Infinity];
  for (const { values, least: low, most: high } of series) {
    for (const n of finite(low ?? values)) least = Math.min(least, n);
    for (const n of finite(high ?? values)) most = Math.max(most, n);
  }
  return least <= most ? [least, most] : null;
}

/** The steps, the lines, and for each line the bounds of its band, where there are some. */
export function historyData({ steps, series }: DebugHistory): uPlot.AlignedData {
  const bounds = series.flatMap(({ least, most }) => (least && most ? [most, least] : []));
  return [steps.map((step) => step + 1), ...series.map(({ values }) => values), ...bounds];
}

function optionsOf(props: HistoryProps, colours: PlotColours) {
  const { history, position, length, onMove } = props;
  const { series, steps } = history;
  const bounds = series.flatMap(({ least }, i) => (least ? [i, i] : []));
  const colour = (i: number): string =>
    series.length === 1 ? colours.line : (colours.lines[i % colours.lines.length] ?? colours.line);
  return {
    scales: { x: { time: false, range: (): [number, number] => [0, Math.max(1, length)] } },
    axes: [
      { ...axisOf(colours, debugWords.step), size: 30, labelSize: 16 },
      { ...axisOf(colours, ""), size: 60, labelSize: 0 },
    ],
    bands: series.flatMap(({ least }, i) =>
      least
        ? [
            {
              series: [1 + series.length + 2 * i, 2 + series.length + 2 * i] as [number, number],
              fill: colours.fill,
            },
          ]
        : [],
    ),
    series: [
      { label: debugWords.step },
      ...series.map(({ label }, i) => ({
        label: label || props.watch,
        stroke: colour(i),
        width: 1.5,
        points: { show: steps.length <= 60, size: 5 },
      })),
      ...bounds.map((i) => ({ stroke: colour(i), width: 0.5, points: { show: false } })),
    ],
    legend: { show: series.length > 1 },
    hooks: {
      draw: [
        (plot: uPlot) => {
          const { ctx, bbox } = plot;
          const x = plot.valToPos(position, "x", true);
          ctx.save();
          ctx.strokeStyle = colours.text;
          ctx.lineWidth = 2;
          ctx.beginPath();
          ctx.moveTo(x, bbox.top);
          ctx.lineTo(x, bbox.top + bbox.height);
          ctx.stroke();
          ctx.restore();
        },
      ],
      ready: [
        (plot: uPlot) => {
          plot.over.addEventListener("click", () => {
            const step = plot.posToVal(plot.cursor.left ?? 0, "x");
            onMove(Math.max(0, Math.min(length, Math.round(step))));
          });
        },
      ],
    },
  };
}

export function History(props: HistoryProps): JSX.Element | null {
  const { watch, history, length, position, dark } = props;
  const { series, steps, width, sampled } = history;
  const bounds = extremes(series);
  if (!bounds || steps.length < 2) return null;
  const hasBand = series.some(({ least }) => least);
  return (
    <div class="debug-history">
      <Plot
        label={debugWords.history(watch, significant(bounds[0]), significant(bounds[1]))}
        version={JSON.stringify([watch, steps.length, steps.at(-1), length, position, dark])}
        data={historyData(history)}
        options={(colours) => optionsOf(props, colours)}
      />
      {width > 1 && (
        <p class="muted">
          {(hasBand ? debugWords.band2 : debugWords.line2)(integer(width))}
          {sampled && ` ${debugWords.sampled}`}
        </p>
      )}
      {width === 1 && sampled && <p class="muted">{debugWords.sampled}</p>}
    </div>
  );
}
