/** Errors of values against a more precise run: the view, its figures, its state in links. */
import { render } from "preact";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { App } from "../../web/src/app/app";
import { writable } from "../../web/src/app/state";
import { compareRuns } from "../../web/src/views/precision/asking";
import {
  barOf,
  bucketText,
  decades,
  errorText,
  loopBands,
  pathOfBars,
  placeText,
} from "../../web/src/views/precision/figures";
import {
  parseExpected,
  parseRun,
  printExpected,
  printRun,
} from "../../web/src/views/precision/linked";
import { PrecisionView } from "../../web/src/views/precision/PrecisionView";
import { NO_EXPECTED, precisionSession, SAME_RUN } from "../../web/src/views/precision/session";
import { engine } from "./engine";
import { mountApp } from "./mounted";

const LOOP = `cond {
  s = (s32[], bf16[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(100)
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], bf16[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  sum = bf16[] get-tuple-element(s), index=1
  step = bf16[] constant(1.01)
  more = bf16[] add(sum, step)
  ROOT t = (s32[], bf16[]) tuple(next, more)
}
ENTRY e {
  z = s32[] constant(0)
  f = bf16[] constant(0)
  t = (s32[], bf16[]) tuple(z, f)
  w = (s32[], bf16[]) while(t), condition=cond, body=body
  ROOT r = bf16[] get-tuple-element(w), index=1
}`;

let app: App;
let root: HTMLElement;

beforeEach(() => {
  ({ app, root } = mountApp());
  const s = writable(app.state);
  s.text.value = LOOP;
  s.check.value = engine.check(LOOP);
  render(<PrecisionView app={app} />, root);
});

