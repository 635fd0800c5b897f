/**
 * Highlighting of a long text: only the visible part and what one may scroll to next, at once. The
 * engine's tokens of the whole text would take too long between two keystrokes.
 */
import { type EditorView, ViewPlugin } from "@codemirror/view";
import { applyTokens } from "./highlight";

/** Texts longer than this are only highlighted where they are visible. */
const LONG = 200_000;

/** Whether a text of a language is: other languages than HLO cannot be told by a part of a text. */
export const isColouredWhereVisible = (length: number, kind: string): boolean =>
  length >= LONG && kind === "hlo";

/** How far back to search for the start of a comment that reaches into the visible part. */
const LOOK_BACK = 20_000;
/** How much is coloured before and after what is visible: lines are drawn once, with their colours. */
const AHEAD = 60_000;
/** With less than this the next part is requested. */
const ENOUGH = 25_000;

/** After so long without a key what is around is coloured too. */
const REST_MS = 300;

/** Whole lines of a text, and where they begin. */
export interface Slice {
  from: number;
  text: string;
}

type Seen = Pick<EditorView, "state" | "visibleRanges">;

/** What is visible and so much before and after it, within the text. */
function around({ state, visibleRanges }: Seen, by: number): { from: number; to: number } {
  const from = Math.max(0, (visibleRanges[0]?.from ?? 0) - by);
  return { from, to: Math.min(state.doc.length, (visibleRanges.at(-1)?.to ?? 0) + by) };
}

/** Those lines, from the beginning of a comment that reaches into them. */
export function visibleSlice(view: Seen, by = AHEAD): Slice {
  const { doc } = view.state;
  const seen = around(view, by);
  const first = doc.lineAt(seen.from).from;
  const to = doc.lineAt(seen.to).to;
  const before = doc.sliceString(Math.max(0, first - LOOK_BACK), first);
  const open = before.lastIndexOf("/*");
  const from = open > before.lastIndexOf("*/") ? first - (before.length - open) : first;
  return { from, text: doc.sliceString(from, to) };
}

/** Triples of a slice, with offsets in the whole text. */
export function shifted(tokens: Uint32Array, by: number): Uint32Array {
  return tokens.map((value, i) => (i % 3 === 0 ? value : value + by));
}

/**
 * Requests tokens of the visible part whenever it changes, for texts of a length that `applies`;
 * `ask` is the engine's `tokens`.
 */
export function colouringVisible(
  applies: (length: number) => boolean,
  ask: (text: string) => Promise<Uint32Array>,
) {
  return ViewPlugin.define((view) => {
    let running = false;
    let wanted = false;
    let typed = false;
    let coloured = { from: 0, to: 0 };
    let rest: ReturnType<typeof setTimeout> | undefined;
    const isColoured = (): boolean => {
      const { from, to } = around(view, ENOUGH);
      return coloured.from <= from && to <= coloured.to;
    };
    const run = async (): Promise<void> => {
      if (running) return;
      running = true;
      let by = AHEAD;
      while (wanted) {
        // Behind a key only what is seen, so that it is there at once.
        by = typed ? 0 : AHEAD;
        wanted = false;
        typed = false;
        const { doc } = view.state;
        const { from, text } = visibleSlice(view, by);
        const tokens = await ask(text).catch(() => null);
        // Changes made meanwhile are requested next.
        if (!tokens || view.state.doc !== doc) continue;
        coloured = { from, to: from + text.length };
        applyTokens(view, shifted(tokens, from));
      }
      running = false;
      clearTimeout(rest);
      if (by === 0) rest = setTimeout(want, REST_MS);
    };
    const want = (): void => {
      wanted = true;
      // The visible range is only known once the view is drawn.
      if (!running) queueMicrotask(run);
    };
    return {
      update({ docChanged, viewportChanged }) {
        if (!(docChanged || viewportChanged) || !applies(view.state.doc.length)) return;
        if (!docChanged && isColoured()) return;
        typed ||= docChanged;
        want();
      },
      destroy() {
        wanted = false;
        clearTimeout(rest);
      },
    };
  });
}
