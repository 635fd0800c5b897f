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

/** A storage that the page may use; null if it may not. */
function usable(storage: () => Storage): Storage | null {
  try {
    const key = "hlo-playground-probe";
    storage().setItem(key, "");
    storage().removeItem(key);
    return storage();
  } catch {
    return null;
  }
}

/**
 * Moves works that were saved while the database was not open, or by a page that was being left,
 * into it. All writes start at once, so that later ones are queued after them.
 */
async function moveFrom(from: TextStore, to: DatabaseStore): Promise<void> {
  const move = async (work: Work): Promise<void> => {
    await to.putNewer(work);
    from.forget(work);
  };
  // Some may be saved again meanwhile.
  for (let left = from.works(); left.length > 0; left = from.works()) {
    const moved = await Promise.allSettled(left.map(move));
    if (moved.every(({ status }) => status === "rejected")) return;
  }
}

/** Where works are while they are not in the database. */
class Waiting {
  /** Saved by this tab before the database was open. */
  readonly tab = new TextStore(usable(() => sessionStorage));
  /** Saved by pages that were being left. */
  readonly left = new TextStore(usable(() => localStorage));

  async moveTo(database: DatabaseStore): Promise<void> {
    await Promise.all([moveFrom(this.tab, database), moveFrom(this.left, database)]);
  }
}

/** The tab's store until the database opens, and from then on the database. */
class LateStore implements WorkStore {
  #store: WorkStore;
  readonly moved: Promise<void>;

  constructor(waiting: Waiting, opening: Promise<DatabaseStore>) {
    this.#store = waiting.tab;
    this.moved = opening.then((database) => {
      this.#store = database;
      return waiting.moveTo(database);
    });
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

async function openBest(waiting: Waiting): Promise<WorkStore> {
  const opening = openDatabase().then(
    (database) => new DatabaseStore(database, openDatabase, waiting.left),
  );
  try {
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), OPEN_MS));
    const database = await Promise.race([opening, late]);
    if (!database) return new LateStore(waiting, opening);
    await waiting.moveTo(database);
    return database;
  } catch {
    return waiting.tab;
  }
}

export function openStores(): Stores {
  const waiting = new Waiting();
  return { meanwhile: waiting.tab, opened: openBest(waiting) };
}
