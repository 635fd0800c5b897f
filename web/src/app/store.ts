/**
 * Where works are kept: in the browser's database, which outlives the tab; where a page may not use
 * it (private windows, blocked storage), in the tab's own storage, or in memory for as long as the
 * page stands.
 *
 * A work belongs to the one page that took it. Who wants one that a page is at gets a copy, so that
 * two tabs never write the same record.
 */
import { newId, type Work } from "./work";

export type StoreKind = "browser" | "tab" | "page";

export interface Taken {
  work: Work;
  files: Map<string, Uint8Array>;
  /** Another page is at it (or ended without a word): this is a copy under a name of its own. */
  copied: boolean;
}

export interface WorkStore {
  readonly kind: StoreKind;
  /** Rejects when there is no room (QuotaExceededError) or no storage any more. */
  put(work: Work, files: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** The work of a name, to go on with; null when there is none. */
  take(id: string): Promise<Taken | null>;
  /** The newest, and the newest that was left at an address. */
  takeLast(): Promise<Taken | null>;
  takeFrom(address: string): Promise<Taken | null>;
  /** Forgets all but the newest works, and files that none of them needs. */
  prune(keep: number): Promise<void>;
}

const NAME = "hlo-playground";
/** A database that does not open in this time is not waited for: there are browsers where it hangs. */
const OPEN_MS = 2000;

/** As the database has it: the text is apart. */
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

class DatabaseStore implements WorkStore {
  readonly kind = "browser";
  readonly #open: () => Promise<IDBDatabase>;
  #database: IDBDatabase | null;
  /** Files that are in the database, and the text that was put last. */
  readonly #known = new Set<string>();
  #last: { id: string; text: string } | null = null;

  constructor(database: IDBDatabase, open: () => Promise<IDBDatabase>) {
    this.#open = open;
    this.#database = this.#watched(database);
  }

  /** A connection that another page needs closed, or that the browser closes, is made again. */
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
      // The browser finishes what is committed, even when the page is gone.
      transaction.commit?.();
      this.#last = null;
      await done;
      this.#last = { id: work.id, text };
      for (const [key] of fresh) this.#known.add(key);
    };
    // Without a wait where there is a connection: a page that is left has no time for one.
    const begun = this.#begin();
    return begun ? write(begun) : this.#transaction().then(write);
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
    const transaction = await this.#transaction();
    const works = transaction.objectStore("works");
    const texts = transaction.objectStore("texts");
    const files = transaction.objectStore("files");
    const needed = new Set<string>();
    let seen = 0;
    const request = works.index("savedAt").openCursor(null, "prev");
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor && seen++ < keep) {
        for (const { file } of (cursor.value as Kept).inputs) if (file) needed.add(file.key);
        cursor.continue();
      } else if (cursor) {
        texts.delete(cursor.primaryKey);
        cursor.delete();
        cursor.continue();
      } else forget();
    };
    const forget = (): void => {
      const keys = files.getAllKeys();
      keys.onsuccess = () => {
        for (const key of keys.result) {
          if (typeof key !== "string" || needed.has(key)) continue;
          files.delete(key);
          this.#known.delete(key);
        }
      };
    };
    await finished(transaction);
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

/** Works as texts in a `Storage`, or in a map; files are kept in no text. */
class TextStore implements WorkStore {
  readonly kind: StoreKind;
  readonly #storage: Storage | null;
  readonly #works = new Map<string, Work>();

  constructor(storage: Storage | null) {
    this.#storage = storage;
    this.kind = storage ? "tab" : "page";
    for (let i = 0; storage && i < storage.length; i++) {
      const key = storage.key(i) ?? "";
      const text = key.startsWith(`${NAME}/`) ? storage.getItem(key) : null;
      const work = text === null ? null : readWork(text);
      if (work) this.#works.set(work.id, work);
    }
  }

  async put(work: Work): Promise<void> {
    this.#works.set(work.id, work);
    this.#storage?.setItem(`${NAME}/${work.id}`, JSON.stringify(work));
  }

  #take(found: Work | undefined): Taken | null {
    // Nobody else sees this storage: what is still open was left without a word.
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
    for (const { id } of this.#newest().slice(keep)) {
      this.#works.delete(id);
      this.#storage?.removeItem(`${NAME}/${id}`);
    }
  }
}

function readWork(text: string): Work | null {
  try {
    return JSON.parse(text) as Work;
  } catch {
    return null;
  }
}

function openDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    const timer = setTimeout(() => reject(new Error("the database does not open")), OPEN_MS);
    request.onupgradeneeded = () => {
      const works = request.result.createObjectStore("works", { keyPath: "id" });
      works.createIndex("savedAt", "savedAt");
      works.createIndex("address", ["address", "savedAt"]);
      request.result.createObjectStore("texts");
      request.result.createObjectStore("files");
    };
    request.onsuccess = () => {
      clearTimeout(timer);
      resolve(request.result);
    };
    request.onerror = () => {
      clearTimeout(timer);
      reject(request.error ?? new Error("the database does not open"));
    };
  });
}

function tabStorage(): Storage | null {
  try {
    const key = `${NAME}-probe`;
    sessionStorage.setItem(key, "");
    sessionStorage.removeItem(key);
    return sessionStorage;
  } catch {
    return null;
  }
}

/** The best store that there is; never rejects. */
export async function openStore(): Promise<WorkStore> {
  try {
    return new DatabaseStore(await openDatabase(), openDatabase);
  } catch {
    return new TextStore(tabStorage());
  }
}
