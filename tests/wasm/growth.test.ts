/**
 * What the page asks about a program takes time in proportion to it, or nearly. Times are those of the process, for
 * programs of which one is eight times the other, and only what is plainly too much fails: eight times
 * the work may take 24 times as long; a square would take 64.
 */
import process from "node:process";
import { beforeAll, describe, expect, it } from "vitest";
import type { LocalEngine } from "../../wasm/index";
import { calls, exponentOf, timesOf } from "../bench/growth_calls.mjs";
import { loadEngine } from "./setup";

const SMALL = 400;
const LARGE = 8 * SMALL;
const MOST = 24;
/** Shorter ones cannot be told from nothing, in ms. */
const SHORT = 5;

/** Those that look at every instruction, and were or could easily be more than in proportion. */
const NAMES = [
  ...["check", "outline, all windows", "format", "graph", "isolate", "passes, all"],
  ...["memory, savings", "cost", "run", "why", "debug", "diff with an edit"],
];

let engine: LocalEngine;
beforeAll(async () => {
  engine = await loadEngine();
});

/** Sixteen times the work may take three times as long as that; a square would take 256 times as long. */
function expectGrowth(size: number, work: (size: number) => void): void {
  const timeOf = (count: number): number => {
    const begin = process.cpuUsage();
    work(count);
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  };
  timeOf(100);
  const before = Math.max(timeOf(size), SHORT);
  expect(timeOf(16 * size)).toBeLessThan(48 * before);
}

