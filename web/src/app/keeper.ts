/**
 * Saves the user's work: in the store at every pause, at least every second, and when the page is
 * left; in the address bar if it fits. Every history entry has the id of its work, so that Back and
 * Reload restore it as it was left.
 */
import { effect } from "@preact/signals";
import type { App, WorkKeeper } from "./app";
import { writable } from "./state";
import { digest, filesOf, newId, noteKept, type Taken, type Work, type WorkStore } from "./work";

/** Delay before a change is saved, and minimum interval between saves. */
const SAVE_MS = 200;
/** The address is updated after an idle time, at the latest after the second time. */
const ADDRESS_MS = 700;
const ADDRESS_AT_LATEST_MS = 3000;
/** How long to wait for a work that is known to be stored, if the database opens late. */
const LATE_MS = 10_000;
/** Maximum share of time spent saving: long programs are saved less often. */
const SHARE = 0.05;
/** How many works are kept; and how many if storage is full. */
const MOST_KEPT = 30;
const FEW_KEPT = 3;

/** What the keeper needs from the page. */
export interface Kept {
  /** What is on the screen, as a record without an id. */
  work(): Omit<Work, "id" | "savedAt" | "open" | "address">;
  /** The address for what is on the screen; null if it does not fit. */
  hash(): Promise<{ hash: string; whole: boolean }>;
  /** Reads every signal whose changes are to be saved. */
  watch(): void;
}

interface Entry {
  work?: unknown;
}

/** Where a tab stores which work it has open, and at which addresses. */
const TAB_KEY = "hlo-playground-work";

interface TabNote {
  id: string;
  /** Digests of the current and the previous address: a reload may use either. */
  addresses: string[];
}

function readTab(): TabNote | null {
  try {
    return JSON.parse(sessionStorage.getItem(TAB_KEY) ?? "null") as TabNote | null;
  } catch {
    return null;
  }
}

function nameTab(id: string, address: string): void {
  const [last = ""] = readTab()?.addresses ?? [];
  const addresses = [address, address === last ? "" : last];
  try {
    sessionStorage.setItem(TAB_KEY, JSON.stringify({ id, addresses }));
  } catch {
    // Without storage only the history entry is left.
  }
}

/**
 * The work that was open in this tab before a reload. A browser may lose the history entry's state
 * if the address changes at the moment of a reload. If the user reloads right after going to
 * another address, that address counts.
 */
function reloadedWork(): string | null {
  const [how] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (how?.type !== "reload") return null;
  const note = readTab();
  return note?.addresses.includes(digest(window.location.hash)) ? note.id : null;
}

export class Keeper implements WorkKeeper {
  readonly #app: App;
  readonly #store: Promise<WorkStore>;
  readonly #meanwhile: WorkStore | null;
  readonly #kept: Kept;
  #id = newId();
  #address = "";
  /**
   * The hash that the page last handled: a different one is a navigation that is still to be
   * handled.
   */
  #known = window.location.hash;
  #begun = false;
  /** The work has had a text before: only then is an empty one worth saving. */
  #hadText = false;
  #changed = false;
  /** The text of another work, which is still on the screen for a moment. */
  #other: string | null = null;
  #saveTimer: ReturnType<typeof setTimeout> | undefined;
  #addressTimer: ReturnType<typeof setTimeout> | undefined;
  /** Since when the address is out of date; 0 while it is up to date. */
  #behind = 0;
  /** Counts the updates of the address that were begun. */
  #followed = 0;
  #savedIn = 0;
  #ready: WorkStore | null = null;

  /** `meanwhile`: what is saved before the store is open is in there too. */
  constructor(app: App, store: Promise<WorkStore>, kept: Kept, meanwhile?: WorkStore) {
    this.#app = app;
    this.#store = store;
    this.#meanwhile = meanwhile ?? null;
    this.#kept = kept;
    store.then((ready) => {
      this.#ready = ready;
      const { keeping } = writable(app.state);
      const tell = (): void => {
        keeping.value = { ...keeping.peek(), store: ready.kind };
      };
      tell();
      ready.moved?.then(tell, () => undefined);
    });
  }

