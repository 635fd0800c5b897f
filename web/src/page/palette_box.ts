import type { Signal } from "@preact/signals";

/** What the box and the list of the command palette share. */
export interface PaletteBox {
  query: Signal<string>;
  /** The chosen row, and how many rows there are. */
  at: Signal<number>;
  count: Signal<number>;
  /** Takes Enter and the arrows; null before the list is there. */
  hear: ((key: string) => void) | null;
  /** The keys that came before it was. */
  early: string[];
}
