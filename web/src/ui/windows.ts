/** A long list of which there is what was looked at: it comes from the engine in windows. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

/** So many items come at a time. */
export const WINDOW = 200;

interface Windows<T> {
  readonly items: readonly T[];
  /** Asks for the next window of a list of `count` items, unless one is under way. */
  more(count: number): void;
}

/** The list begins anew when `key` changes; what was there stays until its first window has come. */
export function useWindows<T>(
  key: string,
  ask: (begin: number, count: number) => Promise<readonly T[]>,
): Windows<T> {
  const items = useSignal<readonly T[]>([]);
  /** The turn of the list, and whether a window of it is under way. */
  const now = useRef({ turn: 0, waits: false });
  const take = (before: readonly T[]): void => {
    const { turn } = now.current;
    now.current.waits = true;
    const done = (found: readonly T[]): void => {
      if (turn !== now.current.turn) return;
      now.current.waits = false;
      items.value = [...before, ...found];
    };
    ask(before.length, WINDOW).then(done, () => done([]));
  };
  useEffect(() => {
    now.current.turn++;
    take([]);
  }, [key]);
  return {
    items: items.value,
    more: (count) => {
      if (!now.current.waits && items.value.length < count) take(items.value);
    },
  };
}
