/** What programs cost, on which machine; and where a run's time went. */
import { render } from "preact";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { App } from "../../web/src/app/app";
import { writable } from "../../web/src/app/state";
import { duration, scaled, withUnit } from "../../web/src/ui/scaled";
import { CostView } from "../../web/src/views/cost/CostView";
import { axisOf, placeOn, pointsOf } from "../../web/src/views/cost/Roofline";
import {
  costSession,
  parseMachine,
  parseSorting,
  printMachine,
  printSorting,
} from "../../web/src/views/cost/session";
import { boxesOf, fittingName } from "../../web/src/views/profile/Icicle";
import { engine } from "./engine";
import { mountApp } from "./mounted";

const PROGRAM = `HloModule m
ENTRY main {
  p = f32[64,64] parameter(0)
  n = f32[64,64] negate(p)
  e = f32[64,64] exponential(n)
  ROOT d = f32[64,64] dot(e, e), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}`;

let app: App;
let root: HTMLElement;

beforeEach(() => {
  ({ app, root } = mountApp());
});

async function show(): Promise<void> {
  const s = writable(app.state);
  s.text.value = PROGRAM;
  s.check.value = engine.check(PROGRAM);
  render(<CostView app={app} />, root);
  await vi.waitFor(() => expect(root.querySelector(".cost-name")).not.toBeNull());
}

const names = (): string[] =>
  [...root.querySelectorAll(".cost-name")].map((cell) => cell.textContent?.split(" ")[0] ?? "");

describe("the cost view", () => {
  it("shows totals and instructions, those that take longest first", async () => {
    await show();
    // 2 x 64^3, and 64^2 of negate.
    expect(root.querySelector(".facts")?.textContent).toContain("528 k");
    expect(names()[0]).toBe("d");
    expect(root.querySelector(".cost-machine")?.textContent).toContain("datasheet");
  });

  it("says the heading of each figure of a row to those who hear it", async () => {
    await show();
    const row = root.querySelector(".cost-rows .virtual-row")?.textContent ?? "";
    expect(row).toMatch(/^d dot\s*Time .*Bound (compute|memory)\s*FLOPs 524 k\s*Transc\. 0/);
    expect(row).toMatch(/Read 32(\.8)? k.*Runs 1$/);
  });

  it("sorts by a column, and the other way when asked again", async () => {
    await show();
    const head = [...root.querySelectorAll<HTMLButtonElement>(".cost-column")].find((button) =>
      button.textContent?.startsWith("Transc."),
    );
    head?.click();
    await vi.waitFor(() => expect(names()[0]).toBe("e"));
    head?.click();
    await vi.waitFor(() => expect(names()[0]).not.toBe("e"));
    expect(costSession(app).sorting.value).toEqual({ by: "transcendentals", ascending: true });
  });

  it("selects what the page looks at, with its formula", async () => {
    await show();
    root.querySelector<HTMLElement>(".cost-rows .virtual-row")?.click();
    expect(app.state.focus.value.name).toBe("d");
    await vi.waitFor(() =>
      expect(root.querySelector(".cost-details")?.textContent).toContain("contracted sizes"),
    );
    expect(root.querySelector(".point[aria-selected=true]")?.getAttribute("aria-label")).toMatch(
      /^d:/,
    );
  });

  it("says what fusing saves", async () => {
    await show();
    await vi.waitFor(() => expect(root.querySelector(".cost-savings")).not.toBeNull());
    expect(root.querySelector(".cost-savings")?.textContent).toContain("fuse it with its user");
  });

  it("takes typed figures", async () => {
    await show();
    const figures = { peak64: 0, peak32: 1e-6, peak16: 0, peak8: 0, bandwidth: 1 };
    costSession(app).machine.value = { typed: figures };
    await vi.waitFor(() => expect(root.querySelector(".cost-head")?.textContent).toContain("ms"));
    expect(root.querySelector(".cost-machine .badge")?.textContent).toBe("typed");
  });
});

describe("links of the cost view", () => {
  it("name a machine and an order", () => {
    for (const text of ["v5e", "h100", "here", "typed:0,19.5,312,624,2039"]) {
      const machine = parseMachine(text);
      expect(machine && printMachine(machine)).toBe(text);
    }
    for (const text of ["", "V5E!", "typed:1,2", "typed:1,2,3,4,x", "typed:-1,0,0,0,0"]) {
      expect(parseMachine(text)).toBeNull();
    }
    for (const text of ["flops", "-name"]) {
      const sorting = parseSorting(text);
      expect(sorting && printSorting(sorting)).toBe(text);
    }
    expect(parseSorting("size")).toBeNull();
  });
});

describe("pictures of costs", () => {
  it("have axes over powers of ten", () => {
    expect(axisOf([0.02, 300])).toEqual({ from: -2, to: 3 });
    expect(axisOf([])).toEqual({ from: 0, to: 1 });
    expect(placeOn({ from: 0, to: 2 }, 10)).toBe(0.5);
    expect(placeOn({ from: 0, to: 2 }, 0)).toBe(0);
    expect(pointsOf([])).toEqual([]);
  });

  it("write numbers with prefixes", () => {
    expect(scaled(1234567)).toBe("1.23 M");
    expect(withUnit(12, "B")).toBe("12 B");
    expect(withUnit(3.35e12, "B/s")).toBe("3.35 TB/s");
    expect(duration(2.5e-9)).toBe("2.5 ns");
    expect(duration(8.791e-11)).toBe("87.9 ps");
    expect(duration(0)).toBe("0");
  });
});

describe("profiles", () => {
  const plan = {
    islands: [],
    islandCount: 0,
    steps: [],
    stepCount: 0,
    executor: null,
  };

  it("come from a run as a tree and as trace events", () => {
    const text = PROGRAM;
    const run = engine.run(text, { inputs: [], trace: false, plan: true });
    expect(run.plan).toBeDefined();
    const tree = engine.profileTree(run.plan ?? plan);
    expect(tree.nodes.some(({ level, step }) => level === 2 && step?.opcode === "dot")).toBe(true);
    const trace = JSON.parse(engine.profileTrace(run.plan ?? plan));
    const complete = trace.traceEvents.filter(({ ph }: { ph: string }) => ph === "X");
    expect(complete.length).toBe(tree.nodes.length);
    engine.release(run.handle);
  });

  it("have boxes as wide as their share", () => {
    const node = (level: 0 | 1 | 2, parent: number, begin: number, seconds: number) => ({
      ...{ level, parent, begin, seconds, name: `n${begin}`, step: null },
    });
    const nodes = [node(0, -1, 0, 4), node(1, 0, 0, 3), node(2, 1, 0, 1), node(2, 1, 1, 2)];
    expect(boxesOf(nodes, 0).map(({ x, width }) => [x, width])).toEqual([
      [0, 1000],
      [0, 750],
      [0, 250],
      [250, 500],
    ]);
    expect(boxesOf(nodes, 3).map(({ index }) => index)).toEqual([0, 1, 3]);
    expect(boxesOf([], 0)).toEqual([]);
  });

  it("have as much of a name as there is room for", () => {
    expect(fittingName("%dot.1", 60)).toBe("%dot.1");
    expect(fittingName("%dot_general.11", 60)).toBe("%dot_g…");
    expect(fittingName("%dot_general.11", 30)).toBe("");
  });
});
