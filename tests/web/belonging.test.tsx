/** What belongs to a program stays with it, and with no other. */
import { effect } from "@preact/signals";
import { render } from "preact";
import { describe, expect, it, vi } from "vitest";
import type { ParameterInfo } from "../../wasm/engine_api";
import {
  changeSettings,
  judgeInput,
  loadProgram,
  notify,
  openView,
  reportText,
  run,
  setInput,
  showPart,
  showView,
} from "../../web/src/app/actions";
import type { App } from "../../web/src/app/app";
import { faultsOf, isAnotherProgram, keepInputs } from "../../web/src/app/belonging";
import { runByDevices } from "../../web/src/app/rewrites";
import { runInFront } from "../../web/src/app/run_in_front";
import { writable } from "../../web/src/app/state";
import { startTyping } from "../../web/src/app/typing";
import { FaultList, groupFaults, linesAt } from "../../web/src/page/FaultList";
import { Page } from "../../web/src/page/Page";
import { StatusBar } from "../../web/src/page/StatusBar";
import { debugSession } from "../../web/src/views/debug/session";
import { graphSession } from "../../web/src/views/graph/session";
import { memorySession } from "../../web/src/views/memory/session";
import { ValuesView } from "../../web/src/views/values/ValuesView";
import { engine } from "./engine";
import { mountApp } from "./mounted";

const FIRST = `HloModule first
ENTRY main {
  x = f32[2] parameter(0)
  k = s32[] parameter(1)
  ROOT y = f32[2] add(x, x)
}
`;
const OTHER = `HloModule quite_another
ENTRY elsewhere {
  a = f32[2] parameter(0)
  b = f32[2] parameter(1)
  product = f32[2] multiply(a, b)
  ROOT power = f32[2] power(product, b)
}
`;
const BAD = OTHER.replace("ROOT power", "ROOT power = = =");

const sinks = { wantsTokens: () => false, tokens: () => undefined, checked: () => undefined };
const text = (spec: string) => ({ text: spec, file: null });

/** A page that follows what is typed into it. */
async function pageWith(program: string): Promise<{ app: App; root: HTMLElement }> {
  const { app, root } = mountApp();
  startTyping(app, sinks);
  loadProgram(app, { text: program });
  await vi.waitFor(() => expect(app.state.inputsOf.value).not.toBeNull());
  return { app, root };
}

const type = async (app: App, program: string): Promise<void> => {
  reportText(app, 0, program);
  await vi.waitFor(() => expect(app.state.checkedText.value).toBe(program));
};

const specs = (app: App): string[] => app.state.inputs.value.map((input) => input.text);

it("views begin anew with another program, and not with an edit", async () => {
  const { app } = await pageWith(FIRST);
  const { open, root } = graphSession(app);
  const { scope } = memorySession(app);
  const look = (): void => {
    open.value = [];
    root.value = "main";
    scope.value = 2;
  };
  const looked = () => [open.value, root.value, scope.value];
  look();
  await type(app, FIRST.replace("add", "multiply"));
  expect(looked()).toEqual([[], "main", 2]);
  await type(app, OTHER);
  expect(looked()).toEqual([null, "", "peak"]);
  look();
  scope.value = "all";
  loadProgram(app, { text: FIRST });
  expect(looked()).toEqual([null, "", "all"]);
});

