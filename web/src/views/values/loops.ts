/**
 * Loops of a trace. A loop's entries come before that of the instruction that loops; of its
 * iterations one is shown, and what the trace has kept of the others is told. Pure.
 */
import type { TraceEntry } from "../../../../wasm/engine_api";

export interface Loop {
  /** The same for the same instruction, in whatever iteration of the loops around it. */
  key: string;
  /** The instruction that loops; null where the run ended before it was done. */
  entry: TraceEntry | null;
  /** Loops around it. */
  level: number;
  /** Numbers of the iterations that the trace has, in order. */
  kept: number[];
  /** How many have begun; after them there may be the question whether there is another. */
  count: number;
  /** The one that is shown. */
  shown: number;
  /** Iterations, of those, that have lost values. */
  dropped: number[];
  /** The ids of its entries, the instruction's own included. */
  first: number;
  last: number;
}

export interface Unrolled {
  entries: TraceEntry[];
  loops: Loop[];
}

const keyOf = (entry: TraceEntry): string => `${entry.computation}/${entry.name}`;

/** The last iteration that did about as much as any: the last one of all may have ended at once. */
function lastWhole(parts: ReadonlyMap<number, TraceEntry[]>): number {
  const most = Math.max(...Array.from(parts.values(), (part) => part.length));
  let last = -1;
  for (const [number, part] of parts) if (2 * part.length > most) last = number;
  return last;
}

/** Whether of an iteration there is the condition alone: others have more computations in them. */
function onlyAsks(parts: ReadonlyMap<number, TraceEntry[]>, number: number): boolean {
  const namesOf = (part: readonly TraceEntry[]): Set<string> =>
    new Set(part.map(({ computation }) => computation));
  const own = namesOf(parts.get(number) ?? []);
  const before = namesOf(parts.get(number - 1) ?? []);
  return own.size < before.size && [...own].every((name) => before.has(name));
}

/**
 * The trace with one iteration of every loop: that of `wanted` (by its key), or the one that the
 * entry `focus` is of, else the last.
 */
export function unroll(
  trace: readonly TraceEntry[],
  wanted: Readonly<Record<string, number>>,
  focus: TraceEntry | null = null,
  level = 0,
): Unrolled {
  const found: Unrolled = { entries: [], loops: [] };
  let inside: TraceEntry[] = [];
  const close = (entry: TraceEntry | null): void => {
    const [begin] = inside;
    const end = entry ?? inside.at(-1);
    if (!begin || !end) return;
    const parts = new Map<number, TraceEntry[]>();
    for (const each of inside) {
      const number = each.iterations[level] ?? 0;
      const part = parts.get(number);
      if (part) part.push(each);
      else parts.set(number, [each]);
    }
    const key = entry ? keyOf(entry) : `${begin.computation}/`;
    const isAround = focus !== null && begin.id <= focus.id && focus.id < end.id + (entry ? 0 : 1);
    const asked = (isAround ? focus?.iterations[level] : undefined) ?? wanted[key] ?? -1;
    const shown = parts.has(asked) ? asked : lastWhole(parts);
    const kept = [...parts.keys()];
    const last = kept.at(-1) ?? 0;
    const ended = entry !== null && parts.size > 1 && onlyAsks(parts, last);
    found.loops.push({
      key,
      entry,
      level,
      kept,
      count: ended ? last : last + 1,
      shown,
      dropped: kept.filter((number) => parts.get(number)?.some(({ dropped }) => dropped)),
      first: begin.id,
      last: end.id,
    });
    const within = unroll(parts.get(shown) ?? [], wanted, focus, level + 1);
    found.entries.push(...within.entries);
    found.loops.push(...within.loops);
    inside = [];
  };
  for (const entry of trace) {
    if (entry.iterations.length > level) inside.push(entry);
    else {
      close(entry);
      found.entries.push(entry);
    }
  }
  close(null);
  return found;
}

/** The entry of the same instruction in another iteration of a loop around it; null for none. */
export function inIteration(
  trace: readonly TraceEntry[],
  entry: TraceEntry,
  level: number,
  iteration: number,
): TraceEntry | null {
  let found: TraceEntry | null = null;
  for (const other of trace) {
    const isSame = other.name === entry.name && other.computation === entry.computation;
    if (!isSame || (other.device ?? 0) !== (entry.device ?? 0)) continue;
    const fits = entry.iterations.every((number, i) =>
      i > level ? true : other.iterations[i] === (i === level ? iteration : number),
    );
    if (fits) found = other;
  }
  return found;
}

/** Numbers in order as stretches: [[0, 2], [7, 9]]. */
export function stretches(numbers: readonly number[]): [number, number][] {
  const all: [number, number][] = [];
  for (const number of numbers) {
    const last = all.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else all.push([number, number]);
  }
  return all;
}
