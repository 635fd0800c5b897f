/**
 * Folds inside of lines: metadata, configurations, layouts. A dump has tens of thousands of them, so
 * only those near the screen are drawn; the rest is known by its kind, less what was opened.
 */
import {
  type EditorState,
  Prec,
  type Range,
  RangeSet,
  RangeValue,
  StateEffect,
  StateField,
  type Transaction,
} from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  keymap,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from "@codemirror/view";
import { BODIES, type FoldRange, foldsBetween, foldsField, setFolds, wordOf } from "./folds";

/** What is longer the editor measures in pieces, for which it has to know all folds of the line. */
const LONGEST_LINE = 2_000;

/** Whether a fold is drawn here; the others the editor keeps one by one. */
export function isInline(state: EditorState, { kind, from, to }: FoldRange): boolean {
  if (BODIES.has(kind)) return false;
  const line = state.doc.lineAt(from);
  return to <= line.to && line.length <= LONGEST_LINE;
}

/** What was folded and is open. It ends where a change removes it. */
class Opened extends RangeValue {
  override startSide = 1;
  override endSide = -1;
}
const opened = new Opened();

interface InlineFolds {
  kinds: readonly string[];
  opened: RangeSet<Opened>;
}

/** Which kinds are folded. Those that were not before are folded everywhere. */
export const setFoldedKinds = StateEffect.define<readonly string[]>();
const open = StateEffect.define<FoldRange>({
  map: ({ kind, from, to }, changes) => ({
    kind,
    from: changes.mapPos(from, 1),
    to: changes.mapPos(to, -1),
  }),
});

/** What is folded between two positions and not open. */
function foldedBetween(state: EditorState, from: number, to: number): FoldRange[] {
  const inline = state.field(inlineFolds);
  if (inline.kinds.length === 0) return [];
  const isOpen = (range: FoldRange): boolean => {
    let found = false;
    inline.opened.between(range.from, range.to, (begin, end) => {
      found ||= begin === range.from && end === range.to;
    });
    return found;
  };
  return foldsBetween(state.field(foldsField), from, to).filter(
    (range) => inline.kinds.includes(range.kind) && isInline(state, range) && !isOpen(range),
  );
}

/** What is folded and lies partly between two positions of a text, or around them. */
function touchedBetween(state: EditorState, from: number, to: number): FoldRange[] {
  const line = state.doc.lineAt(from);
  return foldedBetween(state, line.from, to).filter((range) => range.from < to && range.to > from);
}

/** What a transaction opens: a fold holds neither the cursor, nor what was found, nor what is deleted in part. */
function openedBy(transaction: Transaction): FoldRange[] {
  const found: FoldRange[] = [];
  const { startState, changes, selection } = transaction;
  if (transaction.isUserEvent("delete")) {
    changes.iterChangedRanges((from, to) => {
      for (const { kind, ...range } of touchedBetween(startState, from, to)) {
        found.push({ kind, from: changes.mapPos(range.from, 1), to: changes.mapPos(range.to, -1) });
      }
    });
  }
  if (selection && !transaction.docChanged) {
    const { head, from, to } = selection.main;
    const isFound = transaction.isUserEvent("select.search");
    found.push(...touchedBetween(startState, isFound ? from : head, isFound ? to : head));
  }
  for (const effect of transaction.effects) if (effect.is(open)) found.push(effect.value);
  return found.filter(({ from, to }) => from < to);
}

function withKinds(inline: InlineFolds, kinds: readonly string[]): InlineFolds {
  const isNew = kinds.some((kind) => !inline.kinds.includes(kind));
  return { kinds, opened: isNew ? RangeSet.empty : inline.opened };
}

const inlineFolds = StateField.define<InlineFolds>({
  create: () => ({ kinds: [], opened: RangeSet.empty }),
  update(inline, transaction) {
    const ranges = openedBy(transaction).map(({ from, to }) => opened.range(from, to));
    let now = inline;
    if (transaction.docChanged) now = { ...now, opened: now.opened.map(transaction.changes) };
    if (ranges.length > 0) {
      now = { ...now, opened: now.opened.update({ add: ranges, sort: true }) };
    }
    for (const effect of transaction.effects) {
      if (effect.is(setFoldedKinds)) now = withKinds(now, effect.value);
    }
    return now;
  },
});

type Placeholder = (word: string, onclick: (event: Event) => void) => HTMLElement;

/** The editor leaves its events alone: moving the cursor would draw it anew before the click ends. */
class FoldWidget extends WidgetType {
  constructor(
    readonly word: string,
    readonly range: FoldRange,
    readonly placeholder: Placeholder,
  ) {
    super();
  }
  override eq(other: FoldWidget): boolean {
    const { from, to } = other.range;
    return other.word === this.word && from === this.range.from && to === this.range.to;
  }
  override toDOM(view: EditorView): HTMLElement {
    return this.placeholder(this.word, (event) => {
      view.dispatch({ effects: open.of(this.range) });
      event.preventDefault();
    });
  }
}

function decorationsOf(view: EditorView, placeholder: Placeholder): DecorationSet {
  const { state } = view;
  const ranges: Range<Decoration>[] = [];
  for (const visible of view.visibleRanges) {
    // A piece may begin inside of a line.
    const begin = state.doc.lineAt(visible.from).from;
    for (const range of foldedBetween(state, begin, visible.to)) {
      const { from, to } = range;
      const widget = new FoldWidget(wordOf(state, from, to), range, placeholder);
      ranges.push(Decoration.replace({ widget }).range(from, to));
    }
  }
  return Decoration.set(ranges, true);
}

const isFoldEffect = ({ transactions }: ViewUpdate): boolean =>
  transactions.some(({ effects }) => effects.some((effect) => effect.is(setFolds)));

const drawing = (placeholder: Placeholder) =>
  ViewPlugin.fromClass(
    class {
      folds: DecorationSet;

      constructor(view: EditorView) {
        this.folds = decorationsOf(view, placeholder);
      }

      update(update: ViewUpdate): void {
        const { state, startState, view } = update;
        const isOther = state.field(inlineFolds) !== startState.field(inlineFolds);
        if (update.docChanged || update.viewportChanged || isOther || isFoldEffect(update)) {
          this.folds = decorationsOf(view, placeholder);
        }
      }
    },
    { decorations: ({ folds }) => folds },
  );

/** Opens what is folded in the line of the cursor. */
function openLine(view: EditorView): boolean {
  const { state } = view;
  const line = state.doc.lineAt(state.selection.main.head);
  const folded = foldedBetween(state, line.from, line.to);
  if (folded.length === 0) return false;
  view.dispatch({ effects: folded.map((range) => open.of(range)) });
  return true;
}

/** `placeholder` makes what stands for a fold. */
export const foldingInLines = (placeholder: Placeholder) => [
  inlineFolds,
  drawing(placeholder),
  Prec.high(keymap.of([{ key: "Ctrl-Shift-]", mac: "Cmd-Alt-]", run: openLine }])),
];