describe("calls about a whole program", () => {
  it.each(["chain", "layers", "wide", "bodies"])(
    "grow with it: %s",
    { timeout: 120_000 },
    (form) => {
      timesOf(engine, form, 100, NAMES, 2);
      const small = timesOf(engine, form, SMALL, NAMES, 3);
      const large = timesOf(engine, form, LARGE, NAMES, 1);
      const wrong = NAMES.filter((name) => {
        const before = Math.max(small[name] ?? 0, SHORT);
        return (large[name] ?? Infinity) > MOST * before;
      });
      expect(wrong.map((name) => `${name}: ${small[name]} ms, then ${large[name]} ms`)).toEqual([]);
    },
  );

  // Programs in which one part is as large as the whole: many computations, a tuple of many elements.
  it.each([
    ["bodies", "memory, savings", 4_000],
    ["wide", "why", 2_000],
  ] as const)("grow with it where it is long: %s, %s", { timeout: 120_000 }, (form, name, size) => {
    timesOf(engine, form, 100, [name], 2);
    const before = Math.max(timesOf(engine, form, size, [name], 3)[name] ?? 0, SHORT);
    // As for expectGrowth.
    expect(timesOf(engine, form, 16 * size, [name])[name]).toBeLessThan(48 * before);
  });

  it("grow with the keys of a dictionary of StableHLO", { timeout: 120_000 }, () => {
    expectGrowth(4_000, (count) => {
      const keys = Array.from({ length: count }, (_, i) => `k${i} = "v"`).join(", ");
      engine.check(`module attributes {mhlo.frontend_attributes = {${keys}}} {
        func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }
      }`);
    });
  });

  it("grow with the results of a function of StableHLO", { timeout: 120_000 }, () => {
    expectGrowth(1_000, (count) => {
      const types = Array.from({ length: count }, () => "tensor<f32>").join(", ");
      const names = Array.from({ length: count }, () => "%a").join(", ");
      const { diagnostics } = engine.check(`func.func @main(%a: tensor<f32>) -> (${types}) {
        return ${names} : ${types}
      }`);
      expect(diagnostics).toEqual([]);
    });
  });

  const branches = (count: number): string => {
    const each = Array.from({ length: count }, (_, i) => i);
    const bodies = each.map((i) => `body${i} { x = s32[] parameter(0) ROOT n = s32[] negate(x) }`);
    return `${bodies.join("\n")}\nENTRY e { i = s32[] parameter(0)
      ${each.map((i) => `a${i} = s32[] parameter(${i + 1})`).join("\n")}
      ROOT c = s32[] conditional(i, ${each.map((i) => `a${i}`).join(", ")}),
        branch_computations={${each.map((i) => `body${i}`).join(", ")}} }`;
  };

  it("grow with the branches of a conditional: its picture", { timeout: 120_000 }, () => {
    expectGrowth(300, (count) => {
      expect(engine.graph(branches(count), {}).boxes.length).toBeGreaterThan(0);
    });
  });

  it("grow with the branches of a conditional: its inputs", { timeout: 120_000 }, () => {
    expectGrowth(300, (count) => {
      const result = engine.run(branches(count), { trace: false });
      engine.release(result.handle);
      expect(result.ok).toBe(true);
    });
  });

  it("grow with the elements of a parameter: its inputs", { timeout: 120_000 }, () => {
    expectGrowth(500, (count) => {
      const each = Array.from({ length: count }, (_, i) => i);
      const text = `ENTRY e { p = (${each.map(() => "s32[]").join(", ")}) parameter(0)
        ${each.map((i) => `g${i} = s32[] get-tuple-element(p), index=${i}`).join("\n")}
        ROOT r = s32[] negate(g0) }`;
      const result = engine.run(text, { trace: false });
      engine.release(result.handle);
      expect(result.ok).toBe(true);
    });
  });

  it("grow with a chain of collectives, back to where a NaN comes from", {
    timeout: 120_000,
  }, () => {
    expectGrowth(500, (count) => {
      const line = (i: number): string =>
        `x${i} = f32[4] all-reduce(x${i - 1}), replica_groups={}, to_apply=add\n`;
      const lines = Array.from({ length: count }, (_, i) => line(i + 1));
      const text = `HloModule m, replica_count=2
        add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
        ENTRY e { x0 = f32[4] parameter(0)\n${lines.join("")} ROOT r = f32[4] negate(x${count}) }`;
      const { rows, problem } = engine.why(text, {
        inputs: ["nan"],
        element: { computation: "", name: "r", index: [0] },
      });
      expect([problem, rows.at(-1)?.name]).toEqual(["", "x0"]);
    });
  });

  it("grow with a chain whose operands are far apart, back to where a NaN comes from", {
    timeout: 120_000,
  }, () => {
    expectGrowth(500, (count) => {
      const inputs = Array.from({ length: count }, (_, i) => `p${i} = f32[] parameter(${i})\n`);
      const sums = inputs.slice(1).map((_, i) => `x${i + 1} = f32[] add(x${i}, p${i + 1})\n`);
      const text = `ENTRY e { ${inputs.join("")} x0 = f32[] log(p0)
        ${sums.join("")} ROOT r = f32[] negate(x${count - 1}) }`;
      const { rows, problem } = engine.why(text, {
        inputs: ["constant:-1"],
        element: { computation: "", name: "r", index: [] },
      });
      expect([problem, rows.at(-1)?.name]).toEqual(["", "x0"]);
    });
  });

  it("grow with the parts of a tuple that an element reaches", { timeout: 120_000 }, () => {
    expectGrowth(1_000, (count) => {
      const names = Array.from({ length: count }, (_, i) => `n${i}`);
      const lines = names.map((name) => `${name} = f32[4] negate(p)\n`);
      const text = `ENTRY e { p = f32[4] parameter(0)\n${lines.join("")}
        ROOT r = (${names.map(() => "f32[4]").join()}) tuple(${names.join()}) }`;
      const { reach } = engine.why(text, {
        reach: true,
        element: { computation: "", name: "p", index: [0] },
      });
      expect(reach?.results).toHaveLength(1);
    });
  });

  it("grow with asynchronous collectives", { timeout: 120_000 }, () => {
    expectGrowth(1_000, (count) => {
      const line = (i: number): string =>
        `begun${i} = f32[4] all-reduce-start(x${i - 1}), to_apply=add, replica_groups={}
         x${i} = f32[4] all-reduce-done(begun${i})\n`;
      const lines = Array.from({ length: count }, (_, i) => line(i + 1));
      const text = `add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
        ENTRY e { x0 = f32[4] parameter(0)\n${lines.join("")} ROOT r = f32[4] negate(x${count}) }`;
      const result = engine.run(text, { trace: false });
      engine.release(result.handle);
      expect(result.ok).toBe(true);
    });
  });

  it("are kept: the program after another pass takes no pass again", { timeout: 120_000 }, () => {
    const names = ["passes, all", "passes, one step more"];
    const times = timesOf(engine, "layers", LARGE, names, 2);
    expect(times["passes, one step more"]).toBeLessThan((times["passes, all"] ?? 0) / 2);
    expect(names.every((name) => name in calls)).toBe(true);
  });

  it("exponents are slopes of the upper half", () => {
    expect(exponentOf([10, 100, 1000, 10_000].map((n) => [n, n ** 1.5]))).toBeCloseTo(1.5);
    const late = [10, 100, 1000, 10_000].map((n) => [n, Math.max(1000, n)] as const);
    expect(exponentOf(late)).toBeCloseTo(1);
  });
});
