/** A slow text does not hold up the next one. */
import { render } from "preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type App, createApp } from "../../web/src/app/app";
import { Engines } from "../../web/src/app/engines";
import { writable } from "../../web/src/app/state";
import { GRACE_MS, PATIENCE_MS, TextEngine, TooSlowError } from "../../web/src/app/text_engine";
import { startTyping } from "../../web/src/app/typing";
import { StatusBar } from "../../web/src/page/StatusBar";
import { TestLink } from "./engine";

/** A worker that never comes back from texts that say SLOW. */
const slowLink = (): TestLink =>
  new TestLink((_method, [text]) => typeof text === "string" && text.includes("SLOW"));

const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "answered",
    (error: Error) => error.name,
  );

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("the engine of the text", () => {
  it("gives up what is long under way about an earlier text", async () => {
    const engine = new TextEngine(slowLink());
    engine.about("SLOW");
    const check = outcome(engine.call("check", ["SLOW"]));
    vi.advanceTimersByTime(GRACE_MS + 1);
    engine.about("good");
    expect(await check).toBe("AbortError");
    expect(await outcome(engine.call("check", ["good"]))).toBe("answered");
  });

  it("lets what has just begun go on for a moment", async () => {
    const engine = new TextEngine(slowLink());
    engine.about("SLOW");
    let ended = "";
    outcome(engine.call("check", ["SLOW"])).then((how) => {
      ended = how;
    });
    vi.advanceTimersByTime(GRACE_MS / 2);
    engine.about("good");
    await vi.advanceTimersByTimeAsync(GRACE_MS / 2 - 10);
    expect(ended).toBe("");
    await vi.advanceTimersByTimeAsync(20);
    expect(ended).toBe("AbortError");
  });

  it("never gives up a call about the text as it is, or about a layout, for another", async () => {
    const engine = new TextEngine(slowLink());
    engine.about("SLOW one");
    let ended = "";
    for (const call of [engine.call("check", ["SLOW one"]), engine.call("layout", ["SLOW"])]) {
      outcome(call).then((how) => {
        ended += how;
      });
    }
    engine.about("two");
    engine.about("SLOW one");
    await vi.advanceTimersByTimeAsync(GRACE_MS * 3);
    expect(ended).toBe("");
  });

  it("does not ask again about a text that took too long, until there was another", async () => {
    const link = slowLink();
    const engine = new TextEngine(link);
    engine.about("SLOW");
    const check = outcome(engine.call("check", ["SLOW"]));
    await vi.advanceTimersByTimeAsync(PATIENCE_MS + 1);
    expect(await check).toBe("TooSlowError");
    const asked = link.calls.length;
    await expect(engine.call("outline", ["SLOW"])).rejects.toBeInstanceOf(TooSlowError);
    expect(link.calls).toHaveLength(asked);
    engine.about("good");
    engine.about("SLOW");
    void outcome(engine.call("outline", ["SLOW"]));
    expect(link.calls).toHaveLength(asked + 1);
  });
});

describe("the page while a text takes long", () => {
  let app: App;
  let root: HTMLElement;
  let stop: () => void;
  beforeEach(() => {
    const engines = new Engines(slowLink);
    app = createApp(engines, []);
    root = document.createElement("div");
    render(<StatusBar app={app} />, root);
    stop = startTyping(app, {
      wantsTokens: () => true,
      tokens: () => undefined,
      checked: () => undefined,
    });
  });
  afterEach(() => stop());

  const write = async (text: string, ms: number): Promise<string> => {
    writable(app.state).text.value = text;
    await vi.advanceTimersByTimeAsync(ms);
    return root.textContent ?? "";
  };

  it("says nothing of the earlier text, and checks the next one soon", async () => {
    const good = "ENTRY e {\n ROOT x = f32[2] parameter(0)\n}";
    expect(await write(good, 100)).toContain("No problems");
    expect(await write("SLOW", 2000)).not.toContain("No problems");
    expect(root.textContent).toContain("Checking");
    const next = await write(`${good}\n`, 100);
    expect(next).toContain("No problems");
    expect(next).not.toContain("does not answer");
    expect(app.state.checkedText.value).toBe(`${good}\n`);
  });

  it("says so of a text that was given up, beside nothing stale; the next one is checked", async () => {
    await write("ENTRY e {\n ROOT x = f32[2] parameter(0)\n}", 100);
    const late = await write("SLOW", PATIENCE_MS + 100);
    expect(late).toContain("this text took too long");
    expect(late).not.toContain("No problems");
    const next = await write("ENTRY e {\n ROOT x = f32[3] parameter(0)\n}", 100);
    expect(next).toContain("No problems");
    expect(next).not.toContain("does not answer");
  });
});
