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

/** A value's first elements, at the end of the line that has this offset. */
interface LineValue {
  end: number;
  name: string;
  text: string;
  /** The last step made it. */
  isNew: boolean;
  /** It was another one where the run was looked at before. */
  isChanged: boolean;
  title: string;
}

/** What of a run's state is shown in the text. */
export interface DebugLines {
  /** Offset in the line that is executed next; null: none is. */
  next: number | null;
  values: readonly LineValue[];
}

/** What a person does in the text. */
export interface DebugGestures {
  /** Clicks beside a line, from 1. */
  toggle(line: number): void;
  /** Clicks a value. */
  choose(name: string): void;
  /** What is said of a breakpoint. */
  breakpoint: string;
}

export interface DebugMarks {
  show(lines: DebugLines | null): void;
  /** Lines, from 1, that have a breakpoint. */
  breakpoints(lines: readonly number[]): void;
}

const MAX_VALUE = 80;

class ValueWidget extends WidgetType {
  readonly #value: LineValue;
  readonly #text: string;
  readonly #choose: (name: string) => void;
  constructor(value: LineValue, choose: (name: string) => void) {
    super();
    const { text } = value;
    this.#value = value;
    this.#text = text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
    this.#choose = choose;
  }
  override eq(other: ValueWidget): boolean {
    const [a, b] = [this.#value, other.#value];
    const isMarkedSo = a.isNew === b.isNew && a.isChanged === b.isChanged;
    return isMarkedSo && a.text === b.text && a.title === b.title && a.name === b.name;
  }
  override toDOM(): HTMLElement {
    const { name, isNew, isChanged, title } = this.#value;
    const span = document.createElement("span");
    span.className = "cm-step-value";
    if (isChanged) span.classList.add("cm-step-changed");
    if (isNew) span.classList.add("cm-step-new");
    span.textContent = ` = ${this.#text}`;
    span.title = title;
    span.addEventListener("mousedown", (event) => {
      event.preventDefault();
      this.#choose(name);
    });
    return span;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}

const setLines = StateEffect.define<DebugLines | null>();
const setBreakpoints = StateEffect.define<readonly number[]>();
const nextLine = Decoration.line({ class: "cm-step-next" });

const linesField = (choose: (name: string) => void) =>
  StateField.define<DecorationSet>({
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
        const values = [...byLine].map(([to, value]) =>
          Decoration.widget({ widget: new ValueWidget(value, choose), side: 1 }).range(to),
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
  readonly #title: string;
  constructor(title: string) {
    super();
    this.#title = title;
  }
  override toDOM(): Node {
    const dot = document.createElement("span");
    dot.className = "cm-breakpoint";
    dot.title = this.#title;
    return dot;
  }
}

const breakpointField = (breakpoint: Breakpoint) =>
  StateField.define<RangeSet<GutterMarker>>({
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
  ".cm-step-value": {
    color: "var(--muted)",
    fontStyle: "italic",
    paddingLeft: "1ch",
    cursor: "pointer",
  },
  ".cm-step-value:hover": { textDecoration: "underline" },
  ".cm-step-changed": { color: "var(--accent)" },
  ".cm-step-new": { color: "var(--accent)", fontWeight: "600" },
  ".cm-step-next": {
    backgroundColor: "color-mix(in srgb, var(--accent) 16%, transparent)",
    boxShadow: "inset 3px 0 var(--accent)",
  },
  // In the room that faults have, so that no text moves; the marks of these stay within reach.
  ".cm-breakpoints": { width: "14px", margin: "0 14px 0 -28px", cursor: "pointer" },
  ".cm-lint-marker": { position: "relative" },
  ".cm-breakpoint": {
    display: "block",
    position: "relative",
    width: "9px",
    height: "9px",
    margin: "5px 2px",
    // A fault is round.
    borderRadius: "2px",
    backgroundColor: "var(--bad)",
  },
});

/** Adds it to an editor. */
export function addDebugging(view: EditorView, does: DebugGestures): DebugMarks {
  const breakpoint = new Breakpoint(does.breakpoint);
  const marks = breakpointField(breakpoint);
  const extension: Extension = [
    linesField(does.choose),
    marks,
    gutter({
      class: "cm-breakpoints",
      markers: (editor) => editor.state.field(marks),
      initialSpacer: () => breakpoint,
      domEventHandlers: {
        mousedown(editor, block) {
          does.toggle(editor.state.doc.lineAt(block.from).number);
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
