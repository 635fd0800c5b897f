/** Bars: how many times faster than plain JavaScript every case is, and where its limit lies. */
import type { JSX } from "preact";
import type { Measured } from "../../bench/measure";
import { caseOf, digits, ratioOf } from "./results";
import { benchWords as w } from "./words";

const LINES = [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000];

/** The smallest scale with all of it, from a half up. */
function scaleOf(measured: readonly Measured[]): { lines: number[]; at(factor: number): number } {
  const factors = measured.flatMap(({ ours, plain, limit }) =>
    plain === null ? [] : [plain / ours, plain / (limit ?? ours)],
  );
  const most = Math.max(3, ...factors);
  const end = LINES.find((line) => line >= most) ?? most;
  const least = 0.5;
  const at = (factor: number): number => {
    const part = Math.log(factor / least) / Math.log(end / least);
    return 100 * Math.min(1, Math.max(0, part));
  };
  return { lines: LINES.filter((line) => line <= end), at };
}

export function Chart({ measured }: { measured: readonly Measured[] }): JSX.Element | null {
  const shown = measured.filter(({ plain }) => plain !== null);
  if (shown.length === 0) return null;
  const { lines, at } = scaleOf(shown);
  return (
    <figure class="bench-chart">
      <figcaption>
        <h2>{w.chart}</h2>
        <p class="muted">{w.chartNote}</p>
      </figcaption>
      <div role="img" aria-label={w.chartLabel(shown.length)}>
        <div class="bench-axis">
          <div>
            {lines.map((line) => (
              <span key={line} style={{ left: `${at(line)}%` }}>
                {line.toLocaleString("en-US")}
              </span>
            ))}
          </div>
        </div>
        {shown.map((each) => (
          <div key={each.name} class="bench-bar">
            <span class="bench-name">{caseOf(each.name)?.title}</span>
            <span class="bench-track">
              {lines.map((line) => (
                <i key={line} class="bench-line" style={{ left: `${at(line)}%` }} />
              ))}
              <i class="bench-length" style={{ width: `${at(ratioOf(each) ?? 1)}%` }} />
              {each.plain !== null && each.limit !== null && (
                <i class="bench-limit" style={{ left: `${at(each.plain / each.limit)}%` }} />
              )}
            </span>
            <span class="bench-factor">{digits(ratioOf(each) ?? 1)} ×</span>
          </div>
        ))}
      </div>
    </figure>
  );
}
