/** An input as cells that are written over, one by one or pasted. */
import type { JSX, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { isComplex } from "../../../wasm/element_types";
import type { ParameterInfo, ValueWindow } from "../../../wasm/engine_api";
import { notify } from "../app/actions";
import type { App } from "../app/app";
import { partsOf } from "../app/device_inputs";
import { AxisPicker } from "../ui/AxisPicker";
import { useAnswer } from "../ui/answer";
import { windowSpec } from "../ui/axes";
import { type Cell, keyOf, parseCells } from "./cells";
import { type Drafts, useDrafts } from "./drafts";
import { EditCell, type EditedCells } from "./EditCell";
import { useMade } from "./made";
import { COLS, ROWS, stepTo, type TablePart, useTablePart } from "./table_part";
import { inputWords as w } from "./words";

/** Elements that are pasted at a time. */
const MOST_PASTED = 2000;

interface EditProps {
  app: App;
  at: number;
  parameter: ParameterInfo;
}

/** The sizes of an array by its shape. */
export const dimsOf = (shape: string): number[] =>
  shape
    .slice(shape.indexOf("[") + 1, shape.indexOf("]"))
    .split(",")
    .flatMap((n) => (n.trim() === "" ? [] : [Number(n.replace(/^<=/, ""))]));

interface Scroll {
  begin: number;
  size: number;
  step: number;
}

/** Moves a window of rows or columns. */
function Mover(props: Scroll & { name: string; onMove(begin: number): void }): JSX.Element | null {
  const { begin, size, step, name, onMove } = props;
  if (size <= step) return null;
  const to = (at: number): void => onMove(Math.max(0, Math.min(size - step, at)));
  return (
    <span class="edit-mover">
      <button
        type="button"
        class="quiet"
        disabled={begin === 0}
        aria-label={w.before(name)}
        onClick={() => to(begin - step)}
      >
        ‹
      </button>
      <label>
        <span class="visually-hidden">{w.first(name)}</span>
        <input
          type="number"
          min={0}
          max={size - step}
          value={begin}
          onInput={(event) => to(Math.floor(Number(event.currentTarget.value) || 0))}
        />
      </label>
      <button
        type="button"
        class="quiet"
        disabled={begin >= size - step}
        aria-label={w.after(name)}
        onClick={() => to(begin + step)}
      >
        ›
      </button>
      <span class="muted">{w.window(name, begin, Math.min(size, begin + step), size)}</span>
    </span>
  );
}

/** Moves the window of a table, where it does not show all. */
function Movers({ part: { rect, size, moveTo } }: { part: TablePart }): JSX.Element {
  return (
    <p class="edit-movers">
      <Mover
        name={w.rows}
        begin={rect.row}
        size={size.rows}
        step={ROWS}
        onMove={(row) => moveTo({ row })}
      />
      <Mover
        name={w.columns}
        begin={rect.col}
        size={size.cols}
        step={COLS}
        onMove={(col) => moveTo({ col })}
      />
    </p>
  );
}

/** What the engine made of an input: its elements as they are without those written over. */
interface MadeWindow {
  /** Null until there is one. */
  elements: ValueWindow | null;
  /** Why there is none. */
  failure: string | undefined;
}

function useMadeWindow(app: App, at: number, base: string, { axes, rect }: TablePart): MadeWindow {
  const made = useMade(app, at, base);
  const handle = made?.handle ?? 0;
  const elements = useAnswer(handle ? JSON.stringify([handle, axes, rect]) : "", () =>
    handle
      ? app.engines.typing.call("valueWindow", [
          { handle, entry: `input:${at}`, path: [] },
          windowSpec(axes, rect),
        ])
      : null,
  ).value;
  return { elements, failure: made?.handle === 0 ? made.diagnostics[0]?.message : undefined };
}

type TableRef = RefObject<HTMLTableElement | null>;

/** Moves the focus to a cell, and the window of the table to where the cell is in it. */
function focusOn(table: TableRef, part: TablePart, row: number, col: number): void {
  const { to, corner } = stepTo(part, { row, col });
  const go = (): void => {
    const place = `[data-place="${to.row},${to.col}"]`;
    const field = table.current?.querySelector<HTMLInputElement>(place);
    field?.focus();
    field?.select();
  };
  // At once where the cell is there: the next key may already be on its way.
  if (corner.row === part.rect.row && corner.col === part.rect.col) {
    go();
    return;
  }
  part.moveTo(corner);
  requestAnimationFrame(go);
}

const numbers = (begin: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => begin + i);

interface CellsProps {
  name: string;
  table: TableRef;
  cells: EditedCells;
}

/** The table: the numbers of its columns and rows around its cells. */
function Cells({ name, table, cells }: CellsProps): JSX.Element {
  const { rect } = cells.part;
  const columns = numbers(rect.col, rect.cols);
  return (
    <div class="edit-scroll">
      <table ref={table} aria-label={w.cells(name)}>
        <thead>
          <tr>
            <td />
            {columns.map((col) => (
              <th key={col} scope="col">
                {col}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {numbers(rect.row, rect.rows).map((row) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {columns.map((col) => (
                <EditCell key={col} cells={cells} row={row} col={col} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Below the table: what cannot be taken, or how much is written over, and a button that gives all of it back. */
function Note({ cells, drafts }: { cells: readonly Cell[]; drafts: Drafts }): JSX.Element {
  const bad = Object.entries(drafts.typed).find(([, { why }]) => why !== "");
  return (
    <p class="muted" role="status">
      {bad ? (
        <span class="input-fault">{`${w.cell(bad[0].split(",").map(Number))}: ${bad[1].why}`}</span>
      ) : (
        <>
          {cells.length > 0 && `${w.written(cells.length)} `}
          {w.hint}
        </>
      )}{" "}
      {cells.length > 0 && (
        <button
          type="button"
          class="quiet"
          onClick={() => void drafts.commit(cells.map(({ index }) => ({ index, text: "" })))}
        >
          {w.restore}
        </button>
      )}
    </p>
  );
}

/** The table of an input, which shows a window of it that can be moved. */
export function EditTable({ app, at, parameter }: EditProps): JSX.Element {
  const dims = dimsOf(parameter.shape);
  const part = useTablePart(dims);
  const drafts = useDrafts(app, at);
  const table = useRef<HTMLTableElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const { base, cells } = parseCells(partsOf(app.state.inputs.value[at]?.text ?? "").shared);
  const { elements, failure } = useMadeWindow(app, at, base, part);
  useEffect(() => whole.current?.scrollIntoView({ block: "nearest" }), [elements !== null]);
  if (dims.includes(0)) {
    return (
      <div class="edit-table">
        <p class="muted">{w.empty}</p>
      </div>
    );
  }
  const { rect } = part;
  const edited: EditedCells = {
    part,
    drafts,
    written: new Map(cells.map((cell) => [keyOf(cell.index), cell.text])),
    oldText: (row, col) => elements?.text[(row - rect.row) * rect.cols + (col - rect.col)] ?? "",
    paste({ cells, beyond }) {
      if (cells.length > MOST_PASTED) notify(app, w.notPasted(w.tooMany(MOST_PASTED)), "error");
      else void drafts.commit(cells, { beyond });
    },
    focusOn: (row, col) => focusOn(table, part, row, col),
  };
  return (
    <div class={isComplex(parameter.shape) ? "edit-table is-complex" : "edit-table"} ref={whole}>
      <AxisPicker dims={dims} axes={part.axes} onChange={part.setAxes} />
      <Movers part={part} />
      {failure && <p class="input-fault">{failure}</p>}
      {!elements && !failure && <p class="muted">{w.making}</p>}
      {elements && <Cells name={parameter.name} table={table} cells={edited} />}
      <Note cells={cells} drafts={drafts} />
    </div>
  );
}
