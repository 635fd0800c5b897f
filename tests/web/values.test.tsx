/** Values of a run: loops that fold, what is no number and where it comes from, checks. */
import { render } from "preact";
import { describe, expect, it, vi } from "vitest";
import { run } from "../../web/src/app/actions";
import type { App } from "../../web/src/app/app";
import { writable } from "../../web/src/app/state";
import { barsOf, keptText } from "../../web/src/views/values/LoopBars";
import { inIteration, stretches, unroll } from "../../web/src/views/values/loops";
import { cutText } from "../../web/src/views/values/rows";
import {
  parseIterations,
  printIterations,
  valuesSession,
} from "../../web/src/views/values/session";
import { ValuesView } from "../../web/src/views/values/ValuesView";
import { engine } from "./engine";
import { mountApp } from "./mounted";

/** Two loops, one in the other: 3 rounds of 2. */
const NESTED = `HloModule nested
less3 { c = s32[] parameter(0)  n = s32[] constant(3)  ROOT l = pred[] compare(c, n), direction=LT }
less2 { c = s32[] parameter(0)  n = s32[] constant(2)  ROOT l = pred[] compare(c, n), direction=LT }
inner { i = s32[] parameter(0)  o = s32[] constant(1)  ROOT step = s32[] add(i, o) }
outer {
  k = s32[] parameter(0)
  z = s32[] constant(0)
  w = s32[] while(z), condition=less2, body=inner
  o = s32[] constant(1)
  ROOT next = s32[] add(k, o)
}
ENTRY main {
  s = s32[] constant(0)
  ROOT all = s32[] while(s), condition=less3, body=outer
}`;

const BAD = `HloModule bad
ENTRY main {
  x = f32[3] constant({1, 0, -1})
  low = f32[] constant(-inf)
  logged = f32[3] log(x)
  fine = f32[3] add(x, x)
  ROOT sum = f32[3] add(logged, fine)
}`;

const CHECKS = `func.func @main() {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %a, dense<[1, 2]> : tensor<2xi32>
  check.expect_eq_const %a, dense<[1, 3]> : tensor<2xi32>
  return
}`;

async function ran(text: string): Promise<{ app: App; root: HTMLElement }> {
  const { app, root } = mountApp();
  writable(app.state).text.value = text;
  await run(app);
  render(<ValuesView app={app} />, root);
  return { app, root };
}

const rowsOf = (root: HTMLElement): string[] =>
  [...root.querySelectorAll(".virtual-row .name")].map((row) => row.textContent ?? "");

describe("loops", () => {
  const { trace } = engine.run(NESTED, {});

  it("show one iteration each", () => {
    const { entries, loops } = unroll(trace, {});
    expect(loops.map(({ key }) => key)).toEqual(["main/all", "outer/w"]);
    const named = (name: string) => entries.filter((entry) => entry.name === name);
    expect(named("next").map(({ iterations }) => iterations)).toEqual([[2]]);
    expect(named("step").map(({ iterations }) => iterations)).toEqual([[2, 1]]);
    const other = unroll(trace, { "main/all": 1, "outer/w": 0 });
    const step = other.entries.filter(({ name }) => name === "step");
    expect(step.map(({ iterations }) => iterations)).toEqual([[1, 0]]);
    expect(entries.length).toBeLessThan(trace.length / 2);
  });

  it("show in a link's page the iterations that the link says, as far as they are there", () => {
    const shown = (text: string) =>
      unroll(trace, parseIterations(text)).loops.map((loop) => loop.shown);
    expect(shown("main/all:1,outer/w:0")).toEqual([1, 0]);
    expect(printIterations(parseIterations("main/all:1,outer/w:0"))).toBe("main/all:1,outer/w:0");
    for (const text of ["", "main/all", "main/all:-1", "main/all:99", ":::,/", "main/all:1e3"])
      expect(shown(text)).toEqual([2, 1]);
    expect(Object.keys(parseIterations("a/b:1,".repeat(1000)))).toEqual(["a/b"]);
    expect(parseIterations("__proto__:1")).toEqual({});
  });

  it("follow what is looked at", () => {
    const focus = trace.find((e) => e.name === "step" && e.iterations.join() === "0,1") ?? null;
    const { loops, entries } = unroll(trace, { "main/all": 2 }, focus);
    expect(loops.map(({ shown }) => shown)).toEqual([0, 1]);
    expect(entries).toContain(focus);
    expect(barsOf(loops, focus)).toEqual(loops);
    if (!focus) throw new Error("no such step");
    expect(inIteration(trace, focus, 0, 2)?.iterations).toEqual([2, 1]);
    expect(inIteration(trace, focus, 1, 0)?.iterations).toEqual([0, 0]);
    expect(inIteration(trace, focus, 0, 9)).toBeNull();
  });

  it("say which iterations are kept", () => {
    const [loop] = unroll(trace, {}).loops;
    if (!loop) throw new Error("no loop");
    expect(keptText(loop)).toBe("");
    // The condition is asked once more than the body is executed.
    expect([loop.count, loop.kept.at(-1), loop.shown]).toEqual([3, 3, 2]);
    expect(keptText({ ...loop, kept: [0, 1, 8, 9], count: 10 })).toBe("kept: 0 to 1, 8 to 9");
    expect(keptText({ ...loop, dropped: [0] })).toBe("values let go in 0");
    expect(stretches([])).toEqual([]);
    const late = trace.filter(({ iterations: [i] }) => i === undefined || i > 0);
    expect(keptText(unroll(late, {}).loops[0] ?? loop)).toBe("kept: 1 to 3");
  });

  it("are the oldest to go where there are too many values, and without loops the last are", () => {
    const long = trace.slice(0, 4);
    expect(cutText({ trace: long, traceCount: 4 })).toBe("");
    expect(cutText({ trace: long, traceCount: 9 })).toMatch(/^The first 4 of 9 values/);
    expect(cutText({ trace: trace.slice(2, 6), traceCount: 9 })).toMatch(/oldest iterations/);
  });

  it("have a slider, which takes the value along", async () => {
    const { app, root } = await ran(NESTED);
    const sliders = () => [...root.querySelectorAll<HTMLInputElement>("input[type=range]")];
    expect(
      sliders().map((slider) => slider.ariaLabel ?? slider.getAttribute("aria-label")),
    ).toEqual(["Iteration of all", "Iteration of w"]);
    expect(rowsOf(root).filter((name) => name.includes("next"))).toHaveLength(1);
    const [slider] = sliders();
    if (!slider) throw new Error("no slider");
    slider.value = "1";
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    expect(valuesSession(app).iterations.value).toEqual({ "main/all": 1 });
    await vi.waitFor(() =>
      expect(sliders()[0]?.getAttribute("aria-valuetext")).toMatch(/^iteration 1 \(0 to 2\)/),
    );
  });
});

