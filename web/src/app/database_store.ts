/**
 * Stores works in IndexedDB.
 *
 * A work is owned by the page that took it. Another page that opens it gets a copy, so that two
 * tabs never write the same record.
 */
import type { TextStore } from "./text_store";
import { newId, type Taken, type Work, type WorkStore } from "./work";

const NAME = "hlo-playground";

/** A work as stored: without its text, which has a store of its own. */
type Kept = Omit<Work, "text">;

/** A work as somebody goes on with it. */
function taken(work: Work): { work: Work; copied: boolean } {
  const copied = work.open;
  return { copied, work: { ...work, open: true, ...(copied ? { id: newId() } : {}) } };
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database gave no answer"));
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    const fail = (): void => reject(transaction.error ?? new Error("the database gave up"));
    transaction.onabort = fail;
    transaction.onerror = fail;
  });
}

/** Works without their texts, their texts, and the bytes of their files: each by its name. */
const STORES = ["works", "texts", "files"];

export class DatabaseStore implements WorkStore {
  readonly kind = "browser";
  readonly #open: () => Promise<IDBDatabase>;
  readonly #left: TextStore;
  #database: IDBDatabase | null;
  /** Files that are in the database, and the text that was put last. */
  readonly #known = new Set<string>();
  #last: { id: string; text: string } | null = null;
  #puts = 0;

  /** `left`: what a page saves as it is being left is in there too until the database has it. */
  constructor(database: IDBDatabase, open: () => Promise<IDBDatabase>, left: TextStore) {
    this.#open = open;
    this.#left = left;
    this.#database = this.#watched(database);
  }

  /** The connection; reopened if the browser closes it or another page requests that. */
  #watched(database: IDBDatabase): IDBDatabase {
    database.onversionchange = () => database.close();
    database.onclose = () => {
      this.#database = null;
    };
    return database;
  }

  #begin(): IDBTransaction | null {
    try {
      return this.#database?.transaction(STORES, "readwrite") ?? null;
    } catch {
      this.#database = null;
      return null;
    }
  }

  async #transaction(): Promise<IDBTransaction> {
    const begun = this.#begin();
    if (begun) return begun;
    this.#database = this.#watched(await this.#open());
    return this.#database.transaction(STORES, "readwrite");
  }

  put(work: Work, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const fresh = [...files].filter(([key]) => !this.#known.has(key));
    const { text, ...rest } = work;
    const write = async (transaction: IDBTransaction): Promise<void> => {
      transaction.objectStore("works").put(rest);
      // The cursor moves more often than a long text changes.
      const isKnown = this.#last?.id === work.id && this.#last.text === text;
      if (!isKnown) transaction.objectStore("texts").put(text, work.id);
      for (const [key, bytes] of fresh) transaction.objectStore("files").put(bytes, key);
      const done = finished(transaction);
      // The browser completes a committed transaction even after the page is closed.
      transaction.commit?.();
      this.#last = null;
      const put = ++this.#puts;
      await done;
      this.#left.forget(work);
      // Of two in progress, the second one counts.
      if (put === this.#puts) this.#last = { id: work.id, text };
      for (const [key] of fresh) this.#known.add(key);
    };
    // A transaction that waits for that of another page is lost with the page that began it.
    if (!work.open) this.#left.put(work).catch(() => undefined);
    // Synchronously if there is a connection: a page that is being closed cannot wait.
    const begun = this.#begin();
    return begun ? write(begun) : this.#transaction().then(write);
  }

  /** Stores a work unless a record as new as that is there. */
  async putNewer({ text, ...rest }: Work): Promise<void> {
    const transaction = await this.#transaction();
    const works = transaction.objectStore("works");
    const request = works.get(rest.id) as IDBRequest<Kept | undefined>;
    request.onsuccess = () => {
      if ((request.result?.savedAt ?? 0) >= rest.savedAt) return;
      works.put(rest);
      transaction.objectStore("texts").put(text, rest.id);
    };
    await finished(transaction);
  }

  async #take(find: (works: IDBObjectStore) => Promise<Kept | undefined>): Promise<Taken | null> {
    const transaction = await this.#transaction();
    const done = finished(transaction);
    done.catch(() => undefined);
    const works = transaction.objectStore("works");
    const texts = transaction.objectStore("texts");
    const found = await find(works);
    const text = found ? ((await answered(texts.get(found.id))) as unknown) : undefined;
    if (!found || typeof text !== "string") return null;
    const { work, copied } = taken({ ...found, text });
    const { text: _, ...rest } = work;
    works.put(rest);
    if (copied) texts.put(text, work.id);
    const files = new Map<string, Uint8Array>();
    for (const { file } of work.inputs) {
      if (!file?.key) continue;
      const bytes = (await answered(transaction.objectStore("files").get(file.key))) as unknown;
      if (bytes instanceof Uint8Array) files.set(file.key, bytes);
    }
    await done;
    for (const key of files.keys()) this.#known.add(key);
    return { work, files, copied };
  }

  take(id: string): Promise<Taken | null> {
    return this.#take((works) => answered(works.get(id) as IDBRequest<Kept | undefined>));
  }

  takeLast(): Promise<Taken | null> {
    return this.#take((works) => newest(works, null));
  }

  takeFrom(address: string): Promise<Taken | null> {
    return this.#take((works) => newest(works, address));
  }

  async prune(keep: number): Promise<void> {
    const { pruneWorks } = await import("./pruning");
    const transaction = await this.#transaction();
    const deleted = pruneWorks(transaction, keep);
    await finished(transaction);
    for (const key of deleted) this.#known.delete(key);
  }
}

/** Of all works, or of those at an address. */
async function newest(works: IDBObjectStore, address: string | null): Promise<Kept | undefined> {
  const range =
    address === null ? null : IDBKeyRange.bound([address, 0], [address, Number.MAX_SAFE_INTEGER]);
  const index = works.index(address === null ? "savedAt" : "address");
  const cursor = await answered(index.openCursor(range, "prev"));
  return cursor?.value as Kept | undefined;
}

/** Opens the database, however long that takes; rejects where a page may not have one. */
export function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      const works = request.result.createObjectStore("works", { keyPath: "id" });
      works.createIndex("savedAt", "savedAt");
      works.createIndex("address", ["address", "savedAt"]);
      request.result.createObjectStore("texts");
      request.result.createObjectStore("files");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the database does not open"));
  });
}
