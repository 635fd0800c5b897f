import { describe, expect, it, vi } from "vitest";
import type { TraceEntry } from "../../wasm/engine_api";
import {
  cancelRun,
  chooseValue,
  focusOn,
  isInFocus,
  moveFocus,
  reportText,
  run,
  selectInstruction,
  setInput,
} from "../../web/src/app/actions";
import type { App } from "../../web/src/app/app";
import { Latest } from "../../web/src/app/engines";
import { viewState } from "../../web/src/app/share";
import { NO_FOCUS, valueAt, writable } from "../../web/src/app/state";
import { startTyping } from "../../web/src/app/typing";
import { keyLabel, keyName } from "../../web/src/commands/keys";
import { commands } from "../../web/src/commands/registry";
import { toLint } from "../../web/src/editor/faults";
import { exampleText } from "../../web/src/examples";
import { examples } from "../../web/src/examples/list";
import { NOT_A_NUMBER } from "../../web/src/grid/theme";
import { bytes, inUnit, percent, seconds, significant, unitFor } from "../../web/src/ui/format";
import { views } from "../../web/src/views/registry";
import { heatOf } from "../../web/src/views/values/ValueGrid";
import { linkParams, takeParams } from "../../web/src/views/view";
import { engine } from "./engine";
import { makeApp } from "./mounted";

const PROGRAM = `HloModule m
ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  ROOT y = f32[2,3]{1,0} add(x, x)
}`;

/** Doubles an array three times, in a loop, on two devices. */
const LOOP = `HloModule m, replica_count=2
condition {
  c = (s32[], f32[2]) parameter(0)
  i = s32[] get-tuple-element(c), index=0
  n = s32[] constant(3)
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  b = (s32[], f32[2]) parameter(0)
  k = s32[] get-tuple-element(b), index=0
  one = s32[] constant(1)
  next = s32[] add(k, one)
  v = f32[2] get-tuple-element(b), index=1
  x = f32[2] add(v, v)
  ROOT r = (s32[], f32[2]) tuple(next, x)
}
ENTRY main {
  p = f32[2] parameter(0)
  zero = s32[] constant(0)
  start = (s32[], f32[2]) tuple(zero, p)
  ROOT w = (s32[], f32[2]) while(start), condition=condition, body=body
}`;

const X = { computation: "main", name: "x" };

/** A page with a program, whose parameter counts up. */
function pageOf(text: string): ReturnType<typeof makeApp> {
  const made = makeApp();
  const s = writable(made.app.state);
  s.text.value = text;
  s.inputs.value = [{ text: "iota", file: null }];
  return made;
}

