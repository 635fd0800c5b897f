/** The first window of the logical array as a real HTML table: index, offset, value. */
import type { JSX } from "preact";
import type { LayoutInfo } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { PADDING } from "../../grid/cells";
import { useAnswer } from "../../ui/answer";
import { sliceSize } from "../../ui/axes";
import { CellTable } from "../../ui/CellTable";
import type { LayoutSession } from "./session";
import { loadLogical } from "./windows";
import { layoutWords } from "./words";

const MOST_ROWS = 64;
const MOST_COLS = 32;

export function WindowTable(props: {
  app: App;
  session: LayoutSession;
  info: LayoutInfo;
}): JSX.Element {
  const { app, session, info } = props;
  const axes = session.axes.value;
  const size = sliceSize(axes, info.dims);
  const rows = Math.min(MOST_ROWS, size.rows);
  const cols = Math.min(MOST_COLS, size.cols);
  const key = JSON.stringify([info.subject, axes, session.cells.value]);
  const data = useAnswer(key, () =>
    loadLogical(session, app, { row: 0, col: 0, rows, cols }),
  ).value;
  const cell = (row: number, col: number): string | undefined => {
    const i = data && col < data.window.cols ? row * data.window.cols + col : -1;
    return data?.kind[i] === PADDING ? "" : data?.text[i];
  };
  return (
    <CellTable label={layoutWords.logical} rows={rows} cols={cols} cell={data ? cell : null} />
  );
}
