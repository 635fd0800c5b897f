/** What a debugger shows in the editor: breakpoints in the gutter, the next line, values at the ends of lines. */
import { type Extension, RangeSet, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  gutter,
  WidgetType,
} from "@codemirror/view";
import { words } from "../strings";

/** A value's first elements, at the end of the line that has this offset. */
interface LineValue {
  end: number;
  text: string;
  isNew: boolean;
}

/** What of a run's state is shown in the text. */
export interface DebugLines {
  /** Offset in the line that is executed next; null: none is. */
  next: number | null;
  values: readonly LineValue[];
}

export interface DebugMarks {
  show(lines: DebugLines | null): void;
  /** Lines, from 1, that have a breakpoint. */
  breakpoints(lines: readonly number[]): void;
}

const MAX_VALUE = 80;

class ValueWidget extends WidgetType {
  readonly #text: string;
  readonly #isNew: boolean;
  constructor(text: string, isNew: boolean) {
    super();
    this.#text = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
    this.#isNew = isNew;
  }
  override eq(other: ValueWidget): boolean {
    return other.#text === this.#text && other.#isNew === this.#isNew;
  }
  override toDOM(): HTMLElement {
    const span = document.createElement("span");
    span.className = this.#isNew ? "cm-step-value cm-step-new" : "cm-step-value";
    span.textContent = ` = ${this.#text}`;
    return span;
  }
}

const setLines = StateEffect.define<DebugLines | null>();
const setBreakpoints = StateEffect.define<readonly number[]>();
const nextLine = Decoration.line({ class: "cm-step-next" });

const linesField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    let next = transaction.docChanged ? Decoration.none : marks;
    for (const effect of transaction.effects) {
      if (!effect.is(setLines)) continue;
      const { doc } = transaction.state;
      const shown = effect.value;
      if (!shown) return Decoration.none;
      const byLine = new Map<number, LineValue>();
      for (const value of shown.values) {
        if (value.end <= doc.length) byLine.set(doc.lineAt(value.end).to, value);
      }
      const values = [...byLine].map(([to, { text, isNew }]) =>
        Decoration.widget({ widget: new ValueWidget(text, isNew), side: 1 }).range(to),
      );
      const at = shown.next;
      const line = at !== null && at <= doc.length ? [nextLine.range(doc.lineAt(at).from)] : [];
      next = Decoration.set([...values, ...line], true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

class Breakpoint extends GutterMarker {
  override toDOM(): Node {
    const dot = document.createElement("span");
    dot.className = "cm-breakpoint";
    dot.title = words.debug.breakpoint;
    return dot;
  }
}
const breakpoint = new Breakpoint();

const breakpointField = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(set, transaction) {
    let next = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(setBreakpoints)) continue;
      const { doc } = transaction.state;
      const lines = effect.value.filter((line) => line >= 1 && line <= doc.lines);
      next = RangeSet.of(
        [...new Set(lines)].sort((a, b) => a - b).map((n) => breakpoint.range(doc.line(n).from)),
      );
    }
    return next;
  },
});

const look = EditorView.theme({
  ".cm-step-value": { color: "var(--muted)", fontStyle: "italic", paddingLeft: "1ch" },
  ".cm-step-new": { color: "var(--accent)", fontWeight: "600" },
  ".cm-step-next": {
    backgroundColor: "color-mix(in srgb, var(--accent) 16%, transparent)",
    boxShadow: "inset 3px 0 var(--accent)",
  },
  ".cm-breakpoints": { width: "14px", cursor: "pointer" },
  ".cm-breakpoint": {
    display: "block",
    width: "9px",
    height: "9px",
    margin: "5px 2px",
    borderRadius: "50%",
    backgroundColor: "var(--bad)",
  },
});

/** Adds it to an editor. `toggle` hears of the lines whose gutter is clicked. */
export function addDebugging(view: EditorView, toggle: (line: number) => void): DebugMarks {
  const extension: Extension = [
    linesField,
    breakpointField,
    gutter({
      class: "cm-breakpoints",
      markers: (editor) => editor.state.field(breakpointField),
      initialSpacer: () => breakpoint,
      domEventHandlers: {
        mousedown(editor, block) {
          toggle(editor.state.doc.lineAt(block.from).number);
          return true;
        },
      },
    }),
    look,
  ];
  view.dispatch({ effects: StateEffect.appendConfig.of(extension) });
  return {
    show: (lines) => view.dispatch({ effects: setLines.of(lines) }),
    breakpoints: (lines) => view.dispatch({ effects: setBreakpoints.of(lines) }),
  };
}
