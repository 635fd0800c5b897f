/** What checks and runs say of the text: shown in it, if it is still that text. */
import { undo } from "@codemirror/commands";
import type { EditorView } from "@codemirror/view";
import type { CheckResult, Diagnostic } from "../../../wasm/engine_api";
import { notify } from "../app/actions";
import type { App, EditorHandle, Fix } from "../app/app";
import type { TypingSinks } from "../app/typing";
import { words } from "../strings";
import { clipTo, isShown } from "./document";
import { applyTokens } from "./highlight";
import type { MoreOfEditor } from "./more";
import { isColouredWhereVisible } from "./visible";

/** The first fix of a problem at the cursor, else after it. */
function nextFix(faults: readonly Diagnostic[], cursor: number): Fix | null {
  const withFix = faults.filter(({ fixes }) => fixes.length > 0);
  const at = withFix.find(({ range: [begin, end] }) => begin <= cursor && cursor <= end);
  const after = withFix.find(({ range: [begin] }) => begin > cursor);
  return (at ?? after ?? withFix[0])?.fixes[0] ?? null;
}

/** What is known of the text, apart from its faults. */
export interface TextFacts {
  /** The language of the last checked text: a part of a text cannot be recognised. */
  kind: string;
  /** All of it was pasted, and nobody has been told yet what it is taken for. */
  isPasted: boolean;
}

/** What the editor can do with what it is told of its text. */
interface ChecksHandle extends TypingSinks, Pick<EditorHandle, "fix"> {
  runFaults(text: string, diagnostics: Diagnostic[]): void;
}

/** Says what a pasted text is taken for; false where it is a layout, in whose place the program is again. */
type PasteReceiver = (text: string, check: CheckResult) => boolean;

/** A pasted layout is not a program: `onLayout` shows it. */
export const pasteReceiver =
  (app: App, view: EditorView, onLayout: (layout: string) => void): PasteReceiver =>
  (text, { kind, module }) => {
    if (kind === "layout") {
      undo(view);
      onLayout(text.trim().replace(/\s+/g, " "));
      return false;
    }
    if (kind === "foreign") return true;
    const what = words.status.kinds[kind] ?? kind;
    const said = words.status.recognised([what, module].filter(Boolean).join(": "));
    notify(app, said, "info", { label: words.app.undo, act: () => undo(view) });
    return true;
  };

const faultKey = ({ code, range, message }: Diagnostic): string => `${code} ${range[0]} ${message}`;

/** Shows what checks and runs say by what `more` brings, and applies the fixes that they have. */
export function checksHandle(
  view: EditorView,
  facts: TextFacts,
  more: Promise<MoreOfEditor | null>,
  receivePaste: PasteReceiver,
): ChecksHandle {
  let checked: Diagnostic[] = [];
  /** The diagnostics shown: of the check, and of a run of exactly this text. */
  let faults: Diagnostic[] = [];
  const show = (found: Diagnostic[]): void => {
    faults = found;
    // Of a text that has changed meanwhile there are newer ones.
    const text = view.state.doc;
    more
      .then((parts) => faults === found && view.state.doc === text && parts?.showFaults(found))
      .catch(() => undefined);
  };
  return {
    wantsTokens: (text) => !isColouredWhereVisible(text.length, facts.kind),
    tokens(text, tokens) {
      if (isShown(view, text)) applyTokens(view, tokens);
    },
    checked(text, check) {
      facts.kind = check.kind;
      if (!isShown(view, text)) return;
      checked = check.diagnostics;
      const { isPasted } = facts;
      facts.isPasted = false;
      if (!isPasted || receivePaste(text, check)) show(checked);
    },
    fix(chosen) {
      const fix = chosen ?? nextFix(faults, view.state.selection.main.head);
      if (!fix) return null;
      const { from, to } = clipTo(view, fix.range);
      view.dispatch({
        changes: { from, to, insert: fix.replacement },
        selection: { anchor: from + fix.replacement.length },
        scrollIntoView: true,
        userEvent: "input.fix",
      });
      return fix.title;
    },
    runFaults(text, diagnostics) {
      const known = new Set(checked.map(faultKey));
      const others = diagnostics.filter((fault) => !known.has(faultKey(fault)));
      if (isShown(view, text) && others.length > 0) show([...checked, ...others]);
    },
  };
}