  /** The id of the work of the current history entry; null if it has none. */
  static named(): string | null {
    const entry = window.history.state as Entry | null;
    return typeof entry?.work === "string" ? entry.work : null;
  }

  /** The work to continue after a reload; null if there is none. */
  static opened(): string | null {
    return Keeper.named() ?? reloadedWork();
  }

  /** The work of a name, the last one, or the last one left at an address. */
  async find(of: { id: string } | { hash: string } | "last"): Promise<Taken | null> {
    try {
      const store = await this.#store;
      if (of === "last") return await store.takeLast();
      if ("hash" in of) return await store.takeFrom(digest(of.hash));
      const found = await store.take(of.id);
      if (found || !store.moved) return found;
      // The alternative is older than what the user wrote.
      const late = new Promise<void>((resolve) => setTimeout(resolve, LATE_MS));
      await Promise.race([store.moved, late]);
      return await store.take(of.id);
    } catch {
      return null;
    }
  }

  /** Continues under an id: that of a work that was opened, or a new one. */
  goOn(id: string = newId()): void {
    this.#id = id;
    this.#hadText = false;
    this.#address = digest(window.location.hash);
    this.#changed = true;
    this.#nameEntry(window.location.href);
    if (this.#begun) this.#later();
  }

  /**
   * While a work that was navigated to is loading, the previous one is on the screen: its text must
   * not be saved under the new id. `current`: nothing else was opened meanwhile; if something was,
   * it is for that to say when the text has gone.
   */
  async whileShowing(shown: Promise<void>, current: () => boolean): Promise<void> {
    const other = this.#kept.work().text;
    this.#other = other;
    try {
      await shown;
    } catch (error) {
      // What stays on the screen is no part of that work.
      if (current()) this.goOn();
      throw error;
    } finally {
      if (current()) this.#other = null;
      if (this.#begun) this.#later();
    }
  }

  /** Starts a history entry for another work; the previous one is left unchanged. */
  leaveFor(hash: string): void {
    void this.leave();
    this.#other = null;
    this.#id = newId();
    this.#hadText = false;
    window.history.pushState({ work: this.#id }, "", hash);
    this.#known = window.location.hash;
    this.#address = digest(hash);
    nameTab(this.#id, digest(window.location.hash));
  }

  /**
   * Saves what is on the screen before the page shows something else; the promise resolves when
   * that is done.
   */
  async leave(): Promise<void> {
    if (!this.#begun) return;
    this.#stopTimers();
    await this.#save(false);
  }

  /** Starts saving changes. */
  begin(): () => void {
    if (this.#begun) return () => undefined;
    this.#begun = true;
    const stop = effect(() => {
      this.#kept.watch();
      this.#changed = true;
      this.#later();
    });
    const onHide = (): void => void this.#save(false);
    const onShow = (event: PageTransitionEvent): void => {
      if (event.persisted) void this.#takeAgain();
    };
    const onVisibility = (): void => {
      if (document.visibilityState === "hidden") void this.#save(true);
    };
    const onHash = (): void => {
      this.#known = window.location.hash;
    };
    window.addEventListener("hashchange", onHash);
    window.addEventListener("pagehide", onHide);
    window.addEventListener("pageshow", onShow);
    document.addEventListener("visibilitychange", onVisibility);
    const pruning = setTimeout(() => {
      this.#store.then((store) => store.prune(MOST_KEPT)).catch(() => undefined);
    }, 10_000);
    return () => {
      stop();
      clearTimeout(pruning);
      this.#stopTimers();
      window.removeEventListener("hashchange", onHash);
      window.removeEventListener("pagehide", onHide);
      window.removeEventListener("pageshow", onShow);
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }

  #stopTimers(): void {
    clearTimeout(this.#saveTimer);
    clearTimeout(this.#addressTimer);
    this.#saveTimer = undefined;
    this.#behind = 0;
  }

  /** A page restored from the back/forward cache has a work that others may have taken since. */
  async #takeAgain(): Promise<void> {
    const found = await this.find({ id: this.#id });
    if (found?.copied) this.goOn(found.work.id);
  }

  #later(): void {
    const wait = Math.max(SAVE_MS, Math.min(this.#savedIn / SHARE, 10_000));
    this.#saveTimer ??= setTimeout(() => {
      // Of a long text each of the two takes a while.
      this.#app.editor?.report();
      this.#saveNext();
    }, wait);
    const now = Date.now();
    this.#behind ||= now;
    const left = this.#behind + ADDRESS_AT_LATEST_MS - now;
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(
      () => void this.#follow(),
      Math.max(0, Math.min(ADDRESS_MS, left)),
    );
  }

  /** Saves in a task of its own. */
  #saveNext(): void {
    clearTimeout(this.#saveTimer);
    this.#saveTimer = setTimeout(() => {
      this.#saveTimer = undefined;
      void this.#save(true);
    });
  }

  #nameEntry(address: string): void {
    nameTab(this.#id, digest(new URL(address, window.location.href).hash));
    try {
      window.history.replaceState({ work: this.#id }, "", address);
      this.#known = window.location.hash;
    } catch {
      // Some browsers limit how often the address may change: the next change tries again.
    }
  }

  /** Updates the address to what is on the screen, if it fits. */
  async #follow(): Promise<void> {
    const id = this.#id;
    const turn = ++this.#followed;
    this.#behind = 0;
    const { hash, whole } = await this.#kept.hash();
    // Packed more slowly than a later one: the address would go back.
    if (turn !== this.#followed) return;
    if (window.location.hash !== this.#known || this.#other !== null) return;
    // The page may have navigated to another history entry meanwhile.
    if (id !== this.#id) return;
    const { keeping } = writable(this.#app.state);
    keeping.value = { ...keeping.peek(), address: whole };
    this.#nameEntry(hash === "" ? window.location.href.replace(/#.*$/s, "") : hash);
    const address = digest(window.location.hash);
    if (address === this.#address) return;
    this.#address = address;
    this.#changed = true;
    this.#saveNext();
  }

  /** Saves what is on the screen. `open`: the page continues to own it. */
  async #save(open: boolean): Promise<void> {
    this.#app.editor?.report();
    if (!this.#begun || (open && !this.#changed)) return;
    const kept = this.#kept.work();
    if (kept.text === this.#other) return;
    this.#changed = false;
    const began = performance.now();
    this.#hadText ||= kept.text !== "";
    if (!this.#hadText) return;
    noteKept();
    const work: Work = {
      ...kept,
      id: this.#id,
      savedAt: Date.now(),
      open,
      address: this.#address,
    };
    const files = filesOf(this.#app.state.inputs.peek());
    // Synchronously: a page that is being closed cannot wait.
    if (!this.#ready) this.#meanwhile?.put(work, files).catch(() => undefined);
    const saved = this.#ready
      ? this.#put(this.#ready, work, files)
      : this.#store.then((store) => this.#put(store, work, files));
    this.#savedIn = performance.now() - began;
    await saved;
  }

  async #put(store: WorkStore, work: Work, files: Map<string, Uint8Array>): Promise<void> {
    const { keeping } = writable(this.#app.state);
    try {
      await store.put(work, files);
      if (keeping.peek().problem) keeping.value = { ...keeping.peek(), problem: "" };
    } catch {
      try {
        await store.prune(FEW_KEPT);
        await store.put(work, files);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        keeping.value = { ...keeping.peek(), problem: why };
      }
    }
  }
}