describe("a text", () => {
  it("is another program when it takes the place of everything", () => {
    expect(isAnotherProgram(FIRST, OTHER)).toBe(true);
    expect(isAnotherProgram(FIRST, "")).toBe(true);
    expect(isAnotherProgram("", FIRST)).toBe(false);
    expect(isAnotherProgram(FIRST, FIRST.replace("add", "multiply"))).toBe(false);
    expect(isAnotherProgram(FIRST, FIRST.slice(0, 60))).toBe(false);
    const commented = FIRST.replaceAll("\n", "  // why\n").replace(
      "  ROOT",
      "  z = f32[] constant(1)\n  ROOT",
    );
    expect(isAnotherProgram(commented, commented.replaceAll("  //", " //"))).toBe(false);
  });

  it("that is edited keeps inputs by name and shape", async () => {
    const { app } = await pageWith(FIRST);
    setInput(app, 0, text("{1, 2}"));
    setInput(app, 1, text("7"));
    await run(app);
    // A parameter comes first, and the others are moved.
    const moved = FIRST.replace("  x =", "  n = f32[2] parameter(0)\n  x =")
      .replace("x = f32[2] parameter(0)", "x = f32[2] parameter(1)")
      .replace("k = s32[] parameter(1)", "k = s32[] parameter(2)");
    await type(app, moved);
    expect(specs(app)).toEqual(["", "{1, 2}", "7"]);
    expect(app.state.results.value).not.toBeNull();
    expect(app.state.stale.value).toBe(true);
    // Of another shape a literal is not what was chosen for it.
    await type(app, moved.replace("k = s32[]", "k = s32[3]"));
    expect(specs(app)).toEqual(["", "{1, 2}", ""]);
    // While it does not parse nothing is known of it.
    await type(app, moved.replace("ENTRY", "ENTRY ("));
    expect(specs(app)).toEqual(["", "{1, 2}", ""]);
  });

  for (const [name, other] of [
    ["another program", OTHER],
    ["one that does not parse", BAD],
  ] as const) {
    it(`in the place of everything has nothing of the one before: ${name}`, async () => {
      const { app, root } = await pageWith(FIRST);
      setInput(app, 0, text("{1, 2}"));
      await run(app);
      expect(app.state.phase.value).toBe("done");
      notify(app, "this link names an example that does not exist", "error");
      await type(app, other);
      expect(app.state.notice.value).toBeNull();
      const s = app.state;
      expect(s.results.value).toBeNull();
      expect(s.runFaults.value).toBeNull();
      expect(s.phase.value).toBe("idle");
      expect(s.inputs.value).toEqual([]);
      expect(s.focus.value.source).toBeNull();
      render(<StatusBar app={app} />, root);
      expect(root.textContent).not.toContain("Ran");
    });
  }

  it("has its number of devices for itself where that was to help it, also in a run that comes first", async () => {
    const { app } = await pageWith(FIRST);
    const { settings } = app.state;
    changeSettings(app, { seed: 7, replicas: 2 });
    runByDevices(app, { replicas: 1, partitions: 1 });
    // Of partitions there is one anyway.
    expect(settings.value).toMatchObject({ replicas: 1, partitions: 0 });
    reportText(app, 0, OTHER);
    await run(app);
    expect(settings.value).toMatchObject({ seed: 7, replicas: 2, partitions: 0 });
    expect(app.state.results.value?.run.devices).toHaveLength(2);
    expect(app.state.stale.value).toBe(false);
    // What the person says then is for all.
    runByDevices(app, { replicas: 1, partitions: 1 });
    changeSettings(app, { replicas: 3 });
    await type(app, FIRST);
    expect(settings.value).toMatchObject({ replicas: 3, partitions: 0 });
  });

  it("that a run meets first is judged there", async () => {
    const { app } = await pageWith(FIRST);
    setInput(app, 0, text("{1, 2}"));
    reportText(app, 0, OTHER);
    await run(app);
    expect(app.state.phase.value).toBe("done");
    expect(specs(app)).toEqual([]);
    expect(app.state.stale.value).toBe(false);
  });

  it("that runs before it was read goes on running", async () => {
    const { app } = await pageWith(FIRST);
    await run(app);
    reportText(app, 0, OTHER);
    // The page's own question about the text is answered while the run is under way.
    await Promise.all([
      run(app),
      vi.waitFor(() => expect(app.state.checkedText.value).toBe(OTHER)),
    ]);
    expect(app.state.phase.value).toBe("done");
    expect(app.state.results.value?.text).toBe(OTHER);
  });

  it("gets the inputs that are set before it was read", async () => {
    const { app } = await pageWith(FIRST);
    setInput(app, 1, text("7"));
    reportText(app, 0, OTHER);
    setInput(app, 0, text("{3, 4}"));
    await vi.waitFor(() => expect(app.state.checkedText.value).toBe(OTHER));
    expect(specs(app)).toEqual(["{3, 4}"]);
  });

  it("that is no longer there when the engine has read it takes nothing away", async () => {
    const { app } = mountApp();
    startTyping(app, sinks);
    loadProgram(app, { text: FIRST, inputs: [text("{1, 2}")] });
    await run(app);
    await vi.waitFor(() => expect(app.state.checkedText.value).toBe(FIRST));
    expect(app.state.phase.value).toBe("done");
    expect(specs(app)).toEqual(["{1, 2}"]);
  });

  it("that is a layout takes nothing away", async () => {
    const { app } = await pageWith(FIRST);
    setInput(app, 0, text("{1, 2}"));
    await run(app);
    await type(app, "f32[3,5]{1,0:T(2,2)}");
    await type(app, FIRST);
    expect(specs(app)).toEqual(["{1, 2}"]);
    expect(app.state.results.value).not.toBeNull();
  });
});

