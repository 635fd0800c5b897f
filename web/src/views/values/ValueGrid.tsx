/** A two-dimensional window of a value of any rank. */
import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { ValueInfo, ValueRef, ValueWindow } from "../../../../wasm/engine_api";
import { selectElement } from "../../app/actions";
import type { App } from "../../app/app";
import { type CellData, emptyCells } from "../../grid/cells";
import { GridCanvas } from "../../grid/GridCanvas";
import { NOT_A_NUMBER } from "../../grid/theme";
import type { CellPlace, CellRect } from "../../grid/viewport";
import { words } from "../../strings";
import { AxisPicker } from "../../ui/AxisPicker";
import { useAnswer } from "../../ui/answer";
import { type Axes, cellOf, defaultAxes, inBounds, indexAt, windowSpec } from "../../ui/axes";
import { significant } from "../../ui/format";
import { MarksLine } from "../../why/MarksLine";
import { contains, markedBoxes } from "../../why/marks";
import { whyWords } from "../../why/words";
import { useSlice } from "./look";
import { valuesSession } from "./session";
import { valueWords } from "./words";

interface ValueGridProps {
  app: App;
  value: ValueInfo;
  valueRef: ValueRef;
}

/** Heat of numbers: -1 and 1 are `most`, the largest magnitude of the array, and what is beyond. */
export function heatOf(numbers: Float64Array, most: number): Float64Array {
  return numbers.map((n) => {
    if (Number.isNaN(n)) return NOT_A_NUMBER;
    return most > 0 ? Math.max(-1, Math.min(1, n / most)) : Math.sign(n);
  });
}

/** The largest magnitude of the finite elements of an array. */
function useMost(app: App, valueRef: ValueRef, wanted: boolean): number | null {
  const key = wanted ? JSON.stringify(valueRef) : "";
  const ask = () => app.engines.results.call("valueStats", [valueRef]);
  const stats = useAnswer(key, () => (wanted ? ask() : null)).value;
  return wanted && stats ? Math.max(Math.abs(stats.min), Math.abs(stats.max)) : null;
}

/** Which slice is shown: the axes follow the rank and the selected element. */
export function useAxes(app: App, dims: number[]): { value: Axes } {
  return useSlice(app, "axes", dims, defaultAxes(dims.length));
}

export function ValueGrid({ app, value, valueRef }: ValueGridProps): JSX.Element {
  const { heat } = valuesSession(app);
  const hovered = useSignal<CellPlace | null>(null);
  const loaded = useSignal<{ rect: CellRect; window: ValueWindow } | null>(null);
  const axesSignal = useAxes(app, value.dims);
  const axes = axesSignal.value;
  const size = (dim: number): number => (dim >= 0 ? (value.dims[dim] ?? 1) : 1);
  const [rows, cols] = [size(axes.row), size(axes.col)];
  const index = app.state.focus.value.index;
  const selected = index && inBounds(index, value.dims) ? cellOf(axes, index) : null;

  const most = useMost(app, valueRef, heat.value);
  const marked = markedBoxes(app);
  const isMarked = (row: number, col: number): boolean => {
    const place = indexAt(axes, row, col);
    return marked.some((box) => contains(box, place));
  };
  const load = async (rect: CellRect): Promise<CellData> => {
    const spec = windowSpec(axes, rect);
    const window = await app.engines.results.call("valueWindow", [valueRef, spec]);
    loaded.value = { rect, window };
    const cells = emptyCells(rect);
    cells.text = window.text;
    if (most !== null) cells.heat = heatOf(window.numbers, most);
    if (marked.length > 0) {
      cells.marked = Uint8Array.from(window.text, (_, i) =>
        Number(isMarked(rect.row + Math.floor(i / rect.cols), rect.col + (i % rect.cols))),
      );
    }
    return cells;
  };
  const textAt = ({ row, col }: CellPlace): string => {
    const have = loaded.value;
    if (!have) return "";
    const [r, c] = [row - have.rect.row, col - have.rect.col];
    const inside = r >= 0 && c >= 0 && r < have.rect.rows && c < have.rect.cols;
    return inside ? (have.window.text[r * have.rect.cols + c] ?? "") : "";
  };
  const speak = (place: CellPlace): string => {
    const parts = [words.grid.row(place.row), words.grid.column(place.col)];
    if (value.dims.length > 2) parts.push(words.grid.index(indexAt(axes, place.row, place.col)));
    const text = textAt(place);
    if (text) parts.push(words.grid.value(text));
    if (isMarked(place.row, place.col)) parts.push(whyWords.markedCell);
    return parts.join(", ");
  };
  const at = hovered.value ?? selected;
  return (
    <>
      <AxisPicker
        dims={value.dims}
        axes={axes}
        onChange={(next) => {
          axesSignal.value = next;
        }}
      />
      <GridCanvas
        id="value-grid"
        label={valueWords.grid(value.shape)}
        rows={rows}
        cols={cols}
        cellWidth={84}
        cellHeight={24}
        fit={{ narrowest: 58, widest: 120, tallest: 30 }}
        rowHeader={Math.max(30, String(rows - 1).length * 7 + 14)}
        rowName={String}
        colName={String}
        source={JSON.stringify([valueRef, axes, most, marked])}
        load={load}
        selected={selected}
        hovered={hovered.value}
        theme={String(app.state.dark.value)}
        dimmed={app.state.stale.value}
        onSelect={({ row, col }) => selectElement(app, indexAt(axes, row, col))}
        onHover={(place) => {
          hovered.value = place;
        }}
        speak={speak}
        textAt={textAt}
      />
      {marked.length > 0 && <MarksLine app={app} />}
      {most !== null && (
        <p class="heat-scale muted">
          {valueWords.heatScale(significant(most))}
          <span class="heat-nan">{valueWords.heatNan}</span>
        </p>
      )}
      <p class="spot-line grid-line">
        <span aria-hidden="true">{at ? speak(at) : words.grid.noCell}</span>
        <span class="visually-hidden" aria-live="polite">
          {selected ? speak(selected) : ""}
        </span>
        <label class="check">
          <input
            type="checkbox"
            checked={heat.value}
            onChange={(event) => {
              heat.value = event.currentTarget.checked;
            }}
          />
          {valueWords.heat}
        </label>
      </p>
    </>
  );
}
