/** What lists show of an engine's answers: values, the outline, ops, the palette. */
import { describe, expect, it } from "vitest";
import { run } from "../../web/src/app/actions";
import { LIST_WINDOW, outlineOf } from "../../web/src/app/engines";
import { chosenValue, writable } from "../../web/src/app/state";
import { firstToken } from "../../web/src/editor/highlight";
import { searchItems } from "../../web/src/page/PaletteList";
import { bothEnds } from "../../web/src/ui/Name";
import { filterOps } from "../../web/src/views/ops/OpsView";
import { outlineRows, parentOf, rangeOf } from "../../web/src/views/outline/rows";
import { filterRows, rowsOf } from "../../web/src/views/values/rows";
import { engine } from "./engine";
import { makeApp } from "./mounted";

const PROGRAM = `HloModule m
ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  ROOT y = f32[2,3]{1,0} add(x, x)
}`;

describe("lists", () => {
  it("find by name, opcode and text", () => {
    const result = engine.run(PROGRAM, {});
    const shown = { device: 0, iterations: {}, focus: null };
    const all = rowsOf(result, shown).rows;
    expect(all.map((row) => row.label)).toEqual(["output", "x", "y"]);
    expect(filterRows(all, "param").map((row) => row.label)).toEqual(["x"]);
    const two = engine.run(PROGRAM, { replicas: 2 });
    const outputs = [0, 1].map((d) => `device ${d}: output`);
    for (const device of [0, 1]) {
      const { rows } = rowsOf(two, { ...shown, device });
      expect(rows.map((row) => row.label)).toEqual([...outputs, "x", "y"]);
      expect(rows.slice(2).map((row) => row.entry?.device)).toEqual([device, device]);
    }
    expect(chosenValue(two, { entry: "output@1", path: [] })?.value).toBe(two.devices?.[1]?.output);
    expect(chosenValue(two, { entry: "output@2", path: [] })).toBeNull();
    expect(outlineRows(engine.outline(PROGRAM), "add")).toHaveLength(2);
    expect(outlineRows(engine.outline(PROGRAM), "none such")).toHaveLength(0);
    expect(filterOps(engine.ops(), "Paired dimensions").map((op) => op.name)).toEqual(["dot"]);
    const items = [
      { label: "Go to run", hint: "" },
      { label: "Run", hint: "" },
    ];
    expect(searchItems(items, "run").map((item) => item.label)).toEqual(["Run", "Go to run"]);
    const named = [
      { label: "%adder", name: "adder", hint: "" },
      { label: "%add", name: "add", hint: "" },
      { label: "Add", hint: "" },
    ];
    const found = (query: string) => searchItems(named, query).map((item) => item.label);
    expect(found("adde")).toEqual(["%adder"]);
    expect(found("%add")).toEqual(["%adder", "%add"]);
    const settings = { label: "Settings", also: "seed threads", hint: "" };
    expect(searchItems([...items, settings], "seed")).toEqual([settings]);
  });

  it("find the first token of a range", () => {
    const tokens = Uint32Array.from([0, 0, 3, 1, 4, 6, 2, 10, 12]);
    expect([0, 3, 5, 6, 50].map((at) => firstToken(tokens, at))).toEqual([0, 1, 1, 2, 3]);
  });
});

it("names that are too long keep both ends: they differ in the last letters", () => {
  expect(bothEnds("add.1", 23)).toBe("add.1");
  const [one, other] = ["1234", "1235"].map((n) => bothEnds(`%get-tuple-element-start.${n}`, 23));
  expect(one).toBe("%get-tuple-e…start.1234");
  expect(one).toHaveLength(23);
  expect(other).not.toBe(one);
});

describe("the outline", () => {
  const text = `t {
  x = f32[2] parameter(0)
}
ENTRY e {
  p = f32[2] parameter(0)
  ROOT q = f32[2] call(p), to_apply=t
}`;
  const outline = engine.outline(text);
  const shown = (...toggled: string[]): string[] =>
    outlineRows(outline, "", text, new Set(toggled)).map(
      ({ key, level, expanded }) =>
        `${level} ${key}${expanded === undefined ? "" : expanded ? " open" : " closed"}`,
    );

  it("is a tree of computations, instructions, operands, attributes and what these call", () => {
    expect(shown()).toEqual([
      "1 /t open",
      "2 /t/x closed",
      "1 /e open",
      "2 /e/p closed",
      "2 /e/q closed",
    ]);
    expect(shown("/t", "/e/q")).toEqual([
      "1 /t closed",
      "1 /e open",
      "2 /e/p closed",
      "2 /e/q open",
      "3 /e/q/0",
      "3 /e/q/to_apply= closed",
    ]);
    const nested = shown("/t", "/e/q", "/e/q/to_apply=", "/e/q/to_apply=/t").slice(-3);
    expect(nested).toEqual([
      "3 /e/q/to_apply= open",
      "4 /e/q/to_apply=/t open",
      "5 /e/q/to_apply=/t/x closed",
    ]);
    const rows = outlineRows(outline, "", text, new Set(["/e/q"]));
    expect(rows.at(-1)).toMatchObject({ kind: "attribute", value: "t" });
    expect(rows[parentOf(rows, rows.length - 1)]?.key).toBe("/e/q");
    expect(parentOf(rows, 0)).toBe(-1);
    expect(rows.map(rangeOf)).toHaveLength(rows.length);
  });

  it("of computations that call themselves ends", () => {
    // The engine says nothing of such calls.
    const loop = outline.map((computation) => ({
      ...computation,
      instructions: computation.instructions.map((i) => ({
        ...i,
        attributes: i.attributes.map((attribute) => ({ ...attribute, calls: ["e"] })),
      })),
    }));
    const opened = { has: (key: string) => key.startsWith("/e/") } as unknown as Set<string>;
    expect(outlineRows(loop.slice(1), "", text, opened).length).toBeGreaterThan(10);
  });
});

describe("a long program", () => {
  it("comes from the engine in windows, and is there as a whole", async () => {
    const lines = ["b { ROOT z = f32[] parameter(0) }", "ENTRY e {", "  v0 = f32[] parameter(0)"];
    for (let i = 1; i < 3500; i++) lines.push(`  v${i} = f32[] negate(v${i - 1})`);
    const text = `${lines.join("\n")}\n  ROOT r = f32[] call(v3499), to_apply=b }`;
    const { app, links } = makeApp();
    writable(app.state).text.value = text;
    await run(app);
    const whole = engine.run(text, {});
    const { trace } = app.state.results.value?.run ?? { trace: [] };
    expect(trace.length).toBe(3502);
    expect(trace).toEqual(whole.trace);
    expect(await outlineOf(app.engines, text)).toEqual(engine.outline(text));
    for (const link of links) expect(link.longestList).toBeLessThanOrEqual(LIST_WINDOW);
    engine.release(whole.handle);
  });
});
