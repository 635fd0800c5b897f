/** The first window of a value as a real HTML table, to be read out, selected and copied. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { ValueInfo, ValueRef, ValueWindow } from "../../../../wasm/engine_api";
import type { App } from "../../app/app";
import { words } from "../../strings";
import { AxisPicker, defaultAxes } from "../../ui/AxisPicker";
import { windowSpec } from "../layout/model";
import { useAxes } from "./ValueGrid";

const MOST_ROWS = 100;
const MOST_COLS = 40;

export function ValueTable(props: { app: App; value: ValueInfo; valueRef: ValueRef }): JSX.Element {
  const { app, value, valueRef } = props;
  const window = useSignal<ValueWindow | null>(null);
  const chosen = useAxes(app, value.dims);
  const fits = chosen.value.fixed.length === value.dims.length;
  const axes = fits ? chosen.value : defaultAxes(value.dims.length);
  const size = (dim: number): number => (dim >= 0 ? (value.dims[dim] ?? 1) : 1);
  const rect = {
    row: 0,
    col: 0,
    rows: Math.min(MOST_ROWS, size(axes.row)),
    cols: Math.min(MOST_COLS, size(axes.col)),
  };
  const key = JSON.stringify([valueRef, axes]);
  useEffect(() => {
    let current = true;
    app.engines.results.call("valueWindow", [valueRef, windowSpec(axes, rect)]).then(
      (answer) => {
        if (current) window.value = answer;
      },
      () => {
        if (current) window.value = null;
      },
    );
    return () => {
      current = false;
    };
  }, [key]);
  const data = window.value;
  return (
    <>
      <AxisPicker
        dims={value.dims}
        axes={axes}
        onChange={(next) => {
          chosen.value = next;
        }}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label={words.values.grid(value.shape)}>
        <table>
          <caption>{words.layout.tableCaption(rect.rows, rect.cols)}</caption>
          <thead>
            <tr>
              <td />
              {Array.from({ length: rect.cols }, (_, col) => (
                <th key={col} scope="col">
                  {col}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data &&
              Array.from({ length: data.rows }, (_, row) => (
                <tr key={row}>
                  <th scope="row">{row}</th>
                  {Array.from({ length: data.cols }, (_, col) => (
                    <td key={col}>{data.text[row * data.cols + col]}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </section>
    </>
  );
}
