/**
 * A brace that is typed on a line of its own is the one that the editor has written ahead, where nothing
 * but white space is between them: otherwise who types both, as one does elsewhere, has one too many.
 */
import type { EditorState, TransactionSpec } from "@codemirror/state";
import { EditorView } from "@codemirror/view";

/** Strings and comments, whose braces do not count, and braces. */
const TOKENS = /"(?:[^"\\\n]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\/|[{}]/g;
/** White space that is looked through. */
const FAR = 2000;

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{") depth++;
    else if (token === "}") depth--;
  }
  return depth === 0;
}

/** What a typed brace does in place of adding itself; null where it is to be added. */
export function closingAt({ doc, selection }: EditorState): TransactionSpec | null {
  const { head, empty } = selection.main;
  if (!empty || selection.ranges.length > 1) return null;
  const line = doc.lineAt(head);
  if (doc.sliceString(line.from, head).trim() !== "") return null;
  const found = /^\s*\}/.exec(doc.sliceString(head, head + FAR));
  if (!found || !isBalanced(doc.toString())) return null;
  const brace = head + found[0].length - 1;
  const { from } = doc.lineAt(brace);
  return {
    changes: { from: line.from, to: Math.max(line.from, from) },
    selection: { anchor: brace + 1 - Math.max(0, from - line.from) },
    scrollIntoView: true,
    userEvent: "input.type",
  };
}

export const closing = EditorView.inputHandler.of((view, from, to, typed) => {
  const { head } = view.state.selection.main;
  if (typed !== "}" || view.composing || from !== to || from !== head) return false;
  const spec = closingAt(view.state);
  if (spec) view.dispatch(spec);
  return spec !== null;
});
