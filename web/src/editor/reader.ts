/** A read-only text beside the program, with the editor's look and keys. */
import { defaultKeymap } from "@codemirror/commands";
import { EditorState } from "@codemirror/state";
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

export interface Reader {
  show(text: string, tokens: Uint32Array): void;
  mark(lines: readonly number[]): void;
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
      extensions: [
        lineNumbers(),
        highlightSpecialChars(),
        drawSelection(),
        finding,
        highlighting,
        editorTheme,
        linkedLines(pointer),
        keymap.of(defaultKeymap),
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({
          "aria-label": label,
          "aria-readonly": "true",
          spellcheck: "false",
          tabindex: "0",
        }),
      ],
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
    // No scrolling while this text has the focus.
    mark: (lines) => markLines(view, lines, !view.hasFocus),
    destroy: () => view.destroy(),
  };
}
