/** A two-dimensional window of a value of any rank. */
import { type Signal, useSignal } from "@preact/signals";
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
import { type Axes, defaultAxes, indexAt, sliceSize, windowSpec } from "../../ui/axes";
import { Check } from "../../ui/Check";
import { significant } from "../../ui/format";
import { MarksLine } from "../../why/MarksLine";
import { contains, markedBoxes } from "../../why/marks";
import { whyWords } from "../../why/words";
import { selectedCell, useSlice } from "./look";
import { SpotLine } from "./SpotLine";
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

/** The slice that is shown, and what is known of its elements. */
interface ShownSlice extends ValueGridProps {
  axes: Axes;
  /** The largest magnitude, if the elements are shown by their heat. */
  most: number | null;
  marked: ReturnType<typeof markedBoxes>;
  /** The texts that were loaded last. */
  loaded: Signal<{ rect: CellRect; window: ValueWindow } | null>;
}

function isMarked({ axes, marked }: ShownSlice, row: number, col: number): boolean {
  const place = indexAt(axes, row, col);
  return marked.some((box) => contains(box, place));
}

async function loadCells(slice: ShownSlice, rect: CellRect): Promise<CellData> {
  const { app, valueRef, axes, most, marked } = slice;
  const spec = windowSpec(axes, rect);
  const window = await app.engines.results.call("valueWindow", [valueRef, spec]);
  slice.loaded.value = { rect, window };
  const cells = emptyCells(rect);
  cells.text = window.text;
  if (most !== null) cells.heat = heatOf(window.numbers, most);
  if (marked.length > 0) {
    cells.marked = Uint8Array.from(window.text, (_, i) =>
      Number(isMarked(slice, rect.row + Math.floor(i / rect.cols), rect.col + (i % rect.cols))),
    );
  }
  return cells;
}

/** What is written in a cell; "" while it is not loaded. */
function textAt({ loaded }: ShownSlice, { row, col }: CellPlace): string {
  const have = loaded.value;
  if (!have) return "";
  const [r, c] = [row - have.rect.row, col - have.rect.col];
  const inside = r >= 0 && c >= 0 && r < have.rect.rows && c < have.rect.cols;
  return inside ? (have.window.text[r * have.rect.cols + c] ?? "") : "";
}

function speak(slice: ShownSlice, place: CellPlace): string {
  const { axes, value } = slice;
  const parts = [words.grid.row(place.row), words.grid.column(place.col)];
  if (value.dims.length > 2) parts.push(words.grid.index(indexAt(axes, place.row, place.col)));
  const text = textAt(slice, place);
  if (text) parts.push(words.grid.value(text));
  if (isMarked(slice, place.row, place.col)) parts.push(whyWords.markedCell);
  return parts.join(", ");
}

/** The choice of heat, which is kept for all values. */
function HeatBox({ app }: { app: App }): JSX.Element {
  const { heat } = valuesSession(app);
  return (
    <Check
      isOn={heat.value}
      onChange={(isOn) => {
        heat.value = isOn;
      }}
    >
      {valueWords.heat}
    </Check>
  );
}

interface CellsProps {
  slice: ShownSlice;
  selected: CellPlace | null;
  hovered: Signal<CellPlace | null>;
}

/** The grid of the slice. */
function Cells({ slice, selected, hovered }: CellsProps): JSX.Element {
  const { app, value, valueRef, axes, most, marked } = slice;
  const { rows, cols } = sliceSize(axes, value.dims);
  return (
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
      load={(rect) => loadCells(slice, rect)}
      selected={selected}
      hovered={hovered.value}
      theme={String(app.state.dark.value)}
      dimmed={app.state.stale.value}
      onSelect={({ row, col }) => selectElement(app, indexAt(axes, row, col))}
      onHover={(place) => {
        hovered.value = place;
      }}
      speak={(place) => speak(slice, place)}
      textAt={(place) => textAt(slice, place)}
    />
  );
}

/** The grid of a value's slice, with the choice of the slice above, and what is said of an element below. */
export function ValueGrid(props: ValueGridProps): JSX.Element {
  const { app, value, valueRef } = props;
  const hovered = useSignal<CellPlace | null>(null);
  const loaded: ShownSlice["loaded"] = useSignal(null);
  const chosen = useAxes(app, value.dims);
  const axes = chosen.value;
  const selected = selectedCell(app, axes, value.dims);
  const most = useMost(app, valueRef, valuesSession(app).heat.value);
  const marked = markedBoxes(app);
  const slice: ShownSlice = { ...props, axes, most, marked, loaded };
  const at = hovered.value ?? selected;
  return (
    <>
      <AxisPicker
        dims={value.dims}
        axes={axes}
        onChange={(next) => {
          chosen.value = next;
        }}
      />
      <Cells slice={slice} selected={selected} hovered={hovered} />
      {marked.length > 0 && <MarksLine app={app} />}
      {most !== null && (
        <p class="heat-scale muted">
          {valueWords.heatScale(significant(most))}
          <span class="heat-nan">{valueWords.heatNan}</span>
        </p>
      )}
      <SpotLine
        class="spot-line grid-line"
        shown={at ? speak(slice, at) : words.grid.noCell}
        spoken={selected ? speak(slice, selected) : ""}
      >
        <HeatBox app={app} />
      </SpotLine>
    </>
  );
}
