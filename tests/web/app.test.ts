import { describe, expect, it } from "vitest";
import type { EngineApi, InstructionInfo, RunResult, TextRange } from "../../wasm/engine_api";
import {
  cancelRun,
  chooseValue,
  focusOn,
  isInFocus,
  moveFocus,
  run,
  selectInstruction,
  setInput,
  shownName,
} from "../../web/src/app/actions";
import { type App, createApp } from "../../web/src/app/app";
import type { EngineLink } from "../../web/src/app/engine_link";
import { Engines, Latest } from "../../web/src/app/engines";
import { viewState } from "../../web/src/app/share";
import { chosenValue, NO_FOCUS, valueAt, writable } from "../../web/src/app/state";
import { keyLabel, keyName } from "../../web/src/commands/keys";
import { commands } from "../../web/src/commands/registry";
import { firstToken } from "../../web/src/editor/highlight";
import { toLint } from "../../web/src/editor/language";
import { examples, exampleText } from "../../web/src/examples";
import { searchItems } from "../../web/src/page/Palette";
import { bytes, percent, seconds, significant } from "../../web/src/ui/format";
import { filterOps } from "../../web/src/views/ops/OpsView";
import { outlineRows, parentOf, rangeOf } from "../../web/src/views/outline/rows";
import { views } from "../../web/src/views/registry";
import { rowsOf } from "../../web/src/views/values/rows";
import { heatOf } from "../../web/src/views/values/ValueGrid";
import { linkParams, takeParams } from "../../web/src/views/view";
import { FakeEngine } from "./fake_engine";

/** A worker's side that answers at once, unless it is told to hang. */
class FakeLink implements EngineLink {
  readonly engine = new FakeEngine();
  hang = false;
  released: number[] = [];
  #reject: ((error: Error) => void) | null = null;

  call<M extends keyof EngineApi>(
    method: M,
    args: Parameters<EngineApi[M]>,
  ): Promise<ReturnType<EngineApi[M]>> {
    if (method === "release") this.released.push(args[0] as unknown as number);
    if (this.hang && method === "run") {
      return new Promise((_, reject) => {
        this.#reject = reject;
      });
    }
    const member = this.engine[method] as (...a: unknown[]) => ReturnType<EngineApi[M]>;
    return Promise.resolve(member.apply(this.engine, args));
  }
  cancel(): void {
    this.#reject?.(new DOMException("cancelled", "AbortError"));
    this.hang = false;
  }
}

const PROGRAM = `HloModule m
ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  ROOT y = f32[2,3]{1,0} add(x, x)
}`;

const X = { computation: "main", name: "x" };

function makeApp(): { app: App; links: FakeLink[] } {
  const links: FakeLink[] = [];
  const engines = new Engines(() => {
    const link = new FakeLink();
    links.push(link);
    return link;
  });
  const app = createApp(engines, views);
  writable(app.state).text.value = PROGRAM;
  return { app, links };
}

describe("a run", () => {
  it("fills the values and chooses the output", async () => {
    const { app } = makeApp();
    await run(app);
    const s = app.state;
    expect(s.phase.value).toBe("done");
    expect(s.choice.value).toEqual({ entry: "output", path: [] });
    expect(s.chosen.value?.value.dims).toEqual([2, 3]);
    expect(s.stale.value).toBe(false);
    writable(s).text.value += " ";
    expect(s.stale.value).toBe(true);
  });

  it("keeps the last good results when it is cancelled", async () => {
    const { app, links } = makeApp();
    await run(app);
    const good = app.state.results.value;
    const runner = links.find((link) => link !== app.engines.results && link !== links[0]);
    if (runner) runner.hang = true;
    const second = run(app);
    expect(app.state.phase.value).toBe("running");
    await new Promise((resolve) => setTimeout(resolve));
    cancelRun(app);
    await second;
    expect(app.state.phase.value).toBe("cancelled");
    expect(app.state.results.value).toBe(good);
    expect(app.state.stale.value).toBe(true);
    const ref = { handle: 1, entry: "output", path: [] };
    expect(await app.engines.results.call("valueText", [ref, 10])).toContain("0, 1");
  });

  it("lets go of the values of the run before", async () => {
    const { app, links } = makeApp();
    await run(app);
    await run(app);
    expect(links.flatMap((link) => link.released)).toEqual([1]);
  });

  it("goes on looking at the same instruction", async () => {
    const { app } = makeApp();
    await run(app);
    selectInstruction(app, X);
    expect(app.state.choice.value).toEqual({ entry: 0, path: [] });
    await run(app);
    expect(app.state.choice.value).toEqual({ entry: 0, path: [] });
    expect(app.state.focus.value.name).toBe("x");
  });
});