describe("a run", () => {
  it("takes the cursor with the text: where it was in another text is no instruction of this one", async () => {
    const { app } = pageOf(PROGRAM);
    const stop = startTyping(app, {
      wantsTokens: () => false,
      tokens: () => undefined,
      checked: () => undefined,
    });
    const cursor = PROGRAM.indexOf("add");
    reportText(app, cursor);
    await app.placed;
    expect(app.state.focus.value.name).toBe("y");
    const next = `${PROGRAM.replace("ROOT y", "ROOT z")}\n`;
    app.editor = {
      text: () => next,
      report: () => reportText(app, next.length, next),
      mark: () => undefined,
    } as unknown as App["editor"];
    await run(app);
    await app.placed;
    expect(app.state.cursor.value).toBe(next.length);
    expect(app.state.choice.value).toEqual({ entry: "output", path: [] });
    stop();
  });

  it("fills the values and chooses the output", async () => {
    const { app } = pageOf(PROGRAM);
    await run(app);
    const s = app.state;
    expect(s.phase.value).toBe("done");
    expect(s.choice.value).toEqual({ entry: "output", path: [] });
    expect(s.chosen.value?.value.preview).toBe("{{0, 2, 4}, {6, 8, 10}}");
    expect(s.stale.value).toBe(false);
    writable(s).text.value += " ";
    expect(s.stale.value).toBe(true);
  });

  it("keeps the last good results when it is cancelled", async () => {
    const { app, links } = pageOf(PROGRAM);
    await run(app);
    const good = app.state.results.value;
    const runner = links.find((link) => link !== app.engines.results && link !== links[0]);
    if (!runner) throw new Error("no second worker");
    runner.hangs = (method) => method === "run";
    const second = run(app);
    expect(app.state.phase.value).toBe("running");
    await new Promise((resolve) => setTimeout(resolve));
    cancelRun(app);
    await second;
    expect(app.state.phase.value).toBe("cancelled");
    expect(app.state.results.value).toBe(good);
    expect(app.state.stale.value).toBe(true);
    const ref = { handle: good?.run.handle ?? 0, entry: "output", path: [] };
    const kept = await app.engines.results.call("valueText", [ref, 10]);
    expect(kept).toBe("{{0, 2, 4}, {6, 8, 10}}");
  });

  it("lets go of the values of the run before", async () => {
    const { app } = pageOf(PROGRAM);
    const handle = (): number => app.state.results.value?.run.handle ?? 0;
    const textOf = (run: number): string =>
      engine.valueText({ handle: run, entry: "output", path: [] }, 10);
    await run(app);
    const first = handle();
    expect(textOf(first)).toBe("{{0, 2, 4}, {6, 8, 10}}");
    await run(app);
    await vi.waitFor(() => expect(textOf(first)).toBe(""));
    expect(handle()).not.toBe(first);
    expect(textOf(handle())).toBe("{{0, 2, 4}, {6, 8, 10}}");
  });

  it("goes on looking at the same instruction", async () => {
    const { app } = pageOf(PROGRAM);
    await run(app);
    selectInstruction(app, X);
    expect(app.state.choice.value).toEqual({ entry: 0, path: [] });
    await run(app);
    expect(app.state.choice.value).toEqual({ entry: 0, path: [] });
    expect(app.state.focus.value.name).toBe("x");
  });

  it("goes on looking at what is chosen before its first part is shown", async () => {
    const { app } = pageOf(PROGRAM);
    const engineRun = app.engines.run.bind(app.engines);
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    vi.spyOn(app.engines, "run").mockImplementation(async (text, options, ...rest) => {
      if (options.trace) await held;
      else selectInstruction(app, X);
      return engineRun(text, options, ...rest);
    });
    const running = run(app);
    // The compiled result, which has no value of x.
    await vi.waitFor(() => expect(app.state.results.value).not.toBeNull());
    expect(app.state.choice.value).toEqual({ entry: "output", path: [] });
    goOn();
    await running;
    expect(app.state.choice.value).toEqual({ entry: 0, path: [] });
    expect(app.state.focus.value.name).toBe("x");
  });
});

