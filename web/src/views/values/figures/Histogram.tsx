/** How many elements of an array lie where. */
import type { JSX } from "preact";
import uPlot from "uplot";
import type { ValueHistogram } from "../../../../../wasm/engine_api";
import { integer, significant } from "../../../ui/format";
import { axisOf, Plot } from "../../../ui/Plot";
import { useWord } from "../look";
import { type FigureProps, useFigure, useOptions } from "./asking";
import { Choice, Pending } from "./Pending";
import { figureWords } from "./words";

const BINS = 100;
type BinScale = "linear" | "log";

/** Steps from edge to edge: the last count stands twice, for the last edge. */
export function stepsOf({ edges, counts }: ValueHistogram): [number[], number[]] {
  // One bin around equal elements has no width.
  if (counts.length === 1) {
    const [at, width] = [edges[0] ?? 0, Math.abs(edges[0] ?? 0) * 0.05 || 0.5];
    return [
      [at - width, at + width],
      [counts[0] ?? 0, counts[0] ?? 0],
    ];
  }
  return [[...edges], [...counts, counts.at(-1) ?? 0]];
}

export function Histogram(props: FigureProps): JSX.Element {
  const { app, valueRef } = props;
  const w = figureWords.histogram;
  const scale = useWord<BinScale>(app, "bins", ["linear", "log"], "linear");
  const shown = scale.value;
  const options = { ...useOptions(props), scale: shown };
  const key = JSON.stringify([valueRef, options]);
  const { answer, failed } = useFigure(key, () =>
    app.engines.results.call("valueHistogram", [valueRef, options, BINS]),
  );
  const isLog = shown === "log";
  return (
    <>
      <p class="figure-choices">
        <Choice
          label={w.scale}
          names={w.scales}
          value={shown}
          onChange={(next) => {
            scale.value = next;
          }}
        />
        {answer && answer.leftOut > 0 && (
          <span class="muted">{w.leftOut(answer.leftOut, isLog)}</span>
        )}
      </p>
      {!answer && <Pending failed={failed} />}
      {answer?.counts.length === 0 && (
        <p class="empty">{isLog ? figureWords.nothingLog : figureWords.nothing}</p>
      )}
      {answer && answer.counts.length > 0 && (
        <Plot
          version={key + app.state.dark.value}
          label={w.label(
            answer.counts.length,
            significant(answer.edges[0] ?? 0),
            significant(answer.edges.at(-1) ?? 0),
            integer(Math.max(...answer.counts)),
          )}
          data={stepsOf(answer)}
          options={(colours) => ({
            scales: {
              x: { time: false, distr: isLog ? 3 : 1 },
              y: { range: (_, __, top) => [0, top * 1.05] },
            },
            axes: [axisOf(colours, w.value), { ...axisOf(colours, w.elements), size: 64 }],
            series: [
              { label: w.value, value: (_, at) => (at === null ? "–" : significant(at)) },
              {
                label: w.elements,
                stroke: colours.line,
                fill: colours.fill,
                points: { show: false },
                ...(uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
              },
            ],
          })}
        />
      )}
    </>
  );
}
