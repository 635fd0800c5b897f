/** Work is kept: when, where, and what becomes of it when something stands in the way. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { App } from "../../web/src/app/app";
import { Keeper } from "../../web/src/app/keeper";
import { DEFAULT_SETTINGS } from "../../web/src/app/settings";
import { writable } from "../../web/src/app/state";
import { openStores } from "../../web/src/app/store";
import { TextStore } from "../../web/src/app/text_store";
import {
  digest,
  keptInputs,
  keyOf,
  MAX_FILE_KEPT,
  newId,
  type Taken,
  type Work,
  type WorkStore,
} from "../../web/src/app/work";
import { mountApp } from "./mounted";

/** A store that remembers what it was told, and fails when it is told to. */
class FakeStore implements WorkStore {
  readonly kind = "browser";
  puts: Work[] = [];
  pruned: number[] = [];
  failures = 0;

  put(work: Work): Promise<void> {
    if (this.failures-- > 0) return Promise.reject(new Error("no room"));
    this.puts.push(work);
    return Promise.resolve();
  }
  #of(work: Work | undefined): Promise<Taken | null> {
    return Promise.resolve(work ? { work, files: new Map(), copied: false } : null);
  }
  take(id: string): Promise<Taken | null> {
    return this.#of(this.puts.findLast((work) => work.id === id));
  }
  takeLast(): Promise<Taken | null> {
    return this.#of(this.puts.at(-1));
  }
  takeFrom(address: string): Promise<Taken | null> {
    return this.#of(this.puts.findLast((work) => work.address === address));
  }
  prune(keep: number): Promise<void> {
    this.pruned.push(keep);
    return Promise.resolve();
  }
}

let app: App;
let store: FakeStore;
let keeper: Keeper;
let stop: () => void;
let hash: string;

async function makeKeeper(): Promise<void> {
  keeper = new Keeper(app, Promise.resolve(store), {
    work: () => ({
      text: app.state.text.peek(),
      cursor: app.state.cursor.peek(),
      inputs: keptInputs(app.state.inputs.peek()),
      settings: DEFAULT_SETTINGS,
      example: "",
      ran: false,
      view: { params: {} },
    }),
    hash: () => Promise.resolve({ hash, whole: hash !== "" }),
    watch: () => void [app.state.text.value, app.state.cursor.value],
  });
  app.keeper = keeper;
  await Promise.resolve();
  keeper.goOn("one");
  stop = keeper.begin();
}

