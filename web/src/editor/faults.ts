/** Diagnostics: what the engine says, in the editor's terms. */
import {
  type Action,
  forEachDiagnostic,
  type Diagnostic as Lint,
  lintGutter,
  lintKeymap,
  nextDiagnostic,
  previousDiagnostic,
  setDiagnostics,
  setDiagnosticsEffect,
} from "@codemirror/lint";
import { EditorState, type Extension, StateEffect, StateField, type Text } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import type { Diagnostic } from "../../../wasm/engine_api";
import { faultWords } from "../page/words";
import { clip, element } from "./dom";

/** Maximum number of diagnostics drawn: drawing takes time. */
const MAX_SHOWN = 500;

function fixActions(diagnostic: Diagnostic): Action[] {
  return diagnostic.fixes.map((fix) => ({
    name: fix.title,
    apply(view: EditorView) {
      const range = clip(fix.range, view.state.doc.length);
      view.dispatch({ changes: { ...range, insert: fix.replacement }, userEvent: "input.fix" });
    },
  }));
}

/** The message, and its notes as buttons that go to their ranges. */
function message(view: EditorView, diagnostic: Diagnostic): HTMLElement {
  const box = element("div", "cm-fault", "");
  box.append(element("div", "cm-fault-text", diagnostic.message));
  for (const note of diagnostic.notes) {
    const line = element("button", "cm-fault-note", note.message);
    line.setAttribute("type", "button");
    line.addEventListener("click", () => {
      const { from, to } = clip(note.range, view.state.doc.length);
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      view.focus();
    });
    box.append(line);
  }
  return box;
}

export function toLint(diagnostics: Diagnostic[], length: number): Lint[] {
  return diagnostics.slice(0, MAX_SHOWN).map((diagnostic) => ({
    ...clip(diagnostic.range, length),
    severity: diagnostic.severity,
    message: diagnostic.message,
    source: diagnostic.code,
    actions: fixActions(diagnostic),
    renderMessage: (view) => message(view, diagnostic),
  }));
}

const tell = StateEffect.define<readonly Lint[]>();

/** What was told last, and of which text. */
const toldField = StateField.define<{ doc: Text; marks: readonly Lint[] } | null>({
  create: () => null,
  update(told, { effects, newDoc }) {
    const said = effects.find((effect) => effect.is(tell));
    return said ? { doc: newDoc, marks: said.value } : told;
  },
});

/** What is pasted over itself, or deleted and brought back, is the text that marks were told of. */
const tellAgain = EditorState.transactionExtender.of(({ docChanged, startState, newDoc }) => {
  const told = docChanged ? startState.field(toldField) : null;
  return told?.doc.eq(newDoc) ? { effects: setDiagnosticsEffect.of(told.marks) } : null;
});

export function showDiagnostics(view: EditorView, diagnostics: Diagnostic[]): void {
  const marks = toLint(diagnostics, view.state.doc.length);
  view.dispatch(setDiagnostics(view.state, marks), { effects: tell.of(marks) });
}

/** Moves to the next diagnostic, or the one before; says which: "Line 3: ...", or "" where there is none. */
export function nextFault(view: EditorView, backwards: boolean): string {
  (backwards ? previousDiagnostic : nextDiagnostic)(view);
  const { from, to } = view.state.selection.main;
  let said = "";
  forEachDiagnostic(view.state, ({ message }, begin, end) => {
    if (begin !== from || end !== to || said) return;
    said = `${faultWords.line(view.state.doc.lineAt(from).number)} ${message}`;
  });
  return said;
}

export const faultMarks: Extension = [lintGutter(), keymap.of(lintKeymap), toldField, tellAgain];
