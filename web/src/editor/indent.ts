/**
 * How far a new line is indented, in both dialects: like the line before it, a step more where that ends with a
 * bracket that is open, a step less where it closes one from above, or where the new line begins by closing one.
 */
import { getIndentation, indentService, indentString } from "@codemirror/language";
import { EditorState } from "@codemirror/state";

const OPENS = /[{([]\s*(?:\/\/.*)?$/;
const CLOSES = /^\s*[})\]]+/;

/** How many more brackets a line closes than it opens, without those that it begins with. */
function closedIn(line: string): number {
  let closed = 0;
  for (const sign of line.replace(CLOSES, "")) {
    if ("{([".includes(sign)) closed--;
    else if ("})]".includes(sign)) closed++;
  }
  return closed;
}

/** Steps from one line to the next. */
export function stepsAfter(before: string, next: string): number {
  const opened = OPENS.test(before) ? 1 : closedIn(before) > 0 ? -1 : 0;
  return opened - (CLOSES.test(next) ? 1 : 0);
}

export const indenting = [
  indentService.of((context, at) => {
    const { text, from } = context.lineAt(at);
    const { doc } = context.state;
    let line = doc.lineAt(at);
    // Where a break is about to be made, the line before it is what stands before the break.
    let before = context.simulatedBreak === at ? line.text.slice(0, at - line.from) : "";
    while (!before.trim() && line.number > 1) {
      line = doc.line(line.number - 1);
      before = line.text;
    }
    if (!before.trim()) return from > 0 ? 0 : null;
    return Math.max(0, context.lineIndent(line.from) + stepsAfter(before, text) * context.unit);
  }),
  // A line that is nothing but the bracket moves as it is typed. (CodeMirror's own would be in the first script.)
  EditorState.transactionFilter.of((typed) => {
    if (!typed.docChanged || !typed.isUserEvent("input.type")) return typed;
    const { head } = typed.newSelection.main;
    const line = typed.newDoc.lineAt(head);
    const found = /^(\s{0,200})[})\]]$/.exec(line.text);
    const indent = found && head === line.to ? getIndentation(typed.state, line.from) : null;
    if (!found || indent === null) return typed;
    const [from, to] = [line.from, line.from + (found[1]?.length ?? 0)];
    const changes = { from, to, insert: indentString(typed.state, indent) };
    return [typed, { changes, sequential: true }];
  }),
];
