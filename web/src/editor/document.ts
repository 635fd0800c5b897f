/** The text in the editor: what the page reads of it, and how the page changes it. */
import { history, historyField, toggleComment, undo } from "@codemirror/commands";
import type { Compartment, Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import type { TextRange } from "../../../wasm/engine_api";
import type { EditorHandle } from "../app/app";
import { clip } from "./dom";
import { markLines } from "./linked";

const texts = new WeakMap<Text, string>();

/** The text of a document, joined once. */
export function textOf(doc: Text): string {
  const known = texts.get(doc);
  if (known !== undefined) return known;
  const text = doc.toString();
  texts.set(doc, text);
  return text;
}

/** Whether a text is the one on the screen; texts of other lengths are not read. */
export const isShown = ({ state }: EditorView, text: string): boolean =>
  state.doc.length === text.length && textOf(state.doc) === text;

/** A range of an earlier text, within the one on the screen. */
export const clipTo = (view: EditorView, range: TextRange): { from: number; to: number } =>
  clip(range, view.state.doc.length);

/** Reading and changing the text; `undoing` is where the editor has its history. */
export function documentHandle(view: EditorView, undoing: Compartment) {
  return {
    text: () => textOf(view.state.doc),
    selection() {
      const { from, to } = view.state.selection.main;
      return [from, to];
    },
    setText(text) {
      if (isShown(view, text)) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: Math.min(view.state.selection.main.head, text.length) },
        userEvent: "input.replace",
      });
    },
    history: () => view.state.field(historyField, false) ?? null,
    showOther(text, kept) {
      // Without a history while the text changes: it is another one's.
      view.dispatch({ effects: undoing.reconfigure([]) });
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      const own = kept === null ? [] : historyField.init(() => kept);
      view.dispatch({ effects: undoing.reconfigure([own, history()]) });
    },
    focus: () => view.focus(),
    goTo(range, focus) {
      const { from } = clipTo(view, range);
      view.dispatch({
        selection: { anchor: from },
        effects: EditorView.scrollIntoView(from, { y: "nearest", yMargin: 60 }),
      });
      if (focus) view.focus();
    },
    replace(ranges, insert) {
      const changes = Array.from({ length: ranges.length / 2 }, (_, i) => {
        const range: TextRange = [ranges[2 * i] ?? 0, ranges[2 * i + 1] ?? 0];
        return { ...clipTo(view, range), insert };
      });
      view.dispatch({
        changes,
        userEvent: "input.rename",
      });
    },
    undo: () => undo(view),
    toggleComment: () => {
      toggleComment(view);
      view.focus();
    },
    mark: (lines, stay = false) => markLines(view, lines, !stay && !view.hasFocus),
  } satisfies Partial<EditorHandle>;
}
