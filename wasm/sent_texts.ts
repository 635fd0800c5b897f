/**
 * The texts that a worker has: calls refer to them by number, and an edited text is sent as a
 * change. Callers pass the whole text and need not know.
 */
import type { ProgramText, TextChange } from "./engine_api";
import type { TextUpdate } from "./protocol";

/** Shorter texts are sent inline. */
const SHORT = 2000;
/** How many texts are kept: the program, and one that is shown beside it. */
const KEPT = 2;

/** The largest n up to `most` for which all of [0, n) is the same. Compares nothing twice. */
function common(most: number, same: (begin: number, end: number) => boolean): number {
  let low = 0;
  let high = most;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (same(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

const isHalf = (text: string, at: number): boolean => /[\ud800-\udfff]/.test(text.charAt(at));

/** The single change that turns `before` into `after`. Does not split surrogate pairs. */
export function changeOf(before: string, after: string): TextChange {
  const [m, n] = [before.length, after.length];
  const most = Math.min(m, n);
  let from = common(most, (i, j) => before.slice(i, j) === after.slice(i, j));
  while (isHalf(before, from - 1)) from--;
  let end = common(most - from, (i, j) => before.slice(m - j, m - i) === after.slice(n - j, n - i));
  while (isHalf(before, m - end)) end--;
  return { from, to: m - end, insert: after.slice(from, n - end) };
}

export class SentTexts {
  /** The last that was asked about comes first. */
  #known: { number: number; text: string }[] = [];

  /** How to refer to a text, and what the worker has to be sent first. */
  refer(text: string): { text: ProgramText; update?: TextUpdate } {
    if (text.length < SHORT) return { text };
    const near = this.#known
      .map((known) => ({ number: known.number, change: changeOf(known.text, text) }))
      .find(({ change }) => change.insert.length < text.length / 2);
    const number = (near ?? this.#known[KEPT - 1])?.number ?? this.#known.length + 1;
    this.#known = [{ number, text }, ...this.#known.filter((known) => known.number !== number)];
    const named = { text: { $document: number } };
    if (!near) return { ...named, update: { method: "open", args: [number, text] } };
    const { change } = near;
    const isSame = !change.insert && change.from === change.to;
    return isSame ? named : { ...named, update: { method: "edit", args: [number, [change]] } };
  }

  /** The worker was replaced, or has lost the texts. */
  forget(): void {
    this.#known = [];
  }
}
