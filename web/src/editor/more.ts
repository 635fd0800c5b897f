/**
 * What the editor does once it stands and is coloured: it shows faults, completes, indents, explains, finds and folds. A
 * script of its own, which the first picture of the page does not wait for.
 */
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { openSearchPanel } from "@codemirror/search";
import { StateEffect } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { effect } from "@preact/signals";
import type { Diagnostic } from "../../../wasm/engine_api";
import { say } from "../app/actions";
import type { App } from "../app/app";
import { assist } from "./assist";
import { closing } from "./closing";
import { faultMarks, nextFault, showDiagnostics } from "./faults";
import { finding } from "./find";
import { entryAt, folding, foldKinds, foldOthers, unfoldAll } from "./folding";
import { indenting } from "./indent";

export interface MoreOfEditor {
  showFaults(diagnostics: Diagnostic[]): void;
  nextFault(backwards: boolean): void;
  find(): void;
  unfoldAll(): void;
  /** Folds every computation but the entry. */
  foldOthers(): void;
  /** Moves to the entry; false where there is none. */
  goToEntry(focus: boolean): boolean;
  stop(): void;
}

export function addMore(app: App, view: EditorView): MoreOfEditor {
  const { taste } = app.state;
  const goToEntry = (focus: boolean): boolean => {
    const at = entryAt(view.state);
    if (at === null) return false;
    view.dispatch({
      selection: { anchor: at },
      effects: EditorView.scrollIntoView(at, { y: "start", yMargin: 8 }),
    });
    if (focus) view.focus();
    return true;
  };
  const arrived = (): void => {
    foldKinds(view, taste.peek().folded, []);
    const isAtStart = view.state.selection.main.head === 0;
    if (taste.peek().entryFirst && isAtStart) goToEntry(false);
  };
  view.dispatch({
    effects: StateEffect.appendConfig.of([
      faultMarks,
      closing,
      closeBrackets(),
      keymap.of(closeBracketsKeymap),
      indenting,
      assist(app),
      finding,
      folding(app, arrived),
    ]),
  });
  let known = taste.peek().folded;
  const stop = effect(() => {
    const { folded } = taste.value;
    if (folded === known) return;
    const before = known;
    known = folded;
    foldKinds(view, folded, before);
  });
  return {
    showFaults: (diagnostics) => showDiagnostics(view, diagnostics),
    nextFault: (backwards) => say(app, nextFault(view, backwards)),
    find: () => openSearchPanel(view),
    unfoldAll: () => unfoldAll(view),
    foldOthers: () => foldOthers(view),
    goToEntry,
    stop,
  };
}
