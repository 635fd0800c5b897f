/**
 * Syntax highlighting by the engine's own lexer: decorations for the visible part of the text only.
 */
import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { TOKEN_KINDS } from "../../../wasm/engine_api";

/** [kind, begin, end] triples for the text at the time of the request. */
export const setTokens = StateEffect.define<Uint32Array>();

interface TokenState {
  tokens: Uint32Array;
  /** False once the text has changed since. */
  current: boolean;
}

const tokenField = StateField.define<TokenState>({
  create: () => ({ tokens: new Uint32Array(), current: false }),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setTokens)) return { tokens: effect.value, current: true };
    }
    return transaction.docChanged && value.current ? { ...value, current: false } : value;
  },
});

// Punctuation is as frequent as all other tokens together, and a mark is an element of the page:
// instead the text as a whole has its colour, once there are tokens.
const marks = TOKEN_KINDS.map((kind) =>
  kind === "punctuation" ? null : Decoration.mark({ class: `tok-${kind}` }),
);
const colouredText = EditorView.contentAttributes.of(
  (view): Record<string, string> =>
    view.state.field(tokenField).tokens.length > 0 ? { class: "tok-punctuation" } : {},
);

/** Index of the first triple that ends after a position. */
export function firstToken(tokens: Uint32Array, position: number): number {
  let low = 0;
  let high = tokens.length / 3;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[3 * middle + 2] ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Span {
  from: number;
  to: number;
}
const NOWHERE: Span = { from: 0, to: 0 };

/** The lines on the screen: those that the editor keeps around them come to two thirds of all. */
function screenOf(view: EditorView): Span {
  const { scrollTop, clientHeight } = view.scrollDOM;
  const blocks = view.viewportLineBlocks.filter(
    ({ top, bottom }) => bottom >= scrollTop && top <= scrollTop + clientHeight,
  );
  const { from, to } = view.viewport;
  return { from: blocks[0]?.from ?? from, to: blocks.at(-1)?.to ?? to };
}

/** So many characters more are marked at a time. */
const PART = 4_000;

/** Of what is marked, and could be, what stays or becomes so: the screen, and a part around it. */
function marked(view: EditorView, before: Span): Span {
  const { from, to } = view.viewport;
  const screen = screenOf(view);
  const goesOn = before.from <= screen.from && before.to >= screen.to;
  const kept = goesOn ? before : screen;
  return { from: Math.max(from, kept.from), to: Math.min(to, kept.to) };
}

/** A span and a part more on both sides, of what is not folded. */
function grown({ visibleRanges }: EditorView, { from, to }: Span): Span {
  let left = PART;
  let right = PART;
  let [first, last] = [from, to];
  for (const range of [...visibleRanges].reverse()) {
    if (range.from >= first || left === 0) continue;
    const end = Math.min(range.to, first);
    first = Math.max(range.from, end - left);
    left -= end - first;
  }
  for (const range of visibleRanges) {
    if (range.to <= last || right === 0) continue;
    const begin = Math.max(range.from, last);
    last = Math.min(range.to, begin + right);
    right -= last - begin;
  }
  return { from: first, to: last };
}

function decorate(view: EditorView, { from: first, to: last }: Span): DecorationSet {
  const { tokens } = view.state.field(tokenField);
  const builder = new RangeSetBuilder<Decoration>();
  const length = view.state.doc.length;
  for (const range of view.visibleRanges) {
    const [from, to] = [Math.max(first, range.from), Math.min(last, range.to)];
    for (let i = firstToken(tokens, from); 3 * i < tokens.length; i++) {
      const kind = tokens[3 * i] ?? 0;
      const begin = tokens[3 * i + 1] ?? 0;
      const end = Math.min(tokens[3 * i + 2] ?? 0, length);
      if (begin >= to) break;
      const mark = marks[kind];
      if (mark && begin < end) builder.add(begin, end, mark);
    }
  }
  return builder.finish();
}

const markMore = StateEffect.define<null>();

/** Marks the screen at once, and the lines around it in parts: all at once would take too long. */
class Highlighter {
  decorations: DecorationSet;
  #marked = NOWHERE;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.decorations = this.#mark(view, marked(view, NOWHERE));
  }

  update(update: ViewUpdate): void {
    const { view, transactions, viewportChanged, docChanged } = update;
    const state = update.state.field(tokenField);
    const fresh = state !== update.startState.field(tokenField) && state.current;
    const isMore = transactions.some(({ effects }) => effects.some((e) => e.is(markMore)));
    if (isMore && state.current) {
      this.decorations = this.#mark(view, grown(view, this.#marked));
    } else if (fresh || (viewportChanged && state.current)) {
      this.decorations = this.#mark(view, marked(view, this.#marked));
    } else if (docChanged) {
      // The old decorations are mapped through changes until new ones arrive.
      this.decorations = this.decorations.map(update.changes);
      const { from, to } = this.#marked;
      this.#marked = { from: update.changes.mapPos(from), to: update.changes.mapPos(to) };
    }
  }

  destroy(): void {
    clearTimeout(this.#timer);
  }

  #mark(view: EditorView, span: Span): DecorationSet {
    this.#marked = span;
    const { visibleRanges } = view;
    clearTimeout(this.#timer);
    if ((visibleRanges[0]?.from ?? 0) < span.from || (visibleRanges.at(-1)?.to ?? 0) > span.to) {
      this.#timer = setTimeout(() => view.dispatch({ effects: markMore.of(null) }));
    }
    return decorate(view, span);
  }
}

export const highlighting = [
  tokenField,
  colouredText,
  ViewPlugin.fromClass(Highlighter, { decorations: (plugin) => plugin.decorations }),
];

export function applyTokens(view: EditorView, tokens: Uint32Array): void {
  view.dispatch({ effects: setTokens.of(tokens) });
}
