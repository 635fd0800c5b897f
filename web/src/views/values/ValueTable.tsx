/** The first window of a value as a real HTML table, to be read out, selected and copied. */
import type { JSX } from "preact";
import type { ValueInfo, ValueRef } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { AxisPicker } from "../../ui/AxisPicker";
import { useAnswer } from "../../ui/answer";
import { sliceSize, windowSpec } from "../../ui/axes";
import { CellTable } from "../../ui/CellTable";
import { useAxes } from "./ValueGrid";
import { valueWords } from "./words";

const MOST_ROWS = 100;
const MOST_COLS = 40;

export function ValueTable(props: { app: App; value: ValueInfo; valueRef: ValueRef }): JSX.Element {
  const { app, value, valueRef } = props;
  const chosen = useAxes(app, value.dims);
  const axes = chosen.value;
  const size = sliceSize(axes, value.dims);
  const rect = {
    row: 0,
    col: 0,
    rows: Math.min(MOST_ROWS, size.rows),
    cols: Math.min(MOST_COLS, size.cols),
  };
  const key = JSON.stringify([valueRef, axes]);
  const data = useAnswer(key, () =>
    app.engines.results.call("valueWindow", [valueRef, windowSpec(axes, rect)]),
  ).value;
  return (
    <>
      <AxisPicker
        dims={value.dims}
        axes={axes}
        onChange={(next) => {
          chosen.value = next;
        }}
      />
      <CellTable
        label={valueWords.grid(value.shape)}
        rows={rect.rows}
        cols={rect.cols}
        cell={data ? (row, col) => data.text[row * data.cols + col] : null}
      />
    </>
  );
}