describe("the precision view", () => {
  it("runs when asked to, and shows the error over the iterations of a loop", async () => {
    expect(root.querySelector(".precision-summary")).toBeNull();
    root.querySelector<HTMLElement>(".empty button")?.click();
    await vi.waitFor(() => expect(root.querySelector(".precision-rows")).not.toBeNull());
    expect(root.querySelector(".precision-summary")?.textContent).toMatch(/^Result: largest error/);
    const rows = [...root.querySelectorAll<HTMLElement>(".precision-rows .virtual-row")];
    const more = rows.find((row) => row.textContent?.startsWith("more"));
    more?.click();
    expect(app.state.focus.value).toMatchObject({ name: "more", computation: "body" });
    await vi.waitFor(() =>
      expect(root.querySelector(".precision-series")?.textContent).toContain("100 executions"),
    );
  });

  it("shows what it found as outdated once it is asked something else", async () => {
    const { outcome, reference, other } = precisionSession(app);
    const text = LOOP;
    app.engines.precision = (async () => ({
      ...engine.precision(text, { as: "f32" }, ""),
    })) as never;
    reference.value = "f32";
    await compareRuns(app);
    await vi.waitFor(() => expect(root.querySelector(".precision-outcome")).not.toBeNull());
    expect(root.querySelector(".stale")).toBeNull();
    reference.value = "other";
    await vi.waitFor(() =>
      expect(root.querySelector(".stale")?.textContent).toContain("“This program in f32”"),
    );
    expect(root.querySelector(".precision-outcome.is-outdated")).not.toBeNull();
    other.value = { name: "b.hlo", text };
    await vi.waitFor(() => expect(root.querySelector(".precision-summary")).not.toBeNull());
    expect(root.querySelector(".stale")).not.toBeNull();
    // Back at the question, it is the answer.
    reference.value = "f32";
    await vi.waitFor(() => expect(root.querySelector(".stale")).toBeNull());
    expect(outcome.value?.answer.ok).toBe(true);
    // A place for an input is none yet; with an input it is another question.
    writable(app.state).inputs.value = [{ text: "", file: null }];
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(root.querySelector(".stale")).toBeNull();
    writable(app.state).inputs.value = [{ text: "3", file: null }];
    await vi.waitFor(() => expect(root.querySelector(".stale")).not.toBeNull());
  });

  it("compares with another program, once there is one", async () => {
    const { reference, other, outcome } = precisionSession(app);
    reference.value = "other";
    await vi.waitFor(() =>
      expect(root.querySelector<HTMLButtonElement>("button.primary")?.disabled).toBe(true),
    );
    other.value = { name: "b.hlo", text: LOOP.replace("constant(1.01)", "constant(2)") };
    await compareRuns(app);
    expect(outcome.value?.answer.result).toMatchObject({ differing: 1, expected: "200" });
  });

  it("shows the error along the run; each point leads to its instruction and iteration", async () => {
    await compareRuns(app);
    const slider = () => root.querySelector<HTMLInputElement>(".precision-growth input");
    await vi.waitFor(() => expect(slider()).not.toBeNull());
    // It begins where the error is largest, which is at the end of the loop.
    expect(root.querySelector(".precision-point")?.textContent).toMatch(/iteration \d\d/);
    const growth = precisionSession(app).outcome.value?.answer.growth;
    const at = growth?.points.findIndex(
      ({ iterations, instruction }) =>
        iterations[0] === 50 && growth.instructions[instruction]?.name === "more",
    );
    const input = slider();
    if (!input || at === undefined) throw new Error("no slider");
    input.value = String(at);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    expect(app.state.focus.value).toMatchObject({
      name: "more",
      computation: "body",
      iterations: [50],
    });
    await vi.waitFor(() =>
      expect(root.querySelector(".precision-point")?.textContent).toContain(
        "more add, iteration 50",
      ),
    );
    expect(slider()?.getAttribute("aria-valuetext")).toMatch(/^more, iteration 50: error /);
  });

  it("compares the result with what is expected, and leads to its worst element", async () => {
    const { reference, expected, outcome } = precisionSession(app);
    reference.value = "expected";
    await vi.waitFor(() => expect(root.textContent).toContain("Say what the result should be"));
    expect(root.querySelector<HTMLButtonElement>("button.primary")?.disabled).toBe(true);
    expected.value = [{ element: "", text: "101", file: null }];
    await compareRuns(app);
    expect(outcome.value?.answer.result).toMatchObject({ differing: 1, expected: "101" });
    await vi.waitFor(() =>
      expect(root.querySelector(".precision-worst-elements")?.textContent).toContain("101"),
    );
    root.querySelector<HTMLElement>(".precision-worst-elements button")?.click();
    expect(app.state.focus.value).toMatchObject({ source: "output", path: [], index: [] });
    expected.value = [{ element: "x", text: "1", file: null }];
    await vi.waitFor(() => expect(root.textContent).toContain("An element of a tuple is written"));
  });

  it("runs the program otherwise: with another seed, other products or sums", async () => {
    const text = "ENTRY e {\n  p = f32[4] parameter(0)\n  ROOT n = f32[4] negate(p)\n}";
    const s = writable(app.state);
    s.text.value = text;
    s.check.value = engine.check(text);
    const { reference, run, outcome } = precisionSession(app);
    reference.value = "inputs";
    await vi.waitFor(() =>
      expect(root.querySelectorAll(".precision-fields label")).toHaveLength(4),
    );
    run.value = { ...SAME_RUN, seed: "7" };
    await compareRuns(app);
    expect(outcome.value?.answer.result?.differing).toBe(4);
    run.value = { ...SAME_RUN, products: "tf32", inputs: ["zero"] };
    await compareRuns(app);
    expect(outcome.value?.answer.result).toMatchObject({ differing: 4 });
    expect(outcome.value?.answer.arrays[0]?.worst).toHaveLength(4);
    // The square of 1 + 2^-12 is rounded before it is added, or not.
    s.text.value = `ENTRY e {
  p = f32[2] constant({1, 1.000244140625})
  q = f32[2] constant({-1.00048828125, 1.000244140625})
  ROOT d = f32[] dot(p, q), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}`;
    s.check.value = engine.check(s.text.value);
    run.value = { ...SAME_RUN, multiplyAdd: "separate" };
    await compareRuns(app);
    expect(outcome.value?.answer.result?.differing).toBe(0);
    run.value = { ...SAME_RUN, multiplyAdd: "fused" };
    await compareRuns(app);
    expect(outcome.value?.answer.result).toMatchObject({ value: "0", expected: "5.96046448e-08" });
  });

  it("is compared at once when a link says so, within the usual limits", async () => {
    const { outcome, compared } = precisionSession(app);
    compared.value = true;
    await vi.waitFor(() => expect(outcome.value?.answer.ok).toBe(true));
    expect(compared.value).toBe(true);
  });

  it("leaves a run beyond the usual limits to the user", async () => {
    const { outcome, running, compared } = precisionSession(app);
    const { settings } = writable(app.state);
    settings.value = { ...settings.value, timeLimit: 3600 };
    compared.value = true;
    await new Promise((later) => setTimeout(later, 50));
    expect(root.querySelector(".empty button")).not.toBeNull();
    expect([running.value, outcome.value]).toEqual([null, null]);
  });

  it("says why there is nothing to show when it is stopped", async () => {
    const { running, problem, outcome } = precisionSession(app);
    const asked = compareRuns(app);
    running.value?.abort();
    await asked;
    expect(outcome.value).toBeNull();
    expect(problem.value).toBe("Stopped.");
    expect(running.value).toBeNull();
  });
});

