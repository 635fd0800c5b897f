/**
 * Where works are saved: in IndexedDB, which outlives the tab; if a page may not use it, in session
 * storage, or in memory.
 */
import { DatabaseStore, openDatabase } from "./database_store";
import type { StoreKind } from "./state";
import { TextStore } from "./text_store";
import type { Taken, Work, WorkStore } from "./work";

/**
 * How long to wait for the database to open: a busy machine takes seconds, and in some browsers it
 * hangs.
 */
const OPEN_MS = 2000;

function tabStorage(): Storage | null {
  try {
    const key = "hlo-playground-probe";
    sessionStorage.setItem(key, "");
    sessionStorage.removeItem(key);
    return sessionStorage;
  } catch {
    return null;
  }
}

/**
 * Moves works that a tab saved while the database was not open into it. All writes start at once,
 * so that later ones are queued after them.
 */
async function moveWorks(from: TextStore, to: WorkStore): Promise<void> {
  const move = async (work: Work): Promise<void> => {
    await to.put(work, new Map());
    from.forget(work);
  };
  // Some may be saved again meanwhile.
  for (let left = from.works(); left.length > 0; left = from.works()) {
    const moved = await Promise.allSettled(left.map(move));
    if (moved.every(({ status }) => status === "rejected")) return;
  }
}

/** The tab's store until the database opens, and from then on the database. */
class LateStore implements WorkStore {
  #store: WorkStore;
  readonly moved: Promise<void>;

  constructor(tab: TextStore, opening: Promise<WorkStore>) {
    this.#store = tab;
    const change = (database: WorkStore): Promise<void> => {
      this.#store = database;
      return moveWorks(tab, database);
    };
    this.moved = opening.then(change);
    this.moved.catch(() => undefined);
  }

  get kind(): StoreKind {
    return this.#store.kind;
  }
  put(work: Work, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    return this.#store.put(work, files);
  }
  take(id: string): Promise<Taken | null> {
    return this.#store.take(id);
  }
  takeLast(): Promise<Taken | null> {
    return this.#store.takeLast();
  }
  takeFrom(address: string): Promise<Taken | null> {
    return this.#store.takeFrom(address);
  }
  prune(keep: number): Promise<void> {
    return this.#store.prune(keep);
  }
}

/** Where to save works. */
export interface Stores {
  /** The tab's storage, which is there at once: what it holds goes to the other one when that opens. */
  meanwhile: WorkStore;
  /** The best store that there is; never rejects. */
  opened: Promise<WorkStore>;
}

async function openBest(tab: TextStore): Promise<WorkStore> {
  const opening = openDatabase().then((database) => new DatabaseStore(database, openDatabase));
  try {
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), OPEN_MS));
    const database = await Promise.race([opening, late]);
    if (!database) return new LateStore(tab, opening);
    await moveWorks(tab, database);
    return database;
  } catch {
    return tab;
  }
}

export function openStores(): Stores {
  const tab = new TextStore(tabStorage());
  return { meanwhile: tab, opened: openBest(tab) };
}
