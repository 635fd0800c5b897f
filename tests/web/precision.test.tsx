/** Errors of values against a more precise run: the view, its figures, its state in links. */
import { render } from "preact";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { App } from "../../web/src/app/app";
import { writable } from "../../web/src/app/state";
import { compareRuns } from "../../web/src/views/precision/asking";
import { barOf, bucketText, errorText, placeText } from "../../web/src/views/precision/figures";
import { PrecisionView } from "../../web/src/views/precision/PrecisionView";
import { precisionSession } from "../../web/src/views/precision/session";
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
});