describe("the focus", () => {
  it("forgets the element when another instruction is chosen", async () => {
    const { app } = pageOf(PROGRAM);
    await run(app);
    const entry = app.state.results.value?.run.trace[0] ?? null;
    moveFocus(app, { name: "y", index: [1, 1] });
    chooseValue(app, { entry: 0, path: [] }, entry);
    expect(app.state.focus.value).toMatchObject({ name: "x", index: null });
  });

  /**
   * Executions of `x` in three rounds of a loop on two devices, and of another `x` in the entry: the
   * engine gives two instructions two names, so that here one of them is renamed.
   */
  async function traced(): Promise<App> {
    const { app } = pageOf(LOOP);
    const s = writable(app.state);
    await run(app);
    const results = s.results.value;
    if (!results) throw new Error("no results");
    const trace = results.run.trace.map((e) => (e.name === "p" ? { ...e, name: "x" } : e));
    s.results.value = { ...results, run: { ...results.run, trace } };
    return app;
  }

  /** The execution of `x` in the loop. */
  const inBody = (app: App, round: number, device: number): TraceEntry => {
    const found = app.state.results.value?.run.trace.find(
      (e) => e.name === "x" && e.iterations[0] === round && e.device === device,
    );
    if (!found) throw new Error("no such execution");
    return found;
  };

  it("tells instructions of one name in two computations apart", async () => {
    const app = await traced();
    selectInstruction(app, X);
    expect(app.state.choice.value?.entry).toBe(0);
    expect(isInFocus(app.state, { computation: "body", name: "x" })).toBe(false);
    selectInstruction(app, { computation: "body", name: "x" });
    expect(app.state.choice.value?.entry).toBe(inBody(app, 2, 0).id);
    expect(isInFocus(app.state, X)).toBe(false);
  });

  it("is on one execution on one device, and goes on being so", async () => {
    const app = await traced();
    const second = inBody(app, 1, 1);
    chooseValue(app, { entry: second.id, path: [] }, second);
    const link = viewState(app).params;
    expect(link).toMatchObject({ v: "x", in: "body", at: "1@1" });
    focusOn(app, NO_FOCUS);
    expect(app.state.choice.value?.entry).toBe("output");
    focusOn(app, { ...NO_FOCUS, name: "x", computation: "body", iterations: [1], device: 1 });
    expect(app.state.choice.value?.entry).toBe(second.id);
    // What was not executed so often: the last time that it was.
    focusOn(app, { ...NO_FOCUS, name: "x", computation: "body", iterations: [7], device: 1 });
    expect(app.state.choice.value?.entry).toBe(inBody(app, 2, 1).id);
    chooseValue(app, { entry: "input:0", path: [] }, null);
    expect(viewState(app).params).toMatchObject({ at: "input:0" });
  });

  it("keeps the element of a layout that was typed, whatever the cursor is in", () => {
    const { app } = pageOf(PROGRAM);
    writable(app.state).typedShape.value = "f32[6,8]";
    moveFocus(app, { index: [5, 7] });
    selectInstruction(app, X);
    expect(app.state.focus.value).toMatchObject({ name: "x", index: [5, 7] });
  });

  it("follows paths into tuples", () => {
    const { handle, output } = engine.run(LOOP, { inputs: ["iota"] });
    expect(output?.shape).toBe("(s32[], f32[2]{0})");
    expect(valueAt(output, [1])?.preview).toBe("{0, 8}");
    expect(valueAt(output, [7])).toBeNull();
    engine.release(handle);
  });
});

describe("inputs", () => {
  it("are filled up to the parameter that is set", () => {
    const { app } = makeApp();
    setInput(app, 2, { text: "iota", file: null });
    expect(app.state.inputs.value.map((input) => input.text)).toEqual(["", "", "iota"]);
  });
});

describe("calls of which only the last matters", () => {
  it("are made once while another is under way", async () => {
    const made: number[] = [];
    const latest = new Latest(async (n: number) => {
      made.push(n);
      await Promise.resolve();
      return n;
    });
    const answers = await Promise.all([latest.ask(1), latest.ask(2), latest.ask(3)]);
    expect(answers).toEqual([1, null, 3]);
    expect(made).toEqual([1, 3]);
  });
});

