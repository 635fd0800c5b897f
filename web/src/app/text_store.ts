/**
 * Works as JSON texts: in session storage, if a page may not use the database (private windows,
 * blocked storage), in local storage what a page saves as it is being left, or in memory for the
 * lifetime of the page.
 */
import type { StoreKind } from "./state";
import type { Taken, Work, WorkStore } from "./work";

const PREFIX = "hlo-playground/";

/** Works as texts in a `Storage` or a map; the bytes of files are not saved. */
export class TextStore implements WorkStore {
  readonly kind: StoreKind;
  readonly #storage: Storage | null;
  readonly #works = new Map<string, Work>();

  constructor(storage: Storage | null) {
    this.#storage = storage;
    this.kind = storage ? "tab" : "page";
    for (let i = 0; storage && i < storage.length; i++) {
      const key = storage.key(i) ?? "";
      const text = key.startsWith(PREFIX) ? storage.getItem(key) : null;
      const work = text === null ? null : readWork(text);
      if (work) this.#works.set(work.id, work);
    }
  }

  async put(work: Work): Promise<void> {
    this.#works.set(work.id, work);
    this.#storage?.setItem(`${PREFIX}${work.id}`, JSON.stringify(work));
  }

  #take(found: Work | undefined): Taken | null {
    // No other page uses this storage: a work still marked open belonged to a page that crashed.
    return found ? { work: { ...found, open: true }, files: new Map(), copied: false } : null;
  }

  #newest(): Work[] {
    return [...this.#works.values()].sort((a, b) => b.savedAt - a.savedAt);
  }

  async take(id: string): Promise<Taken | null> {
    return this.#take(this.#works.get(id));
  }
  async takeLast(): Promise<Taken | null> {
    return this.#take(this.#newest()[0]);
  }
  async takeFrom(address: string): Promise<Taken | null> {
    return this.#take(this.#newest().find((work) => work.address === address));
  }
  async prune(keep: number): Promise<void> {
    for (const work of this.#newest().slice(keep)) this.forget(work);
  }

  /** All works in this store, and clearing it. */
  works(): Work[] {
    return [...this.#works.values()];
  }
  /** Unless it was saved again since. */
  forget(work: Work): void {
    if (this.#works.get(work.id) !== work) return;
    this.#works.delete(work.id);
    this.#storage?.removeItem(`${PREFIX}${work.id}`);
  }
}

function readWork(text: string): Work | null {
  try {
    return JSON.parse(text) as Work;
  } catch {
    return null;
  }
}
