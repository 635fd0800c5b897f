/** An input as cells that are written over, one by one or pasted. */
import { useSignal } from "@preact/signals";
import type { JSX, TargetedClipboardEvent, TargetedKeyboardEvent } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ParameterInfo } from "../../../wasm/engine_api";
import { notify, setInput } from "../app/actions";
import type { App } from "../app/app";
import { partsOf, withShared } from "../app/device_inputs";
import { AxisPicker } from "../ui/AxisPicker";
import { useAnswer } from "../ui/answer";
import { type Axes, defaultAxes, indexAt, windowSpec } from "../ui/axes";
import { type Cell, keyOf, parseCells, pastedRows, withCells, writeCells } from "./cells";
import { useMade } from "./made";
import { inputWords as w } from "./words";

const ROWS = 12;
const COLS = 8;
/** Elements that are pasted at a time, and written over in all. */
const MOST_PASTED = 2000;
const MOST_CELLS = 5000;

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

/** What is typed, by element, until it is taken; and why it cannot be. */
type Drafts = Readonly<Record<string, { text: string; why: string }>>;

/** Writes elements of an input over, once the engine has read them. */
async function write(app: App, at: number, cells: readonly Cell[]): Promise<string | null> {
  const set = cells.filter(({ text }) => text.trim() !== "");
  const trial = withCells("zero", set);
  const program = app.state.text.value;
  const [fault] =
    set.length > 0 ? await app.engines.typing.call("inputFaults", [program, at, trial]) : [];
  if (fault) return fault.message;
  const input = app.state.inputs.peek()[at] ?? { text: "", file: null };
  const spec = writeCells(partsOf(input.text).shared, cells);
  if (parseCells(spec).cells.length > MOST_CELLS) return w.tooManyCells(MOST_CELLS);
  setInput(app, at, { text: withShared(input.text, spec), file: input.file });
  return null;
}

/** Where a key leads from a cell; null where it stays in the text. */
function stepOf({ key, currentTarget: field }: TargetedKeyboardEvent<HTMLInputElement>) {
  const isAll = field.selectionStart === 0 && field.selectionEnd === field.value.length;
  if (key === "Enter" || key === "ArrowDown") return { row: 1, col: 0 };
  if (key === "ArrowUp") return { row: -1, col: 0 };
  if (key === "ArrowRight" && (isAll || field.selectionStart === field.value.length))
    return { row: 0, col: 1 };
  if (key === "ArrowLeft" && (isAll || field.selectionEnd === 0)) return { row: 0, col: -1 };
  return null;
}

const within = (n: number, size: number): number => Math.max(0, Math.min(size - 1, n));

