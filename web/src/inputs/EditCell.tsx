/** A cell of the table of an input: a field that keys and pasting lead out of. */
import type { JSX, TargetedClipboardEvent, TargetedKeyboardEvent } from "preact";
import { indexAt } from "../ui/axes";
import { type Cell, keyOf, pastedRows } from "./cells";
import type { Drafts } from "./drafts";
import type { TablePart } from "./table_part";
import { inputWords as w } from "./words";

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

/** What is pasted: the cells that it is for, and how many more there is no place for. */
export interface PastedCells {
  cells: Cell[];
  beyond: number;
}

/** The cells that a pasted text is for; null for a text that is of the field alone. */
function pastedCells(text: string, part: TablePart, row: number, col: number): PastedCells | null {
  const rows = pastedRows(text);
  if (rows.length === 1 && (rows[0]?.length ?? 0) < 2) return null;
  const { axes, size } = part;
  const cells: Cell[] = [];
  let beyond = 0;
  for (const [r, texts] of rows.entries()) {
    for (const [c, text] of texts.entries()) {
      if (text === "") continue;
      if (row + r >= size.rows || col + c >= size.cols) beyond++;
      else cells.push({ index: indexAt(axes, row + r, col + c), text });
    }
  }
  return { cells, beyond };
}

/** What the cells of a table have in common. */
export interface EditedCells {
  part: TablePart;
  drafts: Drafts;
  /** What elements are written over with, by `keyOf` their index. */
  written: ReadonlyMap<string, string>;
  /** An element as it is where it is not written over. */
  oldText(row: number, col: number): string;
  paste(pasted: PastedCells): void;
  /** The keys lead to another cell, maybe one that is not there yet. */
  focusOn(row: number, col: number): void;
}

export function EditCell(props: { cells: EditedCells; row: number; col: number }): JSX.Element {
  const { cells, row, col } = props;
  const { part, drafts } = cells;
  const index = indexAt(part.axes, row, col);
  const key = keyOf(index);
  const draft = drafts.typed[key];
  const own = cells.written.get(key);
  const old = cells.oldText(row, col);
  const leave = (): void => {
    const typed = drafts.latest(key);
    if (!typed || typed.why) return;
    const text = typed.text.trim();
    if (text === (own ?? old)) drafts.drop(index);
    else void drafts.commit([{ index, text: text === old ? "" : text }]);
  };
  return (
    <td class={draft?.why ? "is-bad" : own === undefined ? "" : "is-written"}>
      <input
        type="text"
        class="mono"
        spellcheck={false}
        autocomplete="off"
        data-place={`${row},${col}`}
        aria-label={w.cell(index)}
        aria-invalid={Boolean(draft?.why)}
        title={draft?.why || (own === undefined ? "" : old)}
        value={draft?.text ?? own ?? old}
        onFocus={(event) => event.currentTarget.select()}
        onPaste={(event: TargetedClipboardEvent<HTMLInputElement>) => {
          const pasted = event.clipboardData?.getData("text") ?? "";
          const given = pastedCells(pasted, part, row, col);
          if (!given) return;
          event.preventDefault();
          cells.paste(given);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && draft) {
            drafts.drop(index);
            event.stopPropagation();
          }
          const step = stepOf(event);
          if (!step) return;
          event.preventDefault();
          cells.focusOn(row + step.row, col + step.col);
        }}
        onInput={(event) => drafts.type({ index, text: event.currentTarget.value })}
        onBlur={leave}
      />
    </td>
  );
}