describe("inputs that were left", () => {
  it("come back with the program that is put in its place again, and go with the other", async () => {
    const { app } = await pageWith(FIRST);
    setInput(app, 0, text("{1, 2}"));
    await type(app, OTHER);
    expect(specs(app)).toEqual([]);
    setInput(app, 1, text("iota"));
    await type(app, FIRST);
    expect(specs(app)).toEqual(["{1, 2}"]);
    await type(app, OTHER);
    expect(specs(app)).toEqual(["", "iota"]);
    // An example or a file brings its own.
    loadProgram(app, { text: FIRST, inputs: [text("zero")] });
    expect(specs(app)).toEqual(["zero"]);
    await vi.waitFor(() => expect(app.state.checkedText.value).toBe(FIRST));
    await type(app, OTHER);
    expect(specs(app)).toEqual(["", "iota"]);
    await type(app, FIRST);
    expect(specs(app)).toEqual(["zero"]);
  });

  it("come back with a parameter that is cut out and pasted", async () => {
    const { app } = await pageWith(OTHER);
    setInput(app, 0, text("{1, 2}"));
    setInput(app, 1, text("{3, 4}"));
    const cut = OTHER.replace("  b = f32[2] parameter(1)\n", "");
    await type(app, cut);
    expect(specs(app)).toEqual(["{1, 2}"]);
    setInput(app, 0, text("iota"));
    await type(app, OTHER);
    expect(specs(app)).toEqual(["iota", "{3, 4}"]);
    // Also where its type was another one in between.
    await type(app, OTHER.replace("b = f32[2]", "b = f32[3]"));
    expect(specs(app)).toEqual(["iota", ""]);
    await type(app, OTHER);
    expect(specs(app)).toEqual(["iota", "{3, 4}"]);
    // What is written meanwhile counts.
    await type(app, cut);
    await type(app, cut.replace("\n  product", "\n  c = f32[2] parameter(1)\n  product"));
    expect(specs(app)).toEqual(["iota"]);
  });
});

describe("inputs", () => {
  const parameter = (name: string, shape: string): ParameterInfo => ({
    name,
    shape,
    range: [0, 0],
    openType: "",
  });

  it("go with a parameter that is renamed, and generators with one that is resized", () => {
    const inputs = [text("iota"), text("{1}")];
    const before = [parameter("a", "f32[2]"), parameter("b", "f32[1]")];
    const renamed = [parameter("c", "f32[2]"), parameter("b", "f32[1]")];
    expect(keepInputs(inputs, before, renamed)).toBe(inputs);
    const resized = [parameter("a", "f32[9]"), parameter("b", "f32[9]")];
    expect(keepInputs(inputs, before, resized)).toEqual([text("iota"), text("")]);
    const swapped = [parameter("b", "f32[1]"), parameter("a", "f32[2]")];
    expect(keepInputs(inputs, before, swapped)).toEqual([text("{1}"), text("iota")]);
  });
});

