/** The client of a worker: what becomes of calls when one is given up, or the worker fails. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EngineClient } from "../../wasm/client";
import type { RunResult, ValueRef } from "../../wasm/engine_api";
import type { Reply, Request } from "../../wasm/protocol";

/** A worker whose answers the test gives. */
class FakeWorker {
  static made: FakeWorker[] = [];
  onmessage: ((event: { data: Reply }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  onmessageerror: (() => void) | null = null;
  got: Request[] = [];
  terminated = false;

  constructor() {
    FakeWorker.made.push(this);
  }
  postMessage(request: Request): void {
    structuredClone(request);
    this.got.push(request);
  }
  terminate(): void {
    this.terminated = true;
  }
  #answered = 0;
  /** The first request that has no answer. */
  get #id(): number {
    return this.got[this.#answered++]?.id ?? 0;
  }
  /** Answers it. */
  answer(value: unknown): void {
    this.onmessage?.({ data: { id: this.#id, ok: true, value } });
  }
  refuse(message: string, fatal: boolean): void {
    this.onmessage?.({ data: { id: this.#id, ok: false, message, fatal } });
  }
  get methods(): string[] {
    return this.got.map(({ method }) => method);
  }
}

const workers = FakeWorker.made;
const at = (index: number): FakeWorker => {
  const worker = workers.at(index);
  if (!worker) throw new Error("no such worker");
  return worker;
};
let client: EngineClient;

beforeEach(() => {
  workers.length = 0;
  vi.useFakeTimers();
  client = new EngineClient(() => new FakeWorker() as unknown as Worker);
});
afterEach(() => vi.useRealTimers());

const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    (value) => `got ${JSON.stringify(value)}`,
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("EngineClient", () => {
  it("hands the worker one call after the other", async () => {
    const first = client.call("version", []);
    const second = client.call("ops", []);
    expect(at(0).methods).toEqual(["version"]);
    at(0).answer("1");
    expect(at(0).methods).toEqual(["version", "ops"]);
    at(0).answer([]);
    expect(await first).toBe("1");
    expect(await second).toEqual([]);
    expect(client.busy).toBe(false);
  });

  it("gives up the call the worker is at with the worker, and goes on with the others", async () => {
    const slow = new AbortController();
    const first = outcome(client.call("check", ["slow"], { signal: slow.signal }));
    const second = outcome(client.call("check", ["good"]));
    slow.abort();
    expect(at(0).terminated).toBe(true);
    expect(workers).toHaveLength(2);
    at(1).answer("good");
    expect(await first).toMatch(/^AbortError/);
    expect(await second).toBe('got "good"');
  });

  it("takes a call back that waits, and leaves the worker alone", async () => {
    const first = outcome(client.call("check", ["a"]));
    const unwanted = new AbortController();
    const second = outcome(client.call("check", ["b"], { signal: unwanted.signal }));
    unwanted.abort();
    expect(await second).toMatch(/^AbortError/);
    at(0).answer("a");
    expect(await first).toBe('got "a"');
    expect(workers).toHaveLength(1);
    expect(at(0).methods).toEqual(["check"]);
    const late = outcome(client.call("check", ["c"], { signal: unwanted.signal }));
    expect(await late).toMatch(/^AbortError/);
  });

  it("counts the time of a call from when the worker is at it", async () => {
    const first = outcome(client.call("check", ["a"], { timeout: 100 }));
    const second = outcome(client.call("check", ["b"], { timeout: 100 }));
    vi.advanceTimersByTime(99);
    at(0).answer("a");
    vi.advanceTimersByTime(99);
    expect(workers).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(await first).toBe('got "a"');
    expect(await second).toMatch(/^TimeoutError/);
    expect(workers).toHaveLength(2);
  });

  it("replaces an engine that broke, asks a short call again, and goes on with the others", async () => {
    const version = client.call("version", []);
    at(0).answer("1");
    await version;
    const check = outcome(client.call("check", ["text"]));
    const place = outcome(client.call("place", ["text", 0]));
    at(0).refuse("it trapped", true);
    expect(at(0).terminated).toBe(true);
    expect(at(1).methods).toEqual(["check", "place"]);
    at(1).answer("checked");
    at(1).answer("placed");
    expect(await check).toBe('got "checked"');
    expect(await place).toBe('got "placed"');
  });

  it("hands the worker brief calls ahead, a few, but none behind one that waits", async () => {
    const texts = ["a", "b", "c", "d"];
    const calls = texts.map((text) => client.call("tokens", [text]));
    const check = client.call("check", ["e"]);
    const last = client.call("tokens", ["f"]);
    expect(at(0).methods).toEqual(Array(4).fill("tokens"));
    for (const text of texts) at(0).answer(text);
    expect(await Promise.all(calls)).toEqual(texts);
    expect(at(0).methods.slice(4)).toEqual(["check", "tokens"]);
    at(0).answer("e");
    at(0).answer("f");
    expect(await Promise.all([check, last])).toEqual(["e", "f"]);
    const long = outcome(client.call("tokens", ["x".repeat(100_000)]));
    const longer = outcome(client.call("tokens", ["y".repeat(100_000)]));
    expect(at(0).methods).toHaveLength(7);
    client.dispose();
    expect(await Promise.all([long, longer])).toEqual(Array(2).fill(expect.any(String)));
  });

  it("does without the answer to a call that was sent ahead and given up", async () => {
    const first = outcome(client.call("check", ["a"]));
    const unwanted = new AbortController();
    const second = outcome(client.call("place", ["a", 0], { signal: unwanted.signal }));
    const third = outcome(client.call("place", ["a", 1]));
    unwanted.abort();
    expect(await second).toMatch(/^AbortError/);
    at(0).answer("checked");
    at(0).answer("in vain");
    at(0).answer("placed");
    expect(await Promise.all([first, third])).toEqual(['got "checked"', 'got "placed"']);
    expect(workers).toHaveLength(1);
  });

  it("does not wait long for an answer in vain, and sends what was ahead to the next worker", async () => {
    const unwanted = new AbortController();
    const first = outcome(client.call("check", ["a"], { timeout: 100 }));
    const second = outcome(client.call("place", ["a", 0], { signal: unwanted.signal }));
    const third = outcome(client.call("place", ["a", 1]));
    unwanted.abort();
    at(0).answer("checked");
    vi.advanceTimersByTime(999);
    expect(workers).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(workers).toHaveLength(2);
    expect(at(1).methods).toEqual(["place"]);
    at(1).answer("placed");
    expect(await Promise.all([first, third])).toEqual(['got "checked"', 'got "placed"']);
    expect(await second).toMatch(/^AbortError/);
  });

  it("counts the time of a call that was sent ahead from its turn", async () => {
    const first = outcome(client.call("place", ["a", 0], { timeout: 100 }));
    const second = outcome(client.call("place", ["a", 1], { timeout: 100 }));
    const third = outcome(client.call("place", ["a", 2], { timeout: 100 }));
    vi.advanceTimersByTime(99);
    at(0).answer("a");
    vi.advanceTimersByTime(99);
    expect(workers).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(workers).toHaveLength(2);
    expect(at(1).methods).toEqual(["place"]);
    at(1).answer("c");
    expect(await first).toBe('got "a"');
    expect(await second).toMatch(/^TimeoutError/);
    expect(await third).toBe('got "c"');
  });

  it("asks only once more, and never for a run", async () => {
    await Promise.all([client.call("version", []), at(0).answer("1")]);
    const check = outcome(client.call("check", ["poison"]));
    at(0).refuse("it trapped", true);
    at(1).refuse("it trapped again", true);
    expect(await check).toBe("Error: it trapped again");
    await Promise.all([client.call("version", []), at(-1).answer("1")]);
    const run = outcome(client.call("run", ["x", {}]));
    at(-1).onerror?.({ message: "out of memory" });
    expect(await run).toBe("Error: out of memory");
    expect(client.busy).toBe(false);
  });

  it("says that values are gone with their engine, and never reads those of another run", async () => {
    const run = client.call("run", ["x", {}]);
    at(0).answer({ handle: 1 } as RunResult);
    const { handle } = await run;
    client.cancel();
    const again = client.call("run", ["x", {}]);
    at(1).answer({ handle: 1 } as RunResult);
    const fresh = (await again).handle;
    expect(fresh).not.toBe(handle);
    const ref = (of: number): ValueRef => ({ handle: of, entry: "output", path: [] });
    expect(await outcome(client.call("valueStats", [ref(handle)]))).toContain("are gone");
    expect(await outcome(client.call("release", [handle]))).toBe("got undefined");
    void client.call("valueStats", [ref(fresh)]);
    expect(at(1).got.at(-1)?.args).toEqual([ref(1)]);
  });

  it("tries again later where a worker could not be loaded", async () => {
    const first = outcome(client.call("version", []));
    at(0).onerror?.({ message: "no such file" });
    expect(await first).toBe("Error: no such file");
    expect(await outcome(client.call("version", []))).toBe("Error: no such file");
    expect(workers).toHaveLength(1);
    vi.advanceTimersByTime(1000);
    const second = outcome(client.call("version", []));
    expect(workers).toHaveLength(2);
    at(1).answer("1");
    expect(await second).toBe('got "1"');
  });

  it("refuses what cannot be sent, and calls after the end", async () => {
    const unsendable = { inputs: [() => 1] } as never;
    expect(await outcome(client.call("run", ["x", unsendable]))).toMatch(/Error/);
    expect(client.busy).toBe(false);
    const pending = outcome(client.call("version", []));
    client.dispose();
    expect(await pending).toMatch(/^AbortError/);
    expect(await outcome(client.call("version", []))).toContain("disposed");
  });
});