describe("the focus", () => {
  it("forgets the element when another instruction is chosen", async () => {
    const { app } = makeApp();
    await run(app);
    const entry = app.state.results.value?.run.trace[0] ?? null;
    moveFocus(app, { name: "y", index: [1, 1] });
    chooseValue(app, { entry: 0, path: [] }, entry);
    expect(app.state.focus.value).toMatchObject({ name: "x", index: null });
  });

  /** Executions of `x` in the entry, and of another `x` in three rounds of a loop on two devices. */
  function traced(): App {
    const { app } = makeApp();
    const value = { dims: [], elements: [] };
    const entry = (id: number, computation: string, iterations: number[], device: number) => ({
      ...{ id, name: "x", opcode: "add", computation, iterations, depth: 0, range: [0, 1], value },
      ...{ dropped: false, device },
    });
    const trace = [entry(0, "main", [], 0)];
    for (const device of [0, 1])
      for (const round of [0, 1, 2]) trace.push(entry(trace.length, "body", [round], device));
    const run = { trace, output: value, inputs: [value], handle: 1 } as unknown as RunResult;
    writable(app.state).results.value = {
      ...{ run, text: PROGRAM, inputs: [] },
      settings: app.state.settings.value,
    };
    return app;
  }

  it("tells instructions of one name in two computations apart", () => {
    const app = traced();
    selectInstruction(app, X);
    expect(app.state.choice.value?.entry).toBe(0);
    expect(isInFocus(app.state, { computation: "body", name: "x" })).toBe(false);
    selectInstruction(app, { computation: "body", name: "x" });
    expect(app.state.choice.value?.entry).toBe(3);
    expect(isInFocus(app.state, X)).toBe(false);
  });

  it("is on one execution on one device, and goes on being so", async () => {
    const app = traced();
    const run = app.state.results.value?.run;
    chooseValue(app, { entry: 5, path: [] }, run?.trace[5] ?? null);
    const link = viewState(app).params;
    expect(link).toMatchObject({ v: "%x", in: "body", at: "1@1" });
    focusOn(app, NO_FOCUS);
    expect(app.state.choice.value?.entry).toBe("output");
    focusOn(app, { ...NO_FOCUS, name: "x", computation: "body", iterations: [1], device: 1 });
    expect(app.state.choice.value?.entry).toBe(5);
    // What was not executed so often: the last time that it was.
    focusOn(app, { ...NO_FOCUS, name: "x", computation: "body", iterations: [7], device: 1 });
    expect(app.state.choice.value?.entry).toBe(6);
    chooseValue(app, { entry: "input:0", path: [] }, null);
    expect(viewState(app).params).toMatchObject({ at: "input:0" });
  });

  it("keeps the element of a layout that was typed, whatever the cursor is in", () => {
    const { app } = makeApp();
    writable(app.state).typedShape.value = "f32[6,8]";
    moveFocus(app, { index: [5, 7] });
    selectInstruction(app, X);
    expect(app.state.focus.value).toMatchObject({ name: "x", index: [5, 7] });
  });

  it("follows paths into tuples", () => {
    const leaf = new FakeEngine().run("ROOT t = (f32[2], s32[]) tuple(a)").output;
    expect(valueAt(leaf, [1])?.elementType).toBe("s32");
    expect(valueAt(leaf, [7])).toBeNull();
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
    const { app } = makeApp();
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
    const { app } = makeApp();
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

describe("names", () => {
  it("are those of the text, where the engine had to change them", () => {
    const text = "  %0 = stablehlo.add %a, %b\n  %12 = stablehlo.negate %0";
    expect(shownName("v0", text, 2)).toBe("0");
    expect(shownName("v0.1", text, 2)).toBe("0");
    expect(shownName("v1", text, text.indexOf("%12"))).toBe("v1");
    expect(shownName("v12", text, text.indexOf("%12"))).toBe("12");
    expect(shownName("%v0", "v0 = f32[] add(a, b)", 0)).toBe("v0");
    expect(shownName("sum", text, 2)).toBe("sum");
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

describe("lists", () => {
  it("find by name, opcode and text", () => {
    const engine = new FakeEngine();
    const result = engine.run(PROGRAM);
    expect(rowsOf(result, "").map((row) => row.label)).toEqual(["output", "x", "y"]);
    expect(rowsOf(result, "param").map((row) => row.label)).toEqual(["x"]);
    const two = {
      ...result,
      devices: [0, 1].map((device) => ({
        device,
        replica: device,
        partition: 0,
        output: result.output,
        inputs: [],
      })),
      trace: result.trace.map((entry, i) => ({ ...entry, device: i % 2 })),
    };
    const outputs = [0, 1].map((d) => `device ${d}: output`);
    expect(rowsOf(two, "").map((row) => row.label)).toEqual([...outputs, "x"]);
    expect(rowsOf(two, "", 1).map((row) => row.label)).toEqual([...outputs, "y"]);
    expect(chosenValue(two, { entry: "output@1", path: [] })?.value).toBe(result.output);
    expect(chosenValue(two, { entry: "output@2", path: [] })).toBeNull();
    expect(outlineRows(engine.outline(PROGRAM), "add")).toHaveLength(2);
    expect(outlineRows(engine.outline(PROGRAM), "none such")).toHaveLength(0);
    expect(filterOps(engine.ops(), "contract").map((op) => op.name)).toEqual(["dot"]);
    const items = [
      { label: "Go to run", hint: "" },
      { label: "Run", hint: "" },
    ];
    expect(searchItems(items, "run").map((item) => item.label)).toEqual(["Run", "Go to run"]);
  });

  it("find the first token of a range", () => {
    const tokens = Uint32Array.from([0, 0, 3, 1, 4, 6, 2, 10, 12]);
    expect([0, 3, 5, 6, 50].map((at) => firstToken(tokens, at))).toEqual([0, 1, 1, 2, 3]);
  });
});

describe("the outline", () => {
  const text = "t { }\ne { p, q = call(p), to_apply=t }";
  const instruction = (name: string, rest: Partial<InstructionInfo> = {}): InstructionInfo => ({
    name,
    opcode: "add",
    shape: "f32[2]",
    range: [0, 1],
    nameRange: [0, 1],
    shapeRange: [0, 0],
    operands: [],
    attributes: [],
    root: false,
    ...rest,
  });
  const at = text.indexOf("=t") + 1;
  const attribute = { name: "to_apply", range: [at, at + 1] as TextRange, calls: ["t"] };
  const outline = [
    { name: "t", instructions: [instruction("x")] },
    {
      name: "e",
      instructions: [
        instruction("p"),
        instruction("q", { operands: [0], attributes: [attribute] }),
      ],
    },
  ].map((computation) => ({
    ...computation,
    entry: computation.name === "e",
    range: [0, 1] as TextRange,
    nameRange: [0, 1] as TextRange,
  }));
  const shown = (...toggled: string[]): string[] =>
    outlineRows(outline, "", text, new Set(toggled)).map(
      ({ key, level, expanded }) =>
        `${level} ${key}${expanded === undefined ? "" : expanded ? " open" : " closed"}`,
    );

  it("is a tree of computations, instructions, operands, attributes and what these call", () => {
    expect(shown()).toEqual(["1 /t open", "2 /t/x", "1 /e open", "2 /e/p", "2 /e/q closed"]);
    expect(shown("/t", "/e/q")).toEqual([
      "1 /t closed",
      "1 /e open",
      "2 /e/p",
      "2 /e/q open",
      "3 /e/q/0",
      "3 /e/q/to_apply= closed",
    ]);
    const nested = shown("/t", "/e/q", "/e/q/to_apply=", "/e/q/to_apply=/t").slice(-3);
    expect(nested).toEqual([
      "3 /e/q/to_apply= open",
      "4 /e/q/to_apply=/t open",
      "5 /e/q/to_apply=/t/x",
    ]);
    const rows = outlineRows(outline, "", text, new Set(["/e/q"]));
    expect(rows.at(-1)).toMatchObject({ kind: "attribute", value: "t" });
    expect(rows[parentOf(rows, rows.length - 1)]?.key).toBe("/e/q");
    expect(parentOf(rows, 0)).toBe(-1);
    expect(rows.map(rangeOf)).toHaveLength(rows.length);
  });

  it("of computations that call themselves ends", () => {
    const own = { ...attribute, calls: ["e"] };
    const loop = outline.map((computation) => ({
      ...computation,
      instructions: computation.instructions.map((i) => ({ ...i, attributes: [own] })),
    }));
    const opened = { has: (key: string) => key.startsWith("/e/") } as unknown as Set<string>;
    expect(outlineRows(loop.slice(1), "", text, opened).length).toBeGreaterThan(10);
  });
});

describe("diagnostics in the editor", () => {
  it("stay inside the text, and are not too many", () => {
    const one = {
      code: "c",
      severity: "error" as const,
      range: [50, 90] as [number, number],
      message: "m",
      notes: [],
      fixes: [],
    };
    expect(toLint([one], 10)[0]).toMatchObject({ from: 10, to: 10 });
    expect(toLint(new Array(5000).fill(one), 100)).toHaveLength(500);
  });
});

describe("numbers", () => {
  it("are written for people", () => {
    expect([bytes(60), bytes(1536), bytes(2 ** 40)]).toEqual(["60 B", "1.5 KiB", "1 TiB"]);
    expect([seconds(0.0000034), seconds(0.0123), seconds(2)]).toEqual(["3 µs", "12 ms", "2.00 s"]);
    expect([percent(0.375), percent(0.0123)]).toEqual(["38 %", "1.2 %"]);
    expect([significant(Number.NaN), significant(1 / 3)]).toEqual(["NaN", "0.33333"]);
    expect([...heatOf(Float64Array.of(-2, 1, Number.NaN))]).toEqual([-1, 0.5, Number.NaN]);
  });
});
