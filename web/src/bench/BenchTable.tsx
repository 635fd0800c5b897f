/** The figures of the benchmark. */
import type { JSX } from "preact";
import type { Measured } from "../../bench/measure";
import { caseOf, cellsOf } from "./results";
import { benchWords as w } from "./words";

/** What is to be said of a cell, by its column. */
function hintOf({ plain, bound }: Measured, column: number): string | undefined {
  if (column === 2 && plain === null) return w.noPlain;
  return column === 4 && bound ? w.bounds[bound] : undefined;
}

function Row({ measured }: { measured: Measured }): JSX.Element {
  return (
    <tr>
      <th scope="row">
        {caseOf(measured.name)?.title}
        {measured.differs && <strong class="bench-fault"> {w.differs}</strong>}
      </th>
      {cellsOf(measured).map((cell, column) => (
        <td key={w.columns.times[column]} title={hintOf(measured, column)}>
          {cell || "–"}
        </td>
      ))}
    </tr>
  );
}

export function BenchTable({ measured }: { measured: readonly Measured[] }): JSX.Element {
  return (
    // What is wider than the screen is scrolled, with keys too.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached
    <section class="bench-table" tabIndex={0} aria-label={w.table}>
      <table>
        <thead>
          <tr>
            {[w.columns.case, ...w.columns.times].map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measured.map((each) => (
            <Row key={each.name} measured={each} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