describe("what a run is compared with, in links", () => {
  it("is read as it was written; files are left out", () => {
    const run = { seed: "3", products: "tf32", multiplyAdd: "fused", inputs: ["", "1 2"] };
    expect(parseRun(printRun({ ...run, inputs: [...run.inputs, "", ""] }))).toEqual(run);
    const file = { name: "a.npy", bytes: new Uint8Array(8) };
    const rows = [
      { element: "1.0", text: "{1, 2}", file: null },
      { element: "", text: "", file },
    ];
    const [first, second] = rows;
    expect(parseExpected(printExpected(rows))).toEqual([first, { ...second, file: null }]);
  });

  it("is nothing where it cannot be read", () => {
    for (const text of ["", "{", "null", "[]", '{"inputs":1,"seed":[2]}', '"x"']) {
      expect(parseRun(text)).toEqual(SAME_RUN);
      expect(parseExpected(text)).toEqual([NO_EXPECTED]);
    }
  });
});

describe("figures of errors", () => {
  it("are short, and infinite where JSON has no number", () => {
    expect([0, 0.5, 48.6358, 1.2345e-7, 3e9, null].map(errorText)).toEqual([
      "0",
      "0.5",
      "48.6",
      "1.23e-7",
      "3.0e+9",
      "∞",
    ]);
    expect([0, 1e-30, 1, null].map(barOf)).toEqual([0, 0.02, 1, 1]);
    expect([0, 1, 2, 5, 30, 59].map(bucketText)).toEqual([
      "0",
      "≤ ½",
      "≤ 1",
      "≤ 8",
      "≤ 2^28",
      "more",
    ]);
    expect(placeText({ path: [1], index: [3, 0] })).toBe("{1}[3,0]");
  });

  it("are drawn between whole powers of ten, with the iterations around them", () => {
    const point = (norm: number | null, iterations: number[]) => ({
      ...{ at: 0, count: 1, instruction: 0, device: 0, ulp: 0, introduced: 0 },
      ...{ norm, iterations },
    });
    const points = [point(0, []), point(2e-7, [0]), point(3e-3, [0, 4]), point(1e-5, [1])];
    expect(decades(points)).toEqual({ least: -7, most: -2 });
    expect(decades([point(0, [])])).toEqual({ least: -19, most: -18 });
    expect(pathOfBars(points, -7, -2, 400, 100).match(/M/g)).toHaveLength(3);
    expect(loopBands(points)).toEqual([
      { begin: 1, end: 3, odd: false },
      { begin: 3, end: 4, odd: true },
    ]);
    expect(loopBands(Array.from({ length: 500 }, (_, i) => point(1, [i])))).toEqual([
      { begin: 0, end: 500, odd: false },
    ]);
  });
});
