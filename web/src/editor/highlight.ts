/**
 * Syntax highlighting by the engine's own lexer. Tokens become ranges of the page's highlights, not
 * elements around them: of a screen of a compiler's dump there would be thousands, and each would be laid out.
 */
import {
  type ChangeDesc,
  Text as Doc,
  StateEffect,
  StateField,
  type Transaction,
} from "@codemirror/state";
import { EditorView, ViewPlugin } from "@codemirror/view";
import { TOKEN_KINDS } from "../../../wasm/engine_api";

/** [kind, begin, end] triples for the text at the time of the request. */
export const setTokens = StateEffect.define<Uint32Array>();

interface TokenState {
  tokens: Uint32Array;
  /** The text they were made of. */
  doc: Doc;
  /** How the text has changed since the tokens were made. */
  changed: ChangeDesc | null;
}

/** What was deleted and is written again, or pasted over itself, has the tokens it had. */
function changedSince(state: TokenState, { changes, newDoc }: Transaction): TokenState {
  const { changed, doc } = state;
  if (newDoc.eq(doc)) return { ...state, changed: null };
  return { ...state, changed: changed ? changed.composeDesc(changes.desc) : changes.desc };
}

const tokenField = StateField.define<TokenState>({
  create: () => ({ tokens: new Uint32Array(), doc: Doc.empty, changed: null }),
  update(value, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(setTokens)) continue;
      return { tokens: effect.value, doc: transaction.newDoc, changed: null };
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

/** The ranges of what is on the screen; those of `before` that are the same are taken from there. */
function colourScreen(
  view: EditorView,
  screen: Screen,
  before: Map<Text, Coloured>,
): Map<Text, Coloured> {
  const state = view.state.field(tokenField);
  const now = new Map<Text, Coloured>();
  for (const line of linesOn(view, screen)) {
    for (const piece of piecesOf(view, line, screen)) {
      const { node, from, first, last } = piece;
      const tokens = tokensBetween(state, from + first, from + last);
      const old = before.get(node);
      const same = old && old.first === first && isSame(old.tokens, tokens);
      if (same) before.delete(node);
      now.set(node, same ? old : colour(piece, tokens));
    }
  }
  return now;
}

/** Keeps the ranges of what is on the screen; in browsers without highlights text has one colour. */
const highlighter = ViewPlugin.define((view) => {
  let coloured = new Map<Text, Coloured>();
  let screen: Screen | null = null;
  let waits = false;
  const draw = (): void => {
    waits = false;
    if (!screen) return;
    const before = coloured;
    coloured = colourScreen(view, screen, before);
    for (const old of before.values()) forget(old);
  };
  /** Once what is going on has ended: the page is as the state is then, and not painted yet. */
  const drawSoon = (): void => {
    if (waits || !CSS.highlights) return;
    waits = true;
    queueMicrotask(draw);
  };
  const look = (): void => {
    screen = screenOf(view);
    drawSoon();
  };
  const measure = (): void => view.requestMeasure({ key: look, read: look });
  view.scrollDOM.addEventListener("scroll", look, { passive: true });
  measure();
  return {
    update({ state, startState, geometryChanged }) {
      if (state.field(tokenField) !== startState.field(tokenField)) drawSoon();
      if (geometryChanged) measure();
    },
    docViewUpdate: drawSoon,
    destroy() {
      view.scrollDOM.removeEventListener("scroll", look);
      for (const old of coloured.values()) forget(old);
      coloured.clear();
    },
  };
});

export const highlighting = [tokenField, colouredText, highlighter];

export function applyTokens(view: EditorView, tokens: Uint32Array): void {
  view.dispatch({ effects: setTokens.of(tokens) });
}