describe("the registries", () => {
  it("hold each id and each key once", () => {
    for (const all of [commands, views, examples]) {
      expect(new Set(all.map((item) => item.id)).size).toBe(all.length);
    }
    const keys = commands.flatMap((command) => command.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("read back what views write into links", () => {
    const { app } = pageOf(PROGRAM);
    for (const view of views) {
      takeParams(app, view, { cells: "index", colour: "row", line: "16", as: "text", op: "dot" });
      const written = linkParams(app, view);
      takeParams(app, view, {});
      takeParams(app, view, written);
      expect(linkParams(app, view)).toEqual(written);
      takeParams(app, view, { cells: "zzz", colour: "", line: "-3", as: "9" });
      expect(view.empty.length).toBeGreaterThan(0);
    }
  });

  it("let a link close what it does not say, and leave how things are shown", () => {
    const { app } = pageOf(PROGRAM);
    const all = (params: Record<string, string>): Record<string, string> => {
      for (const view of views) takeParams(app, view, params);
      return Object.assign({}, ...views.map((view) => linkParams(app, view)));
    };
    const look = { as: "text", cells: "index", colour: "lane", line: "32" };
    const place = { heat: "1", film: "2", pins: "2,3~0,4", op: "dot" };
    expect(all({ ...look, ...place })).toEqual({ ...look, ...place });
    expect(all({ film: "x", cells: "zzz", line: "257" })).toEqual(look);
    // Another page knows nothing of it.
    const other = makeApp().app;
    for (const view of views) expect(linkParams(other, view)).toEqual({});
  });

  it("have examples with a program, and the cursor in it", async () => {
    for (const example of examples) {
      const text = await exampleText(example);
      if (example.runs !== false)
        expect(text).toMatch(/^HloModule |^(\/\/.*\n)*(module @|func\.func )/);
      if (example.cursor) expect(text).toContain(example.cursor);
      if (example.view) expect(views.some((view) => view.id === example.view)).toBe(true);
    }
  });
});

describe("keys", () => {
  it("have one name on every keyboard", () => {
    const event = (init: KeyboardEventInit): KeyboardEvent => new KeyboardEvent("keydown", init);
    expect(keyName(event({ key: "Enter", ctrlKey: true }), false)).toBe("Mod-Enter");
    expect(keyName(event({ key: "s", metaKey: true }), true)).toBe("Mod-s");
    expect(keyName(event({ key: "?", shiftKey: true }), false)).toBe("?");
    expect(keyName(event({ key: "F12", shiftKey: true }), false)).toBe("Shift-F12");
    expect(keyLabel("Mod-Enter", false)).toBe("Ctrl+Enter");
  });
});

describe("diagnostics in the editor", () => {
  it("stay inside the text, and are not too many", () => {
    const [one] = engine.check(PROGRAM.replace("add", "BAD")).diagnostics;
    if (!one) throw new Error("no fault");
    expect(toLint([one], PROGRAM.length)[0]).toMatchObject({
      from: one.range[0],
      to: one.range[1],
    });
    expect(toLint([one], 10)[0]).toMatchObject({ from: 10, to: 10 });
    expect(toLint(new Array(5000).fill(one), 100)).toHaveLength(500);
  });
});

describe("numbers", () => {
  it("are written for people", () => {
    expect([bytes(60), bytes(1536), bytes(2 ** 40)]).toEqual(["60 B", "1.5 KiB", "1 TiB"]);
    expect([seconds(0.0000034), seconds(0.0123), seconds(2)]).toEqual(["3 µs", "12 ms", "2.00 s"]);
    expect([percent(0.375), percent(0.0123)]).toEqual(["38 %", "1.2 %"]);
    expect([percent(0.9999), percent(1)]).toEqual(["99.9 %", "100 %"]);
    expect([significant(Number.NaN), significant(1 / 3)]).toEqual(["NaN", "0.33333"]);
    // Of an integer every digit counts, as far as there are any.
    expect([significant(-2147483648), significant(2 ** 64)]).toEqual(["-2147483648", "1.8447e+19"]);
    const some = Float64Array.of(-2, 1, Number.NaN, Number.POSITIVE_INFINITY);
    expect([...heatOf(some, 4)]).toEqual([-0.5, 0.25, NOT_A_NUMBER, 1]);
    expect([...heatOf(some, 0)]).toEqual([-1, 1, NOT_A_NUMBER, 1]);
    expect([unitFor(60), unitFor(1536), unitFor(2 ** 31)]).toEqual(["B", "B", "MiB"]);
    const gibs = [2 ** 31, 2 ** 29, 64, 0].map((n) => inUnit(n, "GiB"));
    expect(gibs).toEqual(["2", "0.5", "<0.001", "0"]);
  });
});
