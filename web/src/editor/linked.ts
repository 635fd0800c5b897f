/**
 * Lines that correspond in two texts: reports which line is pointed at (by mouse, or by the
 * cursor), and highlights given lines.
 */
import { type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  type PluginValue,
  ViewPlugin,
} from "@codemirror/view";

export interface LinePointer {
  /** The line under the mouse, from 0; null when the mouse leaves. */
  hover(line: number | null): void;
  /** The line of the cursor. */
  cursor(line: number): void;
}

const setLinked = StateEffect.define<readonly number[]>();
const linkedLine = Decoration.line({ class: "cm-linked" });

/** The lines that are highlighted. */
export const linkedField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = transaction.docChanged ? marks.map(transaction.changes) : marks;
    for (const effect of transaction.effects) {
      if (!effect.is(setLinked)) continue;
      const builder = new RangeSetBuilder<Decoration>();
      const { doc } = transaction.state;
      for (const line of effect.value) {
        if (line >= doc.lines) break;
        const { from } = doc.line(line + 1);
        builder.add(from, from, linkedLine);
      }
      next = builder.finish();
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Highlights lines (sorted); with `scroll` the first of them is scrolled into view. */
export function markLines(view: EditorView, lines: readonly number[], scroll: boolean): void {
  const known = lines.filter((line) => line >= 0 && line < view.state.doc.lines);
  const first = known[0];
  view.dispatch({
    effects: [
      setLinked.of(known),
      ...(scroll && first !== undefined
        ? [
            EditorView.scrollIntoView(view.state.doc.line(first + 1).from, {
              y: "nearest",
              yMargin: 40,
            }),
          ]
        : []),
    ],
  });
}

export function linkedLines(pointer: LinePointer): Extension {
  let last: number | null = null;
  const hover = (line: number | null): void => {
    if (line === last) return;
    last = line;
    pointer.hover(line);
  };
  class Pointing implements PluginValue {
    destroy(): void {
      hover(null);
    }
  }
  return [
    linkedField,
    ViewPlugin.fromClass(Pointing),
    EditorView.domEventHandlers({
      mousemove(event, view) {
        const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
        hover(at === null ? null : view.state.doc.lineAt(at).number - 1);
      },
      mouseleave() {
        hover(null);
      },
    }),
    EditorView.updateListener.of(({ selectionSet, focusChanged, view, state }) => {
      if (!selectionSet && !(focusChanged && view.hasFocus)) return;
      pointer.cursor(state.doc.lineAt(state.selection.main.head).number - 1);
    }),
  ];
}