beforeEach(async () => {
  vi.useFakeTimers();
  window.history.replaceState(null, "", "/page");
  hash = "#1/abc";
  ({ app } = mountApp());
  store = new FakeStore();
  await makeKeeper();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

const texts = (): string[] => store.puts.map(({ text }) => text);
const pause = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe("the keeper", () => {
  it("leaves the address alone where an earlier one comes late", async () => {
    const late: ((hash: string) => void)[] = [];
    stop();
    keeper = new Keeper(app, Promise.resolve(store), {
      work: () => ({
        text: app.state.text.peek(),
        cursor: 0,
        inputs: [],
        settings: DEFAULT_SETTINGS,
        example: "",
        ran: false,
        view: { params: {} },
      }),
      hash: () => new Promise((resolve) => late.push((hash) => resolve({ hash, whole: true }))),
      watch: () => void app.state.text.value,
    });
    await Promise.resolve();
    keeper.goOn("one");
    stop = keeper.begin();
    writable(app.state).text.value = "one";
    await pause(1000);
    writable(app.state).text.value = "two";
    await pause(1000);
    const [first, second] = late.splice(-2);
    second?.("#1/two");
    await pause(1);
    first?.("#1/one");
    await pause(1);
    expect(window.location.hash).toBe("#1/two");
  });

  it("saves soon after a change, and during typing at least every second", async () => {
    await pause(1000);
    expect(store.puts).toEqual([]);
    for (let i = 1; i <= 100; i++) {
      writable(app.state).text.value = "x".repeat(i);
      await pause(150);
    }
    expect(store.puts.length).toBeGreaterThan(15);
    expect(store.puts.at(-1)?.text.length).toBeGreaterThanOrEqual(93);
    await pause(250);
    expect(store.puts.at(-1)?.text.length).toBe(100);
    const times = store.puts.map(({ savedAt }) => savedAt);
    expect(Math.max(...times.map((at, i) => at - (times[i - 1] ?? at)))).toBeLessThanOrEqual(1000);
    expect(new Set(store.puts.map(({ id }) => id))).toEqual(new Set(["one"]));
  });

  it("saves at once when the page is left, with what the editor has not told yet", () => {
    app.editor = {
      report: () => (writable(app.state).text.value = "last key"),
    } as unknown as App["editor"];
    window.dispatchEvent(new Event("pagehide"));
    expect(store.puts.at(-1)).toMatchObject({ id: "one", text: "last key", open: false });
    writable(app.state).cursor.value = 3;
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    expect(store.puts.at(-1)).toMatchObject({ cursor: 3, open: true });
    Reflect.deleteProperty(document, "visibilityState");
  });

  it("does not keep a text under the name of the work that is being fetched", async () => {
    writable(app.state).text.value = "first";
    let show = (): void => undefined;
    const shown = new Promise<void>((resolve) => {
      show = resolve;
    });
    keeper.goOn("two");
    const done = keeper.whileShowing(shown, () => true);
    window.dispatchEvent(new Event("pagehide"));
    await pause(5000);
    expect(store.puts.filter(({ id }) => id === "two")).toEqual([]);
    writable(app.state).text.value = "second";
    window.dispatchEvent(new Event("pagehide"));
    expect(store.puts.at(-1)).toMatchObject({ id: "two", text: "second" });
    show();
    await done;
    await pause(1000);
    expect(texts().at(-1)).toBe("second");
  });

  it("keeps a text from the name of a work whose fetching was overtaken, or failed", async () => {
    writable(app.state).text.value = "first";
    keeper.goOn("two");
    await keeper.whileShowing(Promise.resolve(), () => false);
    await pause(5000);
    expect(store.puts.filter(({ id }) => id === "two")).toEqual([]);
    keeper.goOn("three");
    const failed = keeper.whileShowing(Promise.reject(new Error("no network")), () => true);
    await expect(failed).rejects.toThrow("no network");
    await pause(5000);
    expect(store.puts.filter(({ id }) => id === "three")).toEqual([]);
    expect(texts().at(-1)).toBe("first");
  });

  it("leaves a work as it is, and goes on under another name in an entry of its own", async () => {
    writable(app.state).text.value = "first";
    keeper.leaveFor("#ex=figure-1");
    expect(store.puts.at(-1)).toMatchObject({ id: "one", text: "first", open: false });
    writable(app.state).text.value = "second";
    await pause(300);
    const last = store.puts.at(-1);
    expect(last).toMatchObject({ text: "second", open: true, address: digest("#ex=figure-1") });
    expect(last?.id).not.toBe("one");
    expect(window.history.state).toEqual({ work: last?.id });
    expect(Keeper.named()).toBe(last?.id);
  });

  it("lets the address follow, and never writes it for another entry", async () => {
    writable(app.state).text.value = "x";
    await pause(800);
    expect(window.location.hash).toBe("#1/abc");
    expect(window.history.state).toEqual({ work: "one" });
    expect(store.puts.at(-1)?.address).toBe(digest("#1/abc"));
    expect(app.state.keeping.value.address).toBe(true);
    // While the address is made, the page goes elsewhere.
    let finish = (_: { hash: string; whole: boolean }): void => undefined;
    stop();
    keeper = new Keeper(app, Promise.resolve(store), {
      work: () => ({ ...(store.puts.at(-1) as Work) }),
      hash: () => new Promise((resolve) => (finish = resolve)),
      watch: () => void app.state.text.value,
    });
    await Promise.resolve();
    keeper.goOn("two");
    stop = keeper.begin();
    await pause(800);
    keeper.goOn("three");
    window.history.replaceState({ work: "three" }, "", "#elsewhere");
    finish({ hash: "#late", whole: true });
    await pause(0);
    expect(window.location.hash).toBe("#elsewhere");
  });

  it("says when the address cannot hold the program", async () => {
    hash = "";
    writable(app.state).text.value = "long";
    await pause(800);
    expect(app.state.keeping.value).toEqual({ store: "browser", address: false, problem: "" });
    expect(window.location.hash).toBe("");
  });

  it("makes room when there is none, and says so when that does not help", async () => {
    store.failures = 1;
    writable(app.state).text.value = "a";
    await pause(300);
    expect(store.pruned).toEqual([3]);
    expect(texts()).toContain("a");
    expect(app.state.keeping.value.problem).toBe("");
    store.failures = 2;
    writable(app.state).text.value = "b";
    await pause(300);
    expect(app.state.keeping.value.problem).toBe("no room");
    writable(app.state).text.value = "c";
    await pause(300);
    expect(app.state.keeping.value.problem).toBe("");
  });

  it("keeps no work that never had a text, but one whose text was deleted", async () => {
    writable(app.state).cursor.value = 1;
    await pause(300);
    expect(store.puts).toEqual([]);
    writable(app.state).text.value = "a";
    await pause(300);
    writable(app.state).text.value = "";
    await pause(300);
    expect(texts()).toEqual(["a", ""]);
  });
});

describe("a browser without a database", () => {
  const work = (id: string, text: string, savedAt: number): Work => ({
    id,
    savedAt,
    open: true,
    text,
    cursor: 0,
    inputs: [{ text: "iota", file: { name: "x.npy", key: "k" } }],
    settings: DEFAULT_SETTINGS,
    example: "",
    ran: true,
    view: { params: { view: "ops" } },
    address: digest(text),
  });

  it("keeps works in the tab's storage, across loads of the page", async () => {
    vi.useRealTimers();
    sessionStorage.clear();
    const first = await openStores().opened;
    expect(first.kind).toBe("tab");
    await first.put(work("a", "one", 1), new Map());
    await first.put(work("b", "two", 2), new Map());
    const second = await openStores().opened;
    expect((await second.takeLast())?.work).toEqual(work("b", "two", 2));
    expect((await second.takeFrom(digest("one")))?.work.id).toBe("a");
    expect((await second.take("a"))?.copied).toBe(false);
    expect(await second.take("none")).toBeNull();
    await second.prune(1);
    expect(await (await openStores().opened).take("a")).toBeNull();
    sessionStorage.setItem("hlo-playground/damaged", "{");
    expect((await openStores().opened).kind).toBe("tab");
    sessionStorage.clear();
  });

  it("keeps in the tab what is saved before the store is open", async () => {
    vi.useRealTimers();
    sessionStorage.clear();
    const meanwhile = new TextStore(sessionStorage);
    const kept = {
      work: () => work("a", "soon", 1),
      hash: async () => ({ hash: "", whole: false }),
    };
    const never = new Promise<WorkStore>(() => undefined);
    const keeper = new Keeper(app, never, { ...kept, watch: () => undefined }, meanwhile);
    keeper.goOn("a");
    const stop = keeper.begin();
    void keeper.leave();
    expect((await (await openStores().opened).take("a"))?.work.text).toBe("soon");
    stop();
    sessionStorage.clear();
  });

  it("says when there is no room, and keeps the work for the page", async () => {
    vi.useRealTimers();
    let refuse = (key: string): string => (key.endsWith("probe") ? "" : "QuotaExceededError");
    const setItem = (key: string): void => {
      if (refuse(key)) throw new DOMException(refuse(key), refuse(key));
    };
    vi.stubGlobal("sessionStorage", { length: 0, setItem, removeItem: () => undefined });
    const kept = await openStores().opened;
    await expect(kept.put(work("a", "one", 1), new Map())).rejects.toThrow("QuotaExceeded");
    expect((await kept.take("a"))?.work.text).toBe("one");
    refuse = () => "SecurityError";
    const blocked = await openStores().opened;
    expect(blocked.kind).toBe("page");
    await blocked.put(work("a", "one", 1), new Map());
    expect((await blocked.takeLast())?.work.text).toBe("one");
    vi.unstubAllGlobals();
  });
});

describe("names", () => {
  it("are new every time, and the same for the same bytes", () => {
    expect(newId()).toMatch(/^[0-9a-f]{24}$/);
    expect(newId()).not.toBe(newId());
    const bytes = new Uint8Array(3);
    expect(keyOf(bytes)).toBe(keyOf(bytes));
    expect(keyOf(new Uint8Array(3))).not.toBe(keyOf(bytes));
    const large = { length: MAX_FILE_KEPT + 1 } as Uint8Array;
    expect(keyOf(large)).toBe("");
    expect(digest("#a")).toBe(digest("#a"));
    expect(digest("#a")).not.toBe(digest("#b"));
  });
});
