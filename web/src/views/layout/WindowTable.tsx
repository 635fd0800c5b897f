/** The first window of the logical array as a real HTML table: index, offset, value. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import type { CellData } from "../../grid/paint";
import { PADDING } from "../../grid/paint";
import { words } from "../../strings";
import { type LayoutSession, loadLogical } from "./session";

const MOST_ROWS = 64;
const MOST_COLS = 32;

export function WindowTable(props: {
  app: App;
  session: LayoutSession;
  info: LayoutInfo;
}): JSX.Element {
  const { app, session, info } = props;
  const cells = useSignal<CellData | null>(null);
  const axes = session.axes.value;
  const size = (dim: number): number => (dim >= 0 ? (info.dims[dim] ?? 1) : 1);
  const rows = Math.min(MOST_ROWS, size(axes.row));
  const cols = Math.min(MOST_COLS, size(axes.col));
  const key = JSON.stringify([info.shape, axes, session.cells.value]);
  useEffect(() => {
    let current = true;
    loadLogical(session, app, { row: 0, col: 0, rows, cols }).then(
      (data) => {
        if (current) cells.value = data;
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [key]);
  const data = cells.value;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="table-scroll" tabIndex={0} aria-label={words.layout.logical}>
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
          {data &&
            Array.from({ length: data.window.rows }, (_, row) => (
              <tr key={row}>
                <th scope="row">{row}</th>
                {Array.from({ length: data.window.cols }, (_, col) => {
                  const i = row * data.window.cols + col;
                  return <td key={col}>{data.kind[i] === PADDING ? "" : data.text[i]}</td>;
                })}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}