export function EditTable({ app, at, parameter }: EditProps): JSX.Element {
  const dims = dimsOf(parameter.shape);
  const picked = useSignal<Axes>(defaultAxes(dims.length));
  const axes = picked.value.fixed.length === dims.length ? picked.value : defaultAxes(dims.length);
  const corner = useSignal({ row: 0, col: 0 });
  const drafts = useSignal<Drafts>({});
  const table = useRef<HTMLTableElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const sizeOf = (dim: number): number => (dim >= 0 ? (dims[dim] ?? 1) : 1);
  const size = { rows: sizeOf(axes.row), cols: sizeOf(axes.col) };
  const rect = {
    row: Math.min(corner.value.row, Math.max(0, size.rows - ROWS)),
    col: Math.min(corner.value.col, Math.max(0, size.cols - COLS)),
    rows: Math.min(ROWS, size.rows),
    cols: Math.min(COLS, size.cols),
  };
  const spec = partsOf(app.state.inputs.value[at]?.text ?? "").shared;
  const { base, cells } = parseCells(spec);
  const made = useMade(app, at, base);
  const handle = made?.handle ?? 0;
  const source = useAnswer(handle ? JSON.stringify([handle, axes, rect]) : "", () =>
    handle
      ? app.engines.typing.call("valueWindow", [
          { handle, entry: `input:${at}`, path: [] },
          windowSpec(axes, rect),
        ])
      : null,
  ).value;
  const written = new Map(cells.map((cell) => [keyOf(cell.index), cell.text]));

  useEffect(() => whole.current?.scrollIntoView({ block: "nearest" }), [source !== null]);
  const setDrafts = (list: readonly Cell[], why: string | null): void => {
    const next = { ...drafts.peek() };
    for (const { index, text } of list) {
      if (why === null) delete next[keyOf(index)];
      else next[keyOf(index)] = { text, why };
    }
    drafts.value = next;
  };
  const commit = async (list: readonly Cell[], isPasted = false): Promise<void> => {
    const why = await write(app, at, list).catch((error: Error) => error.message);
    if (isPasted && why) notify(app, w.notPasted(why), "error");
    setDrafts(list, isPasted ? null : why);
  };
  const focusOn = (row: number, col: number): void => {
    const to = { row: within(row, size.rows), col: within(col, size.cols) };
    const shift = (begin: number, place: number, count: number): number =>
      place < begin ? place : place >= begin + count ? place - count + 1 : begin;
    const next = {
      row: shift(rect.row, to.row, rect.rows),
      col: shift(rect.col, to.col, rect.cols),
    };
    const go = (): void => {
      const field = table.current?.querySelector<HTMLInputElement>(
        `[data-place="${to.row},${to.col}"]`,
      );
      field?.focus();
      field?.select();
    };
    // At once where the cell is there: the next key may already be on its way.
    if (next.row === rect.row && next.col === rect.col) {
      go();
      return;
    }
    corner.value = next;
    requestAnimationFrame(go);
  };
  const paste = (event: TargetedClipboardEvent<HTMLInputElement>, row: number, col: number) => {
    const rows = pastedRows(event.clipboardData?.getData("text") ?? "");
    if (rows.length === 1 && (rows[0]?.length ?? 0) < 2) return;
    event.preventDefault();
    const list = rows.flatMap((texts, r) =>
      texts.flatMap((text, c) =>
        row + r < size.rows && col + c < size.cols && text !== ""
          ? [{ index: indexAt(axes, row + r, col + c), text }]
          : [],
      ),
    );
    if (list.length > MOST_PASTED) notify(app, w.notPasted(w.tooMany(MOST_PASTED)), "error");
    else void commit(list, true);
  };
  const field = (row: number, col: number): JSX.Element => {
    const index = indexAt(axes, row, col);
    const key = keyOf(index);
    const draft = drafts.value[key];
    const own = written.get(key);
    const old = source?.text[(row - rect.row) * rect.cols + (col - rect.col)] ?? "";
    const shown = draft?.text ?? own ?? old;
    return (
      <td key={col} class={draft?.why ? "is-bad" : own === undefined ? "" : "is-written"}>
        <input
          type="text"
          class="mono"
          spellcheck={false}
          autocomplete="off"
          data-place={`${row},${col}`}
          aria-label={w.cell(index)}
          aria-invalid={Boolean(draft?.why)}
          title={draft?.why || (own === undefined ? "" : old)}
          value={shown}
          onFocus={(event) => event.currentTarget.select()}
          onPaste={(event) => paste(event, row, col)}
          onKeyDown={(event) => {
            if (event.key === "Escape" && draft) {
              setDrafts([{ index, text: "" }], null);
              event.stopPropagation();
            }
            const step = stepOf(event);
            if (!step) return;
            event.preventDefault();
            focusOn(row + step.row, col + step.col);
          }}
          onInput={(event) => setDrafts([{ index, text: event.currentTarget.value }], "")}
          onBlur={() => {
            const typed = drafts.peek()[key];
            if (!typed || typed.why) return;
            const text = typed.text.trim();
            if (text === (own ?? old)) return setDrafts([{ index, text }], null);
            void commit([{ index, text: text === old ? "" : text }]);
          }}
        />
      </td>
    );
  };
  if (dims.includes(0)) return <p class="muted">{w.empty}</p>;
  const bad = Object.entries(drafts.value).find(([, { why }]) => why !== "");
  const failure = made?.handle === 0 ? made.diagnostics[0]?.message : undefined;
  const numbers = (begin: number, count: number) =>
    Array.from({ length: count }, (_, i) => begin + i);
  return (
    <div class="edit-table" ref={whole}>
      <AxisPicker
        dims={dims}
        axes={axes}
        onChange={(next) => {
          picked.value = next;
        }}
      />
      <p class="edit-movers">
        <Mover
          name={w.rows}
          begin={rect.row}
          size={size.rows}
          step={ROWS}
          onMove={(row) => {
            corner.value = { ...rect, row };
          }}
        />
        <Mover
          name={w.columns}
          begin={rect.col}
          size={size.cols}
          step={COLS}
          onMove={(col) => {
            corner.value = { ...rect, col };
          }}
        />
      </p>
      {failure && <p class="input-fault">{failure}</p>}
      {!source && !failure && <p class="muted">{w.making}</p>}
      {source && (
        <div class="edit-scroll">
          <table ref={table} aria-label={w.cells(parameter.name)}>
            <thead>
              <tr>
                <td />
                {numbers(rect.col, rect.cols).map((col) => (
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
                  {numbers(rect.col, rect.cols).map((col) => field(row, col))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
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
            onClick={() => void commit(cells.map(({ index }) => ({ index, text: "" })))}
          >
            {w.restore}
          </button>
        )}
      </p>
    </div>
  );
}
