/**
 * Where works are kept: in the browser's database, which outlives the tab; where a page may not use
 * it, in the tab's own storage, or in memory.
 */
import { DatabaseStore, openDatabase } from "./database_store";
import type { StoreKind } from "./state";
import { TextStore } from "./text_store";
import type { Taken, Work, WorkStore } from "./work";

/**
 * A database that does not open in this time is not waited for: a busy machine takes seconds, and
 * there are browsers where it hangs.
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
 * Works that a tab kept while it had no database go there. All of them begin at once: what is put
 * afterwards is newer and comes behind them.
 */
async function moveWorks(from: TextStore, to: WorkStore): Promise<void> {
  const move = async (work: Work): Promise<void> => {
    await to.put(work, new Map());
    from.forget(work.id);
  };
  await Promise.allSettled(from.works().map(move));
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

/** The best store that there is; never rejects. */
export async function openStore(): Promise<WorkStore> {
  const tab = new TextStore(tabStorage());
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
