/** What is known of the errors of one instruction. */
import type { JSX } from "preact";
import type { PrecisionRow } from "../../../../wasm/engine_api";
import { Facts } from "../../ui/Facts";
import { integer } from "../../ui/format";
import { bucketText, errorText, placeText } from "./figures";
import { precisionWords } from "./words";

function Histogram({ counts }: { counts: readonly number[] }): JSX.Element {
  const w = precisionWords;
  const most = Math.max(...counts);
  // From the first bucket that has any.
  const first = counts.findIndex((count) => count > 0);
  return (
    <figure class="precision-histogram">
      <figcaption class="muted">{w.histogram}</figcaption>
      <ul>
        {counts.map((count, bucket) =>
          bucket < first ? null : (
            <li key={bucket}>
              <span class="precision-bucket">{bucketText(bucket)}</span>
              <span class="precision-bar" aria-hidden="true">
                <span style={{ width: `${(100 * count) / most}%` }} />
              </span>
              <span>{integer(count)}</span>
            </li>
          ),
        )}
      </ul>
    </figure>
  );
}

const WIDTH = 400;
const HEIGHT = 80;

/** The errors of one execution after the other, from 0 to the largest. */
function Series({ norms }: { norms: readonly (number | null)[] }): JSX.Element {
  const known = norms.map((norm) => norm ?? 0);
  const most = Math.max(...known) || 1;
  const points = known.map(
    (norm, i) =>
      `${((i * WIDTH) / Math.max(1, known.length - 1)).toFixed(1)},${((1 - norm / most) * (HEIGHT - 2) + 1).toFixed(1)}`,
  );
  return (
    <figure class="precision-series">
      <figcaption class="muted">
        {precisionWords.series(known.length)}: {errorText(known[0] ?? 0)} →{" "}
        {errorText(known.at(-1) ?? 0)}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={points.join(" ")} />
      </svg>
    </figure>
  );
}

export function Details({ row }: { row: PrecisionRow }): JSX.Element {
  const w = precisionWords;
  const { error, cancelled } = row;
  const counts: [string, number][] = [
    [w.facts.overflows, error.overflows],
    [w.facts.underflows, error.underflows],
    [w.facts.nans, error.nans],
  ];
  const facts: [string, string][] = [
    [w.facts.worst, w.element(placeText(error), error.value, error.expected)],
    [w.facts.differing, w.differing(error.differing, error.elements)],
    [w.facts.introduced, errorText(row.introduced)],
    [w.facts.error, errorText(error.norm)],
    [w.facts.grows, row.amplification ? `${errorText(row.amplification)}×` : "–"],
    [w.facts.ulp, errorText(error.ulp)],
    [w.facts.relative, errorText(error.relative)],
    [w.facts.absolute, errorText(error.absolute)],
    ...counts
      .filter(([, count]) => count > 0)
      .map(([name, count]): [string, string] => [name, integer(count)]),
  ];
  return (
    <section class="precision-details" aria-label={w.details}>
      <h2>
        <span class="mono">{row.shown}</span>{" "}
        <span class="muted">
          {row.opcode} {row.shape}, {w.line(row.line)}
        </span>
      </h2>
      {cancelled && <p>{w.cancelled(...cancelled)}</p>}
      {error.sameShape ? <Facts class="facts" facts={facts} /> : <p>{w.shapeDiffers}</p>}
      <div class="precision-pictures">
        {error.histogram.length > 0 && <Histogram counts={error.histogram} />}
        {row.series.length > 1 && <Series norms={row.series} />}
      </div>
    </section>
  );
}
