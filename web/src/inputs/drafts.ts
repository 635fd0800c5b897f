/** What is typed into the table of an input, until the engine has read it. */
import { useSignal } from "@preact/signals";
import { dismissNotice, notify, setInput } from "../app/actions";
import type { App } from "../app/app";
import { partsOf, withShared } from "../app/device_inputs";
import { type Cell, keyOf, parseCells, withCells, writeCells } from "./cells";
import { inputWords as w } from "./words";

/** Elements that are written over in all. */
const MOST_CELLS = 5000;

/** A text that was not taken, and why it cannot be: "" if nobody has tried yet. */
export interface Draft {
  text: string;
  why: string;
}

/** By element, as `keyOf` writes its index. */
type Typed = Readonly<Record<string, Draft>>;

export interface Drafts {
  readonly typed: Typed;
  /** As it is now, in what was typed since `typed` was read. */
  latest(key: string): Draft | undefined;
  type(cell: Cell): void;
  drop(index: number[]): void;
  /** Writes elements over. What cannot be taken stays a draft; of what is pasted nothing does, and a notice says why. `beyond`: so many pasted cells have no place. */
  commit(cells: readonly Cell[], pasted?: { beyond: number }): Promise<void>;
}

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

/** Drafts of one input. */
export function useDrafts(app: App, at: number): Drafts {
  const typed = useSignal<Typed>({});
  const set = (cells: readonly Cell[], why: string | null): void => {
    const next = { ...typed.peek() };
    for (const { index, text } of cells) {
      if (why === null) delete next[keyOf(index)];
      else next[keyOf(index)] = { text, why };
    }
    typed.value = next;
  };
  return {
    typed: typed.value,
    latest: (key) => typed.peek()[key],
    type: (cell) => set([cell], ""),
    drop: (index) => set([{ index, text: "" }], null),
    async commit(cells, pasted) {
      const why = await write(app, at, cells).catch((error: Error) => error.message);
      if (pasted) {
        // What was said of an earlier one is past.
        dismissNotice(app);
        if (why) notify(app, w.notPasted(why), "error");
        else if (pasted.beyond > 0)
          notify(app, w.pastedInPart(cells.length, pasted.beyond), "error");
      }
      set(cells, pasted ? null : why);
    },
  };
}
