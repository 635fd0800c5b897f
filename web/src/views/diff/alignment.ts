/**
 * What changed between two texts whose corresponding lines the engine says: it knows which
 * instruction is which, also where all names are other ones.
 */

/** A part of the text before, and what stands in its place: offsets into both texts. */
export interface TextChange {
  fromA: number;
  toA: number;
  fromB: number;
  toB: number;
}

/** Offsets at which lines begin, with one more at the end, as if another line began there. */
export function lineStarts(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return Uint32Array.from(starts);
}

/** Where two lines differ: all but what they begin and end with alike. */
function withinLines(a: string, b: string): TextChange {
  const most = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < most && a[begin] === b[begin]) begin++;
  let end = 0;
  while (end < most - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return { fromA: begin, toA: a.length - end, fromB: begin, toB: b.length - end };
}

/** `pairs`: lines of a and of b that correspond, both rising. Linear in the texts. */
export function changesBetween(a: string, b: string, pairs: ArrayLike<number>): TextChange[] {
  const startsA = lineStarts(a);
  const startsB = lineStarts(b);
  const changes: TextChange[] = [];
  /** Adds a change; one that touches the last becomes a part of it. */
  const add = (fromA: number, toA: number, fromB: number, toB: number): void => {
    if (fromA === toA && fromB === toB) return;
    const last = changes.at(-1);
    if (last && last.toA === fromA && last.toB === fromB) {
      last.toA = toA;
      last.toB = toB;
    } else changes.push({ fromA, toA, fromB, toB });
  };
  const start = (starts: Uint32Array, line: number, text: string): number =>
    Math.min(starts[line] ?? text.length, text.length);
  let lineA = 0;
  let lineB = 0;
  const gapTo = (nextA: number, nextB: number): void => {
    add(
      start(startsA, lineA, a),
      start(startsA, nextA, a),
      start(startsB, lineB, b),
      start(startsB, nextB, b),
    );
  };
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const nextA = pairs[i] ?? 0;
    const nextB = pairs[i + 1] ?? 0;
    gapTo(nextA, nextB);
    const beginA = start(startsA, nextA, a);
    const beginB = start(startsB, nextB, b);
    const textA = a.slice(beginA, (startsA[nextA + 1] ?? a.length + 1) - 1);
    const textB = b.slice(beginB, (startsB[nextB + 1] ?? b.length + 1) - 1);
    if (textA !== textB) {
      const inner = withinLines(textA, textB);
      add(beginA + inner.fromA, beginA + inner.toA, beginB + inner.fromB, beginB + inner.toB);
    }
    // The last line of a text may end without a line break.
    const endA = beginA + textA.length;
    const endB = beginB + textB.length;
    const breaks = [endA < a.length, endB < b.length];
    if (breaks[0] !== breaks[1]) {
      add(endA, endA + Number(breaks[0]), endB, endB + Number(breaks[1]));
    }
    lineA = nextA + 1;
    lineB = nextB + 1;
  }
  gapTo(startsA.length - 1, startsB.length - 1);
  return changes;
}