describe("a run", () => {
  it("is shown in the view that is open, where that shows runs", async () => {
    const { app } = await pageWith(FIRST);
    const seenIn = (view: string): string => {
      openView(app, view);
      showPart(app, "program");
      runInFront(app);
      expect(app.state.part.value).toBe("views");
      return app.state.view.value;
    };
    for (const view of ["values", "devices", "why", "profile"]) expect(seenIn(view)).toBe(view);
    for (const view of ["cost", "memory", "ops", "graph"]) expect(seenIn(view)).toBe("values");
    graphSession(app).colour.value = "time";
    expect(seenIn("graph")).toBe("graph");
    expect(seenIn("debug")).toBe("values");
    debugSession(app).phase.value = "ready";
    expect(seenIn("debug")).toBe("debug");
  });

  it("leaves the view open that a person has chosen, and marks its own; a failure is shown", async () => {
    const { app, root } = await pageWith(FIRST);
    const marked = (): (string | null)[] => {
      render(<Page app={app} onReady={() => undefined} />, root);
      return [...root.querySelectorAll("[role=tab]:has(.dot)")].map((tab) => tab.textContent);
    };
    showView(app, "cost");
    showPart(app, "program");
    runInFront(app);
    expect([app.state.view.value, app.state.part.value]).toEqual(["cost", "views"]);
    await vi.waitFor(() => expect(app.state.unseen.value).not.toBeNull());
    expect(app.state.unseen.value).toBe(app.state.results.value);
    expect(app.state.view.value).toBe("cost");
    expect(marked()).toEqual(["Values"]);
    const mark = root.querySelector("[role=tab] .dot");
    expect(mark?.getAttribute("aria-label")).toBe("new values");
    showView(app, "values");
    showView(app, "memory");
    expect(marked()).toEqual([]);
    // What an example or a link opens nobody has chosen.
    openView(app, "layout");
    runInFront(app);
    expect(app.state.view.value).toBe("values");
    await vi.waitFor(() => expect(app.state.phase.value).toBe("done"));
    showView(app, "memory");
    setInput(app, 0, text("hello"));
    runInFront(app);
    await vi.waitFor(() => expect(app.state.view.value).toBe("values"));
    expect(app.state.phase.value).toBe("failed");
  });

  it("does not take away whoever has gone elsewhere when it fails", async () => {
    const { app } = await pageWith(FIRST);
    setInput(app, 0, text("hello"));
    showView(app, "memory");
    runInFront(app);
    showView(app, "cost");
    await vi.waitFor(() => expect(app.state.phase.value).toBe("failed"));
    await new Promise((done) => setTimeout(done));
    expect(app.state.view.value).toBe("cost");
  });

  it("is shown in front, and what went wrong in it, with its line", async () => {
    const { app, root } = await pageWith(FIRST);
    setInput(app, 0, text("hello"));
    runInFront(app);
    expect(app.state.view.value).toBe("values");
    await vi.waitFor(() => expect(app.state.phase.value).toBe("failed"));
    render(<ValuesView app={app} />, root);
    expect(root.querySelector(".run-faults")?.textContent).toContain("Line 3:");
    expect(faultsOf(app.state)).toHaveLength(1);
    // The text has changed since: the fault was one of another.
    await type(app, FIRST.replace("add", "multiply"));
    expect(faultsOf(app.state)).toHaveLength(0);
    render(<StatusBar app={app} />, root);
    expect(root.textContent).not.toContain("failed");
  });

  it("takes the faults of the one before away", async () => {
    const { app } = await pageWith(FIRST);
    setInput(app, 0, text("hello"));
    await run(app);
    expect(faultsOf(app.state)).toHaveLength(1);
    setInput(app, 0, text("iota"));
    await run(app);
    expect(faultsOf(app.state)).toHaveLength(0);
    expect(app.state.phase.value).toBe("done");
  });
});

