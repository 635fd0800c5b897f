/** What the page says of a result that is not finite, and what it marks of an answer. */
import { render } from "preact";
import { describe, expect, it, vi } from "vitest";
import { focusOn, run } from "../../web/src/app/actions";
import type { App } from "../../web/src/app/app";
import { NO_FOCUS, writable } from "../../web/src/app/state";
import { contains, currentMarks, isMarked, markedBoxes, marksOf } from "../../web/src/why/marks";
import { ResultFaults } from "../../web/src/why/ResultFaults";
import { whySession } from "../../web/src/why/session";
import { engine } from "./engine";
import { mountApp } from "./mounted";

const BAD = `HloModule bad
ENTRY main {
  x = f32[3] constant({1, 0, -1})
  n = s32[2] constant({1, 2})
  logged = f32[3] log(x)
  twice = f32[3] add(logged, logged)
  ROOT both = (s32[2], f32[3], f32[3]) tuple(n, logged, twice)
}`;

async function ran(text: string): Promise<{ app: App; root: HTMLElement }> {
  const { app, root } = mountApp();
  writable(app.state).text.value = text;
  await run(app);
  return { app, root };
}

describe("the status line", () => {
  it("counts what is not finite in all parts of a result, and names what made it", async () => {
    const { app, root } = await ran(BAD);
    render(<ResultFaults app={app} />, root);
    await vi.waitFor(() =>
      expect(root.textContent).toBe(
        "2 NaNs and 2 infinities in the result: first made by logged in line 5",
      ),
    );
    root.querySelector("button")?.click();
    expect(app.state.view.value).toBe("why");
    expect(app.state.focus.value).toMatchObject({ source: "output", path: [1] });
    expect(whySession(app).toOrigin.value).toBe(true);
  });

  it("reads a finite result once and asks nothing of it", async () => {
    const { app, root } = await ran("ENTRY e { ROOT c = f32[2] constant({1, 2}) }");
    const another = vi.spyOn(app.engines, "another");
    const call = vi.spyOn(app.engines.results, "call");
    render(<ResultFaults app={app} />, root);
    await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(1));
    await new Promise((done) => setTimeout(done, 20));
    expect(root.textContent).toBe("");
    expect(call.mock.calls.map(([name]) => name)).toEqual(["valueStats"]);
    expect(another).not.toHaveBeenCalled();
  });
});

describe("marks", () => {
  it("are the elements of a chain, as long as its results are on the screen", async () => {
    const { app } = await ran(BAD);
    const results = app.state.results.value;
    if (!results) throw new Error("it did not run");
    const element = { name: "twice", computation: "main", index: [2] };
    const marks = marksOf(engine.why(BAD, { element }), results, "where twice[2] comes from");
    whySession(app).marks.value = marks;
    expect(marks?.lines).toEqual([4, 5]);
    expect(isMarked(currentMarks(app), "main", "logged")).toBe(true);
    expect(isMarked(currentMarks(app), "main", "n")).toBe(false);
    focusOn(app, { ...NO_FOCUS, computation: "main", name: "logged" });
    const boxes = markedBoxes(app);
    expect(boxes.some((box) => contains(box, [2]))).toBe(true);
    expect(boxes.some((box) => contains(box, [1]))).toBe(false);
    // The whole result is of the tuple: nothing of it is on this chain.
    focusOn(app, { ...NO_FOCUS, source: "output", path: [1] });
    expect(markedBoxes(app)).toEqual([]);
    await run(app);
    expect(currentMarks(app)).toBeNull();
  });

  it("are what an element reaches, also of the result", async () => {
    const { app } = await ran(BAD);
    const results = app.state.results.value;
    if (!results) throw new Error("it did not run");
    const element = { name: "logged", computation: "main", index: [1] };
    const answer = engine.why(BAD, { element, reach: true });
    expect(answer.rows).toEqual([]);
    expect(answer.reach?.results[0]?.parts.map(({ path, elements }) => [path, elements])).toEqual([
      [[1], "[1]"],
      [[2], "[1]"],
    ]);
    whySession(app).marks.value = marksOf(answer, results, "what logged[1] reaches");
    focusOn(app, { ...NO_FOCUS, source: "output", path: [2] });
    expect(markedBoxes(app)).toEqual([[[1, 1, 1]]]);
  });

  it("leave out what lies between the steps of a box", () => {
    const box: [number, number, number][] = [
      [1, 3, 2],
      [0, 1, 1],
    ];
    expect(contains(box, [5, 0])).toBe(true);
    expect(contains(box, [4, 0])).toBe(false);
    expect(contains(box, [7, 0])).toBe(false);
    expect(contains([], [])).toBe(true);
  });
});
