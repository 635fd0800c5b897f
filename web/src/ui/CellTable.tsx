/** A window of a grid as an HTML table, for screen readers, selecting and copying. */
import type { JSX } from "preact";
import { words } from "../strings";

interface CellTableProps {
  label: string;
  rows: number;
  cols: number;
  /** Null while the cells are loading: the table is shown without rows. */
  cell: ((row: number, col: number) => string | undefined) | null;
}

export function CellTable({ label, rows, cols, cell }: CellTableProps): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-scroll" tabIndex={0} aria-label={label}>
      <table>
        <caption>{words.layout.tableCaption(rows, cols)}</caption>
        <thead>
          <tr>
            <td />
            {Array.from({ length: cols }, (_, col) => (
              <th key={col} scope="col">
                {col}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {cell &&
            Array.from({ length: rows }, (_, row) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {Array.from({ length: cols }, (_, col) => (
                  <td key={col}>{cell(row, col)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
