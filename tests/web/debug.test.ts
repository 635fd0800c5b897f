/** The pure parts of the debug view, on answers of the engine. */
import { describe, expect, it } from "vitest";
import type { DebugAnswers, DebugRequest } from "../../wasm/engine_api";
import { placed } from "../../web/src/views/debug/Bands";
import { extremes, historyData } from "../../web/src/views/debug/History";
import { engine } from "./engine";

const LOOP = `
cond { i = s32[] parameter(0)  n = s32[] constant(9)  ROOT lt = pred[] compare(i, n), direction=LT }
body { i = s32[] parameter(0)  one = s32[] constant(1)  ROOT j = s32[] add(i, one) }
ENTRY e { z = s32[] constant(0)  ROOT w = s32[] while(z), condition=cond, body=body }
`;

function recorded(text: string) {
  const { handle } = engine.debug(text, {});
  const ask = <W extends DebugRequest["what"]>(request: Extract<DebugRequest, { what: W }>) =>
    engine.askDebugger(handle, request) as DebugAnswers[W] & { problem?: string };
  while (!ask({ what: "record", ms: 100 }).ended) {
    // The rest.
  }
  return { handle, ask };
}

describe("a timeline", () => {
  it("gives histories whose lines and bounds a plot takes", () => {
    const { handle, ask } = recorded(LOOP);
    const history = ask({ what: "history", watch: "j" });
    expect(history.series.map(({ values }) => values)).toEqual([[1, 2, 3, 4, 5, 6, 7, 8, 9]]);
    expect(historyData(history)).toHaveLength(2);
    expect(extremes(history.series)).toEqual([1, 9]);
    const bounded = { ...history, series: [{ label: "", values: [2], least: [0], most: [4] }] };
    expect(historyData({ ...bounded, steps: [7] })).toEqual([[8], [2], [4], [0]]);
    expect(extremes(bounded.series)).toEqual([0, 4]);
    expect(extremes([{ label: "", values: [null] }])).toBeNull();
    engine.release(handle);
  });

  it("gives what a step made as a value that calls about values take", () => {
    const { handle, ask } = recorded("ENTRY e { ROOT c = f32[2,3] constant({{1,2,3},{4,5,6}}) }");
    const { step } = ask({ what: "value", watch: "c", position: 1 });
    const shown = ask({ what: "show", step });
    expect(shown.value.dims).toEqual([2, 3]);
    const ref = { handle, entry: step, path: [] };
    const window = { origin: [0, 0], rowDim: 0, colDim: 1, rows: 2, cols: 3 };
    expect([...engine.valueWindow(ref, window).numbers]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(engine.valueStats(ref).max).toBe(6);
    expect(ask({ what: "show", step: 99 }).problem).toBe("this step gives no value");
    engine.release(handle);
    expect([...engine.valueWindow(ref, window).numbers]).toEqual([]);
  });

  it("compares with another one, and reads conditions as they are written", () => {
    const before = recorded(LOOP);
    const { handle, ask } = recorded(LOOP.replace("constant(1)", "constant(3)"));
    expect(ask({ what: "compare", other: before.handle }).length).toBeGreaterThan(30);
    const { position } = ask({
      what: "search",
      position: 0,
      conditions: ["differs from other"],
      back: 0,
    });
    const { last } = ask({ what: "at", position: position ?? 0 });
    expect(last?.line).toBe("[0] body/one = 3");
    const { fault, completions } = ask({ what: "condition", text: "line 2 and j ch" });
    expect(fault).toMatch(/is no condition/);
    expect(completions.map(({ text }) => text)).toEqual(["line 2 and j changes"]);
    expect(ask({ what: "compare", other: 12345 }).problem).toBe("the other run is not kept");
    engine.release(handle);
    engine.release(before.handle);
  });
});

describe("bands", () => {
  it("are of one device, for a few levels of calls, and none too narrow to be seen", () => {
    const span = { caller: "w", computation: "body", iteration: 0 };
    const spans = [
      { ...span, begin: 0, end: 500, device: 0, depth: 0 },
      { ...span, begin: 0, end: 500, device: 0, depth: 3 },
      { ...span, begin: 0, end: 500, device: 1, depth: 0 },
      { ...span, begin: 7, end: 7, device: 0, depth: 0 },
    ];
    expect(placed(spans, 0, 1000)).toHaveLength(2);
    expect(placed(spans, 0, 1000, 2)).toHaveLength(1);
    expect(placed(spans, 1, 1000)[0]?.width).toBe(500);
  });
});