describe("faults", () => {
  it("count inputs that are not understood, once", async () => {
    const { app, root } = await pageWith(FIRST);
    const said = (): string => {
      render(<StatusBar app={app} />, root);
      return root.textContent ?? "";
    };
    expect(said()).toContain("No problems");
    judgeInput(app, 1, true);
    judgeInput(app, 0, true);
    expect(app.state.faultyInputs.value).toEqual([0, 1]);
    expect(said()).toContain("2 inputs are not understood");
    expect(said()).not.toContain("No problems");
    judgeInput(app, 1, false);
    // The run refuses it too.
    setInput(app, 0, text("hello"));
    await run(app);
    expect(said()).toContain("1 input is not understood");
    expect(said()).not.toContain("1 error");
    judgeInput(app, 0, false);
    expect(said()).toContain("1 error");
  });

  it("have lines", () => {
    expect(linesAt("a\nb\n\nc", [5, 0, 2, 1])).toEqual([4, 1, 2, 1]);
  });

  it("of one cause are one", () => {
    const many = Array.from({ length: 8 }, (_, i) => `p${i} = f32[4] parameter(${i})`);
    const program = `ENTRY e {\n${many.join("\n")}\nROOT r = f32[4] add(p0, p1)\n}`;
    const { diagnostics } = engine.run(program, { inputs: many.map(() => "hello") });
    expect(diagnostics.length).toBe(8);
    const groups = groupFaults(program, diagnostics);
    expect(groups).toHaveLength(1);
    expect(groups[0]?.more.map(({ line }) => line)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    const { app, root } = mountApp();
    render(<FaultList app={app} text={program} faults={diagnostics} />, root);
    expect(root.querySelectorAll("li")).toHaveLength(1);
    expect(root.textContent).toContain("7 more of the same cause");
  });
});

describe("the shape that the layout view is about", () => {
  const TURNED = `ENTRY main {
  x = f32[2,3] parameter(0)
  ROOT y = f32[3,2] transpose(x), dimensions={1,0}
}
`;

  it("is that at the cursor from the start, and not the result's until that is known", async () => {
    const { app } = mountApp();
    const { typing } = app.engines;
    const call = typing.call.bind(typing);
    typing.call = (async (method: "place", args: [string, number]) => {
      if (method === "place") await vi.waitFor(() => expect(app.state.check.value).not.toBeNull());
      return call(method, args);
    }) as typeof typing.call;
    startTyping(app, sinks);
    const seen: string[] = [];
    effect(() => {
      seen.push(app.state.layoutShape.value);
    });
    loadProgram(app, { text: TURNED, cursor: TURNED.indexOf("parameter") });
    await vi.waitFor(() => expect(app.state.layoutShape.value).toMatch(/^f32\[2,3\]/));
    expect(app.state.layoutSource.value).toBe("cursor");
    expect(seen.filter((shape) => shape.startsWith("f32[3,2]"))).toEqual([]);
  });

  it("is none of a text that was emptied", async () => {
    const { app } = await pageWith(TURNED);
    await vi.waitFor(() => expect(app.state.layoutShape.value).toMatch(/^f32/));
    await type(app, "");
    expect(app.state.layoutShape.value).toBe("");
    await type(app, TURNED);
    await vi.waitFor(() => expect(app.state.layoutShape.value).toMatch(/^f32/));
  });

  it("is the last one while an instruction is not understood", async () => {
    const line = "  ROOT y = f32[3,2] transpose(x), dimensions={1,0}";
    const { app } = await pageWith(TURNED.replace(line, "  ROOT y = add(x, x)"));
    await vi.waitFor(() => expect(app.state.layoutShape.value).toMatch(/^f32\[2,3\]/));
    const wrong = TURNED.replace(line, "  ROOT y = add(x, zz)");
    await type(app, wrong);
    reportText(app, wrong.indexOf("zz"));
    await app.placed;
    await vi.waitFor(() => expect(app.state.place.value?.shape).toBe("()"));
    expect(app.state.layoutShape.value).toMatch(/^f32\[2,3\]/);
    expect(app.state.layoutSource.value).toBe("earlier");
  });

  it("is the result's where the cursor is at none", async () => {
    const { app } = await pageWith(TURNED);
    const s = writable(app.state);
    await app.placed;
    const place = s.place.peek();
    s.place.value = place && { ...place, shape: "" };
    expect(app.state.layoutSource.value).toBe("result");
    expect(app.state.layoutShape.value).toMatch(/^f32\[3,2\]/);
  });
});
