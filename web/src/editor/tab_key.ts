/**
 * The Tab key in the editor, where no completion is offered (assist.ts): it indents for who writes, and moves on for who only passes by. Focus that came
 * with Tab leaves with Tab until something is typed or clicked, so that the keyboard is not caught
 * (WCAG 2.1.2) and nobody indents a line on the way to the buttons behind the editor.
 */
import { indentWithTab } from "@codemirror/commands";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap, ViewPlugin } from "@codemirror/view";

/** Whether the last thing that was done in the page was pressing Tab. */
class LastKey {
  wasTab = false;
  #heard = (event: Event): void => {
    this.wasTab = event instanceof KeyboardEvent && event.key === "Tab";
  };
  constructor() {
    for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, this.#heard, true);
  }
  destroy(): void {
    for (const kind of ["keydown", "pointerdown"]) removeEventListener(kind, this.#heard, true);
  }
}

export function tabKey(): Extension {
  const last = ViewPlugin.fromClass(LastKey);
  let isPassing = false;
  const unlessPassing =
    (indent: typeof indentWithTab.run) =>
    (view: EditorView): boolean =>
      !isPassing && (indent?.(view) ?? false);
  return [
    last,
    EditorView.domEventHandlers({
      focus: (_, view) => {
        isPassing = view.plugin(last)?.wasTab ?? false;
      },
      pointerdown: () => {
        isPassing = false;
      },
    }),
    EditorView.updateListener.of(({ docChanged }) => {
      if (docChanged) isPassing = false;
    }),
    keymap.of([
      {
        key: "Tab",
        run: unlessPassing(indentWithTab.run),
        shift: unlessPassing(indentWithTab.shift),
      },
    ]),
  ];
}