describe("values that are no numbers", () => {
  it("are marked, and lead to what made them", async () => {
    const { app, root } = await ran(BAD);
    const marks = () =>
      [...root.querySelectorAll(".virtual-row")].flatMap((row) => {
        const badges = [...row.querySelectorAll(".badge")].map((badge) => badge.textContent);
        return badges.length > 0 ? [`${row.querySelector(".name")?.firstChild?.textContent}`] : [];
      });
    await vi.waitFor(() => expect(marks()).toEqual(["output", "low", "logged", "sum"]));
    await vi.waitFor(() => expect(root.querySelector(".stats code")).not.toBeNull());
    const origin = root.querySelector(".stats code")?.closest("button");
    expect(origin?.textContent).toBe("First made by logged");
    origin?.click();
    expect(app.state.focus.value.name).toBe("logged");
    await vi.waitFor(() =>
      expect(root.querySelector(".stats")?.textContent).toContain("made here"),
    );
  });

  it("are traced through loops and calls", () => {
    const program = `HloModule loops
less { c = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(c), index=0
  n = s32[] constant(3)  ROOT l = pred[] compare(i, n), direction=LT }
body { b = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(b), index=0
  v = f32[] get-tuple-element(b), index=1  o = s32[] constant(1)  next = s32[] add(i, o)
  one = f32[] constant(1)  less1 = f32[] subtract(v, one)  root = f32[] sqrt(less1)
  ROOT r = (s32[], f32[]) tuple(next, root) }
ENTRY main { z = s32[] constant(0)  f = f32[] constant(2)
  s = (s32[], f32[]) tuple(z, f)  w = (s32[], f32[]) while(s), condition=less, body=body
  g = f32[] get-tuple-element(w), index=1  ROOT last = f32[] negate(g) }`;
    const { handle } = engine.run(program, {});
    const output = { name: "", computation: "", entry: "output", index: null };
    const entry = engine.why(program, { element: output }).rows.at(-1);
    // 2, 1, 0, and the root of -1 in the third round.
    expect([entry?.name, entry?.iterations]).toEqual(["root", [2]]);
    const bad = engine.nonFinite({ handle });
    expect(bad.at(-1)).toEqual(["output", 1, 0]);
    expect(bad.every(([, nan, infinity]) => nan === 1 && infinity === 0)).toBe(true);
    const fine = engine.why(program, { element: { name: "z", computation: "main" } });
    expect(fine.rows.map(({ name, value }) => [name, value])).toEqual([["z", "0"]]);
  });

  it("have no least and no largest", async () => {
    const { root } = await ran("ENTRY e { ROOT n = f32[4] constant({nan, nan, nan, nan}) }");
    await vi.waitFor(() => expect(root.querySelector(".stats")?.textContent).toContain("NaN 4"));
    expect(root.querySelector(".stats")?.textContent).not.toMatch(/min|max|mean/);
  });
});

describe("the size of a value", () => {
  it.each([
    ["s4[5]{0:E(4)}", "3 B"],
    ["f32[3,5]{1,0:T(2,2)}", "96 B"],
    ["f32[0,3]{1,0}", "0 B"],
  ])("is what its layout takes: %s %s", async (shape, size) => {
    const { root } = await ran(`ENTRY e { ROOT i = ${shape} iota(), iota_dimension=0 }`);
    await vi.waitFor(() =>
      expect(root.querySelector(".detail-head")?.lastElementChild?.textContent).toBe(size),
    );
  });
});

describe("checks", () => {
  it("say whether they hold", async () => {
    const { root } = await ran(CHECKS);
    const marks = [...root.querySelectorAll(".badge.good, .badge.bad")].map((b) => b.textContent);
    expect(marks).toEqual(["✓ holds", "✗ fails"]);
  });
});
