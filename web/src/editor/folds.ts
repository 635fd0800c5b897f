/** What can be folded of a text, as the engine says, and where it is while the text changes. */
import { type ChangeDesc, type EditorState, StateEffect, StateField } from "@codemirror/state";
import { FOLD_KINDS } from "../../../wasm/engine_api";
import type { FoldKind } from "../app/taste";
import { editorWords } from "./words";

/** [kind, begin, end] triples of a text, and how it has changed since. */
export interface Folds {
  triples: Uint32Array;
  changes: ChangeDesc | null;
}

export interface FoldRange {
  kind: FoldKind;
  from: number;
  to: number;
}

/** Computations: they are folded one by one, everything else by its kind. */
export const BODIES: ReadonlySet<FoldKind> = new Set(["entry", "computation"] satisfies FoldKind[]);

/** What the engine says of the text as it is. */
export const setFolds = StateEffect.define<Uint32Array>();

export const foldsField = StateField.define<Folds>({
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

export const kindAt = ({ triples }: Folds, i: number): FoldKind | undefined =>
  FOLD_KINDS[triples[3 * i] ?? 0];

/**
 * The i-th of what folds, in a text as it is now; null if it is gone. A dump has one for every
 * instruction: only those that are asked for follow the changes.
 */
export function rangeAt(folds: Folds, i: number): FoldRange | null {
  const kind = kindAt(folds, i);
  const { triples, changes } = folds;
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

export const countOf = ({ triples }: Folds): number => Math.floor(triples.length / 3);

/** Which triples are bodies of computations, by the array of the triples. */
const bodyIndices = new WeakMap<Uint32Array, number[]>();

/** The bodies of computations. */
export function bodiesOf(state: EditorState): FoldRange[] {
  const folds = state.field(foldsField);
  let indices = bodyIndices.get(folds.triples);
  if (!indices) {
    indices = [];
    for (let i = 0; i < countOf(folds); ++i) {
      const kind = kindAt(folds, i);
      if (kind && BODIES.has(kind)) indices.push(i);
    }
    bodyIndices.set(folds.triples, indices);
  }
  return rangesOf(folds, indices);
}

/** The first that begins at a position or behind it. The triples are in the order of their beginnings. */
function firstFrom({ triples, changes }: Folds, from: number): number {
  let low = 0;
  let high = Math.floor(triples.length / 3);
  while (low < high) {
    const middle = (low + high) >> 1;
    const begin = triples[3 * middle + 1] ?? 0;
    if ((changes?.mapPos(begin, 1) ?? begin) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What begins to fold between two positions, the second included. */
export function foldsBetween(folds: Folds, from: number, to: number): FoldRange[] {
  const found: FoldRange[] = [];
  const { triples, changes } = folds;
  for (let i = firstFrom(folds, from); i < countOf(folds); ++i) {
    const begin = triples[3 * i + 1] ?? 0;
    if ((changes?.mapPos(begin, 1) ?? begin) > to) break;
    const range = rangeAt(folds, i);
    if (range) found.push(range);
  }
  return found;
}

/** What a fold says that it hides. */
export function wordOf(state: EditorState, from: number, to: number): string {
  const fold = foldsBetween(state.field(foldsField), from, from)[0];
  const { doc } = state;
  if (fold && !BODIES.has(fold.kind)) return editorWords.fold.kind(fold.kind, to - from);
  return editorWords.fold.lines(Math.max(1, doc.lineAt(to).number - doc.lineAt(from).number - 1));
}
