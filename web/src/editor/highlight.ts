/**
 * Syntax highlighting by the engine's own lexer. Tokens become ranges of the page's highlights, not
 * elements around them: of a screen of a compiler's dump there would be thousands, and each would be laid out.
 */
import { type ChangeDesc, StateEffect, StateField, type Transaction } from "@codemirror/state";
import { EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { TOKEN_KINDS } from "../../../wasm/engine_api";

/** [kind, begin, end] triples for the text at the time of the request. */
export const setTokens = StateEffect.define<Uint32Array>();

interface TokenState {
  tokens: Uint32Array;
  /** How the text has changed since the tokens were made. */
  changed: ChangeDesc | null;
}

function changedSince({ tokens, changed }: TokenState, { changes }: Transaction): TokenState {
  return { tokens, changed: changed ? changed.composeDesc(changes.desc) : changes.desc };
}

const tokenField = StateField.define<TokenState>({
  create: () => ({ tokens: new Uint32Array(), changed: null }),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setTokens)) return { tokens: effect.value, changed: null };
    }
    return transaction.docChanged ? changedSince(value, transaction) : value;
  },
});

// Punctuation is as frequent as all other tokens together: instead the text as a whole has its
// colour, once there are tokens.
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

/** [kind, begin, end] of the tokens between two places of a text, where they are now, relative to the first. */
export function tokensBetween(state: TokenState, from: number, to: number): number[] {
  const { tokens, changed } = state;
  const back = changed?.invertedDesc;
  const last = back ? back.mapPos(to, 1) : to;
  const found: number[] = [];
  for (
    let i = firstToken(tokens, back ? back.mapPos(from, -1) : from);
    3 * i < tokens.length;
    ++i
  ) {
    const [kind = 0, begin = 0, end = 0] = tokens.subarray(3 * i, 3 * i + 3);
    if (begin >= last) break;
    if (TOKEN_KINDS[kind] === "punctuation") continue;
    const first = Math.max(from, changed ? changed.mapPos(begin, 1) : begin);
    const behind = Math.min(to, changed ? changed.mapPos(end, -1) : end);
    if (first < behind) found.push(kind, first - from, behind - from);
  }
  return found;
}

/**
 * How much around the screen is coloured too, in pixels: a line or two, which a small step of scrolling shows. More
 * would be seen sooner in a fast one, but what ranges cost is the collection of them as garbage.
 */
const MARGIN = 40;

/** What of the text is on the screen. */
interface Screen {
  top: number;
  bottom: number;
  /** In characters of a line. */
  left: number;
  right: number;
}

function screenOf({ scrollDOM, defaultCharacterWidth, lineWrapping }: EditorView): Screen {
  const { scrollTop, scrollLeft, clientWidth, clientHeight } = scrollDOM;
  const column = (x: number) => Math.round(x / defaultCharacterWidth);
  return {
    top: scrollTop - MARGIN,
    bottom: scrollTop + clientHeight + MARGIN,
    left: lineWrapping ? 0 : column(scrollLeft - MARGIN),
    right: lineWrapping ? Number.MAX_SAFE_INTEGER : column(scrollLeft + clientWidth + MARGIN),
  };
}

/** Text on the page, `from` where in the program, and which part of it may be seen. */
interface Piece {
  node: Text;
  from: number;
  first: number;
  last: number;
}

/** The pieces of a line, without what stands for something folded. */
function piecesOf(view: EditorView, line: HTMLElement, { left, right }: Screen): Piece[] {
  const walker = document.createTreeWalker(
    line,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
    (node) =>
      node instanceof HTMLElement && node.contentEditable === "false"
        ? NodeFilter.FILTER_REJECT
        : NodeFilter.FILTER_ACCEPT,
  );
  const pieces: Piece[] = [];
  let column = 0;
  for (let node = walker.nextNode(); node && column < right; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    const first = Math.max(0, left - column);
    const last = Math.min(node.length, right - column);
    if (first < last) pieces.push({ node, from: view.posAtDOM(node), first, last });
    column += node.length;
  }
  return pieces;
}

