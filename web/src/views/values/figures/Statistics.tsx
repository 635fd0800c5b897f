/** The statistics of an array as a table. */
import type { JSX } from "preact";
import type { ValueFigures } from "../../../../../wasm/engine_api";
import { integer, percent, significant } from "../../../ui/format";
import { type FigureProps, useFigures } from "./asking";
import { Pending } from "./Pending";
import { figureWords } from "./words";

type Row = [name: string, value: string, share: string];

/** The rows of the table. */
export function statisticsRows(f: ValueFigures): Row[] {
  const w = figureWords.statistics;
  const share = (n: number): string => (f.count > 0 ? percent(n / f.count) : "");
  const counted = (name: string, n: number): Row => [name, integer(n), share(n)];
  const number = (name: string, n: number | null): Row => [name, significant(n), ""];
  const distinct = f.moreDistinct ? w.more(f.distinct) : integer(f.distinct);
  const ofFinite: Row[] = [
    number(w.mean, f.mean),
    number(w.deviation, f.deviation),
    number(w.min, f.min),
    ...f.quantiles.map((q) => number(w.quantile(q.share, f.exactQuantiles), q.value)),
    number(w.max, f.max),
    number(w.least, f.leastMagnitude || null),
    [w.distinct, distinct, ""],
  ];
  return [
    [w.elements, integer(f.count), ""],
    counted(w.finite, f.finite),
    ...(f.finite > 0 ? ofFinite : []),
    counted(w.zeros, f.zeros),
    counted(w.negativeZeros, f.negativeZeros),
    counted(w.denormals, f.denormals),
    counted(w.nans, f.nans),
    counted(w.infinities, f.infinities),
    counted(w.negativeInfinities, f.negativeInfinities),
  ];
}

export function Statistics(props: FigureProps): JSX.Element {
  const w = figureWords.statistics;
  const { answer, failed } = useFigures(props);
  if (!answer) return <Pending failed={failed} />;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="figure-scroll" tabIndex={0} aria-label={w.label}>
        <table class="figure-table">
          <thead>
            <tr>
              <th scope="col">{w.name}</th>
              <th scope="col">{w.value}</th>
              <th scope="col">{w.share}</th>
            </tr>
          </thead>
          <tbody>
            {statisticsRows(answer).map(([name, value, share]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
                <td>{share}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="muted">{w.note}</p>
    </>
  );
}
