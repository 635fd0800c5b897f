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
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
} from "@codemirror/state";
import { type EditorView, keymap, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { FOLD_KINDS } from "../../../wasm/engine_api";
import type { App } from "../app/app";
import type { FoldKind } from "../app/taste";
import { element } from "./language";
import { editorWords } from "./words";

const w = editorWords.fold;

/** The engine is asked when nothing was typed for so long. */
const PAUSE_MS = 300;

/** [kind, begin, end] triples of a text, and how it has changed since. */
interface Folds {
  triples: Uint32Array;
  changes: ChangeDesc | null;
}

export interface FoldRange {
  kind: FoldKind;
  from: number;
  to: number;
}

const BODIES: ReadonlySet<string> = new Set(["entry", "computation"] satisfies FoldKind[]);

const setFolds = StateEffect.define<Uint32Array>();

const foldsField = StateField.define<Folds>({
  create: () => ({ triples: new Uint32Array(), changes: null }),
  update(folds, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setFolds)) return { triples: effect.value, changes: null };
    }
    if (!transaction.docChanged) return folds;
    const { changes } = transaction;
    return { ...folds, changes: folds.changes?.composeDesc(changes) ?? changes.desc };
  },
});

/**
 * The i-th of what folds, in a text as it is now; null if it is gone. A dump has one for every
 * instruction: only those that are asked for follow the changes.
 */
function rangeAt({ triples, changes }: Folds, i: number): FoldRange | null {
  const kind = FOLD_KINDS[triples[3 * i] ?? 0];
  const [begin = 0, end = 0] = [triples[3 * i + 1], triples[3 * i + 2]];
  const from = changes?.mapPos(begin, 1) ?? begin;
  const to = changes?.mapPos(end, -1) ?? end;
  return kind && from < to ? { kind, from, to } : null;
}

function rangesOf(folds: Folds, indices: Iterable<number>): FoldRange[] {
  const ranges: FoldRange[] = [];
  for (const i of indices) {
    const range = rangeAt(folds, i);
    if (range) ranges.push(range);
  }
  return ranges;
}

const countOf = ({ triples }: Folds): number => Math.floor(triples.length / 3);

/** Which triples are bodies of computations, by the array of the triples. */
const bodyIndices = new WeakMap<Uint32Array, number[]>();

function bodiesOf(state: EditorState): FoldRange[] {
  const folds = state.field(foldsField);
  let indices = bodyIndices.get(folds.triples);
  if (!indices) {
    indices = [];
    for (let i = 0; i < countOf(folds); ++i) {
      if (BODIES.has(FOLD_KINDS[folds.triples[3 * i] ?? 0] ?? "")) indices.push(i);
    }
    bodyIndices.set(folds.triples, indices);
  }
  return rangesOf(folds, indices);
}

/** What begins to fold at a position. The triples are in the order of their beginnings. */
function foldFrom(state: EditorState, from: number): FoldRange | null {
  const folds = state.field(foldsField);
  const startOf = (i: number): number => {
    const begin = folds.triples[3 * i + 1] ?? 0;
    return folds.changes?.mapPos(begin, 1) ?? begin;
  };
  let low = 0;
  let high = countOf(folds);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (startOf(middle) < from) low = middle + 1;
    else high = middle;
  }
  // What was deleted lies where the next begins.
  for (; low < countOf(folds) && startOf(low) === from; low++) {
    const found = rangeAt(folds, low);
    if (found) return found;
  }
  return null;
}

function wordOf(state: EditorState, from: number, to: number): string {
  const fold = foldFrom(state, from);
  const { doc } = state;
  if (fold && !BODIES.has(fold.kind)) return w.kind(fold.kind, to - from);
  return w.lines(Math.max(1, doc.lineAt(to).number - doc.lineAt(from).number - 1));
}

/** So many are folded at a time: a dump has tens of thousands, and the page goes on between. */
const AT_ONCE = 100;

/** Whether a range begins on the screen. */
function isVisible({ viewport }: EditorView, { from }: FoldRange): boolean {
  return viewport.from <= from && from < viewport.to;
}

type Chosen = (range: FoldRange) => boolean;

/** What a view still folds: one request after the other. */
const pending = new WeakMap<EditorView, Promise<void>>();

/** Folds those that are wanted, the visible ones first; `unfold`: opens them. */
export function foldWhere(view: EditorView, is: Chosen, unfold = false): void {
  const before = pending.get(view) ?? Promise.resolve();
  pending.set(
    view,
    before.then(() => foldInParts(view, is, unfold)),
  );
}

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

async function foldInParts(view: EditorView, is: Chosen, unfold: boolean): Promise<void> {
  // Of a dump the choice alone is a task.
  await nextTask();
  const folds = view.state.field(foldsField);
  const ranges = rangesOf(folds, Array(countOf(folds)).keys()).filter(is);
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

const placeholders = codeFolding({
  preparePlaceholder: (state, { from, to }) => wordOf(state, from, to),
  placeholderDOM: (_view, onclick, word: string) => {
    const node = element("span", "cm-fold", word);
    node.title = w.unfold(word);
    node.setAttribute("role", "button");
    node.setAttribute("aria-label", w.unfold(word));
    node.addEventListener("click", onclick);
    return node;
  },
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
