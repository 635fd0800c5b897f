/** A read-only text beside the program, with the editor's look and keys. */
import { defaultKeymap } from "@codemirror/commands";
import { EditorState, type Extension } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { finding } from "./find";
import { applyTokens, highlighting } from "./highlight";
import { type LinePointer, linkedLines, markLines } from "./linked";
import { editorTheme } from "./theme";

/** What texts that are only read have in common: look, keys, and what they are called. */
export function readOnly(label: string): Extension {
  return [
    drawSelection(),
    finding,
    highlighting,
    editorTheme,
    keymap.of(defaultKeymap),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({
      "aria-label": label,
      "aria-readonly": "true",
      spellcheck: "false",
      tabindex: "0",
    }),
  ];
}

export interface Reader {
  show(text: string, tokens: Uint32Array): void;
  /** Highlights lines; `stay`: without scrolling, which it never does while it has the focus. */
  mark(lines: readonly number[], stay: boolean): void;
  destroy(): void;
}

export function createReader(host: HTMLElement, label: string, pointer: LinePointer): Reader {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const parent = document.createElement("div");
  parent.style.height = "100%";
  root.replaceChildren(parent);
  // While this text has the focus, the find key searches it.
  host.dataset.ownSearch = "";
  const view = new EditorView({
    parent,
    root,
    state: EditorState.create({
      extensions: [lineNumbers(), highlightSpecialChars(), linkedLines(pointer), readOnly(label)],
    }),
  });
  return {
    show(text, tokens) {
      if (view.state.doc.toString() !== text) {
        view.dispatch({
          changes: { from: 0, to: view.state.doc.length, insert: text },
          selection: { anchor: Math.min(view.state.selection.main.head, text.length) },
        });
      }
      applyTokens(view, tokens);
    },
    mark: (lines, stay) => markLines(view, lines, !stay && !view.hasFocus),
    destroy: () => view.destroy(),
  };
}
