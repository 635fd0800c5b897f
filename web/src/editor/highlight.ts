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

function decorate(view: EditorView): DecorationSet {
  const { tokens } = view.state.field(tokenField);
  const builder = new RangeSetBuilder<Decoration>();
  const length = view.state.doc.length;
  for (const { from, to } of view.visibleRanges) {
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

class Highlighter {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = decorate(view);
  }

  update(update: ViewUpdate): void {
    const state = update.state.field(tokenField);
    const fresh = state !== update.startState.field(tokenField) && state.current;
    if (fresh || (update.viewportChanged && state.current)) {
      this.decorations = decorate(update.view);
    } else if (update.docChanged) {
      // The old decorations are mapped through changes until new ones arrive.
      this.decorations = this.decorations.map(update.changes);
    }
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