/** The lines on the page that are on the screen. */
function linesOn(view: EditorView, { top, bottom }: Screen): HTMLElement[] {
  const lines: HTMLElement[] = [];
  for (const block of view.viewportLineBlocks) {
    if (block.bottom < top || block.top > bottom) continue;
    const { node } = view.domAtPos(block.from);
    const element = node instanceof HTMLElement ? node : node.parentElement;
    const line = element?.closest<HTMLElement>(".cm-line");
    if (line) lines.push(line);
  }
  return lines;
}

/** A highlight of the page for each kind of token: all editors share them. */
const highlights = TOKEN_KINDS.map(() => (globalThis.CSS?.highlights ? new Highlight() : null));

/** Not of a page of forced colours, which would mark every token. */
function keepHighlights(forced: MediaQueryList): void {
  const set = (): void => {
    highlights.forEach((highlight, i) => {
      const name = `tok-${TOKEN_KINDS[i]}`;
      if (forced.matches || !highlight) CSS.highlights.delete(name);
      else CSS.highlights.set(name, highlight);
    });
  };
  set();
  forced.onchange = set;
}
if (globalThis.CSS?.highlights) keepHighlights(matchMedia("(forced-colors: active)"));

/** What is coloured of a piece: the same tokens at the same places need no new ranges. */
interface Coloured {
  first: number;
  tokens: number[];
  ranges: StaticRange[];
}

function colour({ node, first }: Piece, tokens: number[]): Coloured {
  const ranges: StaticRange[] = [];
  for (let i = 0; i < tokens.length; i += 3) {
    const startOffset = first + (tokens[i + 1] ?? 0);
    const endOffset = first + (tokens[i + 2] ?? 0);
    const range = new StaticRange({
      startContainer: node,
      startOffset,
      endContainer: node,
      endOffset,
    });
    highlights[tokens[i] ?? 0]?.add(range);
    ranges.push(range);
  }
  return { first, tokens, ranges };
}

function forget({ tokens, ranges }: Coloured): void {
  for (const [i, range] of ranges.entries()) highlights[tokens[3 * i] ?? 0]?.delete(range);
}

const isSame = (a: readonly number[], b: readonly number[]) =>
  a.length === b.length && a.every((value, i) => value === b[i]);

/** Keeps the ranges of what is on the screen; in browsers without highlights text has one colour. */
class Highlighter {
  readonly #view: EditorView;
  #coloured = new Map<Text, Coloured>();
  #screen: Screen | null = null;
  #waits = false;

  constructor(view: EditorView) {
    this.#view = view;
    view.scrollDOM.addEventListener("scroll", this.#look, { passive: true });
    this.#measure();
  }

  update({ state, startState, geometryChanged }: ViewUpdate): void {
    if (state.field(tokenField) !== startState.field(tokenField)) this.#drawSoon();
    if (geometryChanged) this.#measure();
  }

  docViewUpdate(): void {
    this.#drawSoon();
  }

  destroy(): void {
    this.#view.scrollDOM.removeEventListener("scroll", this.#look);
    for (const coloured of this.#coloured.values()) forget(coloured);
    this.#coloured.clear();
  }

  readonly #look = (): void => {
    this.#screen = screenOf(this.#view);
    this.#drawSoon();
  };

  #measure(): void {
    this.#view.requestMeasure({ key: this, read: this.#look });
  }

  /** Once what is going on has ended: the page is as the state is then, and not painted yet. */
  #drawSoon(): void {
    if (this.#waits || !CSS.highlights) return;
    this.#waits = true;
    queueMicrotask(() => {
      this.#waits = false;
      this.#draw();
    });
  }

  #draw(): void {
    const view = this.#view;
    const state = view.state.field(tokenField);
    const before = this.#coloured;
    const screen = this.#screen;
    if (!screen) return;
    this.#coloured = new Map();
    for (const line of linesOn(view, screen)) {
      for (const piece of piecesOf(view, line, screen)) {
        const { node, from, first, last } = piece;
        const tokens = tokensBetween(state, from + first, from + last);
        const old = before.get(node);
        const same = old && old.first === first && isSame(old.tokens, tokens);
        if (same) before.delete(node);
        this.#coloured.set(node, same ? old : colour(piece, tokens));
      }
    }
    for (const coloured of before.values()) forget(coloured);
  }
}

export const highlighting = [tokenField, colouredText, ViewPlugin.fromClass(Highlighter)];

export function applyTokens(view: EditorView, tokens: Uint32Array): void {
  view.dispatch({ effects: setTokens.of(tokens) });
}
