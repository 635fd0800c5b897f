/**
 * What folds, as the engine says: bodies of computations by the gutter, and what dumps write behind
 * every instruction by a command. A fold says in a word what it hides.
 */
import {
  codeFolding,
  foldEffect,
  foldedRanges,
  foldGutter,
  foldKeymap,
  foldService,
  unfoldEffect,
} from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import { type EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import type { App } from "../app/app";
import type { FoldKind } from "../app/taste";
import { element } from "./dom";
import {
  bodiesOf,
  countOf,
  type FoldRange,
  foldsField,
  kindAt,
  rangeAt,
  setFolds,
  wordOf,
} from "./folds";
import { foldingInLines, isInline, setFoldedKinds } from "./inline_folds";
import { editorWords } from "./words";

const w = editorWords.fold;

/** The engine is asked when nothing was typed for so long. */
const PAUSE_MS = 300;

/** So many are folded at a time: a program may have thousands, and the page goes on between. */
const AT_ONCE = 100;

/** Whether a range begins on the screen. */
function isVisible({ viewport }: EditorView, { from }: FoldRange): boolean {
  return viewport.from <= from && from < viewport.to;
}

type Chosen = (kind: FoldKind) => boolean;

/** What a view still folds: one request after the other. */
const pending = new WeakMap<EditorView, Promise<void>>();

/** Folds what is of a kind, the visible ones first, and is not folded in lines; `unfold`: opens it. */
function foldWhere(view: EditorView, is: Chosen, unfold = false): void {
  const before = pending.get(view) ?? Promise.resolve();
  pending.set(
    view,
    before.then(() => foldInParts(view, is, unfold)),
  );
}

/** Folds every computation but the entry. */
export const foldOthers = (view: EditorView): void =>
  foldWhere(view, (kind) => kind === "computation");

/** Which kinds are folded in a view, and no others. */
export function foldKinds(
  view: EditorView,
  kinds: readonly string[],
  before: readonly string[],
): void {
  view.dispatch({ effects: setFoldedKinds.of(kinds) });
  foldWhere(view, (kind) => kinds.includes(kind) && !before.includes(kind));
  foldWhere(view, (kind) => before.includes(kind) && !kinds.includes(kind), true);
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** So many are looked at in one task, if they are to be folded or not. */
const LOOKED_AT = 1_000;

/** What is of a kind and not folded in lines. Nothing once the text is another one. */
async function chosenOf(view: EditorView, is: Chosen): Promise<FoldRange[]> {
  const { state } = view;
  const folds = state.field(foldsField);
  const ranges: FoldRange[] = [];
  for (let i = 0; i < countOf(folds); ++i) {
    if (i % LOOKED_AT === 0) {
      await nextTask();
      if (view.state.doc !== state.doc) return [];
    }
    const kind = kindAt(folds, i);
    const range = kind && is(kind) ? rangeAt(folds, i) : null;
    if (range && !isInline(state, range)) ranges.push(range);
  }
  return ranges;
}

async function foldInParts(view: EditorView, is: Chosen, unfold: boolean): Promise<void> {
  const ranges = await chosenOf(view, is);
  const folded = new Set<string>();
  foldedRanges(view.state).between(0, view.state.doc.length, (from, to) => {
    folded.add(`${from} ${to}`);
  });
  const effect = unfold ? unfoldEffect : foldEffect;
  const todo = ranges.filter(({ from, to }) => folded.has(`${from} ${to}`) === unfold);
  const visible = todo.filter((range) => isVisible(view, range));
  const others = todo.filter((range) => !isVisible(view, range));
  const { doc } = view.state;
  for (const part of [visible, others]) {
    for (let i = 0; i < part.length; i += AT_ONCE) {
      await nextTask();
      if (view.state.doc !== doc) return;
      view.dispatch({
        effects: part.slice(i, i + AT_ONCE).map(({ from, to }) => effect.of({ from, to })),
      });
    }
  }
}

/** The computation that a line begins. */
const bodyAtLine = foldService.of((state, lineStart, lineEnd) => {
  const body = bodiesOf(state).find(({ from }) => from >= lineStart && from <= lineEnd);
  return body && body.to > lineEnd ? { from: body.from, to: body.to } : null;
});

function placeholder(word: string, onclick: (event: Event) => void): HTMLElement {
  const node = element("span", "cm-fold", word);
  node.title = w.unfold(word);
  node.setAttribute("role", "button");
  node.setAttribute("aria-label", w.unfold(word));
  node.addEventListener("click", onclick);
  return node;
}

const placeholders = codeFolding({
  preparePlaceholder: (state, { from, to }) => wordOf(state, from, to),
  placeholderDOM: (_view, onclick, word: string) => placeholder(word, onclick),
});

const gutter = foldGutter({
  foldingChanged: ({ startState, state }) =>
    startState.field(foldsField) !== state.field(foldsField),
  markerDOM: (open) => {
    const node = element("span", "cm-fold-marker", open ? "⌄" : "›");
    node.title = w.gutter(open);
    return node;
  },
});

/** Whether a whole text came in the place of another. */
function isNewText({ transactions }: ViewUpdate): boolean {
  return transactions.some(({ changes, startState, docChanged }) => {
    let isWhole = false;
    if (docChanged) {
      changes.iterChanges((from, to) => {
        isWhole = from === 0 && to === startState.doc.length;
      });
    }
    return isWhole;
  });
}

/** Asks the engine what folds; `arrived` is told when it has answered about a text that is new. */
function asking(app: App, arrived: (view: EditorView) => void): Extension {
  return ViewPlugin.fromClass(
    class {
      #timer: ReturnType<typeof setTimeout> | undefined;
      #isNew = true;

      constructor(readonly view: EditorView) {
        void this.#ask();
      }

      update(update: ViewUpdate): void {
        if (!update.docChanged) return;
        const isNew = isNewText(update);
        this.#isNew ||= isNew;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#ask(), isNew ? 0 : PAUSE_MS);
      }

      destroy(): void {
        clearTimeout(this.#timer);
      }

      async #ask(): Promise<void> {
        const { doc } = this.view.state;
        // A new text folds before it is checked. Later the engine that colours has to be free.
        const { results, typing } = app.engines;
        const engine = this.#isNew ? results : typing;
        const triples = await engine.call("folds", [doc.toString()]).catch(() => null);
        if (!triples || this.view.state.doc !== doc) return;
        this.view.dispatch({ effects: setFolds.of(triples) });
        if (this.#isNew) arrived(this.view);
        this.#isNew = false;
      }
    },
  );
}

export const folding = (app: App, arrived: (view: EditorView) => void): Extension => [
  foldsField,
  bodyAtLine,
  placeholders,
  foldingInLines(placeholder),
  gutter,
  keymap.of(foldKeymap),
  asking(app, arrived),
];

/** Where the entry's line begins; null where the text has none. */
export function entryAt(state: EditorState): number | null {
  const entry = bodiesOf(state).find(({ kind }) => kind === "entry");
  return entry ? state.doc.lineAt(entry.from).from : null;
}

export { unfoldAll } from "@codemirror/language";
