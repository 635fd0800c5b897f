/** Diagnostics: what the engine says, in the editor's terms. */
import { type Action, type Diagnostic as Lint, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Diagnostic, TextRange } from "../../../wasm/engine_api";

/** Maximum number of diagnostics drawn: drawing takes time. */
const MAX_SHOWN = 500;

export function clip(range: TextRange, length: number): { from: number; to: number } {
  const from = Math.max(0, Math.min(range[0], length));
  return { from, to: Math.max(from, Math.min(range[1], length)) };
}

export function element(tag: string, className: string, text: string): HTMLElement {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = text;
  return node;
}

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

export function showDiagnostics(view: EditorView, diagnostics: Diagnostic[]): void {
  view.dispatch(setDiagnostics(view.state, toLint(diagnostics, view.state.doc.length)));
}

/** What the editor has of the language at once; the rest comes with `more.ts`. */
export const language: Extension = [
  lintGutter(),
  // Both dialects have comments to the end of the line.
  EditorState.languageData.of(() => [{ commentTokens: { line: "//" } }]),
];
