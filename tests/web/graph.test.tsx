/** The graph of a program: its places, how it is moved through, its colours and its view. */
import ELK from "elkjs/lib/elk.bundled.js";
import { render } from "preact";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { GraphBox, GraphModel, GraphOptions, OpClassName } from "../../wasm/engine_api";
import { writable } from "../../web/src/app/state";
import { WorkerLayouter } from "../../web/src/graph/layouter";
import {
  boxAt,
  type Placed,
  placeKey,
  takePlaces,
  toPlace,
  trialGraph,
} from "../../web/src/graph/placing";
import { coloured, timesOf } from "../../web/src/views/graph/colours";
import { drawnNames, reveal } from "../../web/src/views/graph/doing";
import { GraphView } from "../../web/src/views/graph/GraphView";
import { graph as graphView } from "../../web/src/views/graph/index";
import { moved } from "../../web/src/views/graph/moving";
import { svgOf } from "../../web/src/views/graph/saving";
import { graphSession } from "../../web/src/views/graph/session";
import {
  anchored,
  fitted,
  LETTERS_SCALE,
  opening,
  showing,
  windowOf,
  zoomed,
} from "../../web/src/views/graph/view_port";
import { graphWords } from "../../web/src/views/graph/words";
import { linkParams, takeParams } from "../../web/src/views/view";
import { engine } from "./engine";
import { mountApp } from "./mounted";

// Only its address is wanted; the library itself runs in this thread.
vi.mock("elkjs/lib/elk-worker.min.js?url", () => ({ default: "elk-worker.js" }));

const PROGRAM = `HloModule m
fused {
  a = f32[8] parameter(0)
  ROOT h = bf16[8] convert(a)
}
ENTRY main {
  x = f32[8]{0:T(128)} parameter(0), sharding={replicated}
  y = f32[8]{0:T(128)} parameter(1)
  two = f32[] constant(2)
  twos = f32[8] broadcast(two), dimensions={}
  z = f32[8] multiply(x, twos), metadata={op_name="jit(f)/mul" source_file="d/f.py" source_line=7}
  s = f32[8] add(z, y)
  fusion = bf16[8] fusion(s), kind=kLoop, calls=fused
  ROOT out = bf16[8] negate(fusion)
}`;

async function picture(options: GraphOptions = {}): Promise<{ model: GraphModel; placed: Placed }> {
  const model = engine.graph(PROGRAM, options);
  const answer = await new ELK().layout(toPlace(model));
  return { model, placed: takePlaces(model, answer) };
}
const indexOf = (model: GraphModel, id: string): number =>
  model.boxes.findIndex((box) => box.id === id);

describe("the places of a graph", () => {
  it("put boxes of what is open inside, values above their users, and are the same each time", async () => {
    const { model, placed } = await picture({ open: ["main/fusion"] });
    const [outer, inner] = ["main/fusion", "main/fusion:fused/h"].map(
      (id) => placed.boxes[indexOf(model, id)],
    );
    if (!outer || !inner) throw new Error("no boxes");
    expect(inner.x).toBeGreaterThan(outer.x);
    expect(inner.y + inner.height).toBeLessThan(outer.y + outer.height);
    for (const [i, { from, to }] of model.edges.entries()) {
      const [above, below] = [placed.boxes[from], placed.boxes[to]];
      expect(above?.y).toBeLessThan(below?.y ?? 0);
      expect(placed.edges[i]?.length).toBeGreaterThanOrEqual(4);
    }
    expect((await picture({ open: ["main/fusion"] })).placed).toEqual(placed);
    // The innermost box is found.
    expect(boxAt(placed, inner.x + 2, inner.y + 2)).toBe(indexOf(model, "main/fusion:fused/h"));
    expect(boxAt(placed, outer.x + 2, outer.y + 2)).toBe(indexOf(model, "main/fusion"));
    expect(boxAt(placed, -50, -50)).toBe(-1);
  });

  it("do not depend on the focus, but on what is open", () => {
    const key = (options: GraphOptions): string => placeKey(engine.graph(PROGRAM, options));
    expect(key({ focus: { computation: "main", name: "s" } })).toBe(key({}));
    expect(key({ open: ["main/fusion"] })).not.toBe(key({}));
  });
});

describe("arrow keys", () => {
  it("lead to operands, users, neighbours, and into and out of boxes", async () => {
    const { model, placed } = await picture({ open: ["main/fusion"] });
    const go = (from: string, to: Parameters<typeof moved>[3]): string =>
      model.boxes[moved(model, placed, indexOf(model, from), to)]?.id ?? "";
    expect(go("main/z", "down")).toBe("main/s");
    expect(go("main/z", "up")).toBe("main/x");
    expect(["main/x", "main/y"]).toContain(go("main/x", "left") || go("main/x", "right"));
    expect(go("main/s", "down")).toBe("main/fusion:fused/a");
    expect(go("main/fusion", "down")).toBe("main/fusion:fused/a");
    expect(go("main/x", "up")).toBe("");
    expect(moved(model, placed, -1, "down")).toBe(0);
  });
});

describe("the part on the screen", () => {
  const screen = { width: 400, height: 300 };
  it("fits, zooms around a point, and follows a box", () => {
    const all = fitted({ width: 4000, height: 300 }, screen);
    expect(all.scale).toBeLessThan(LETTERS_SCALE);
    expect(all.x + screen.width / all.scale / 2).toBeCloseTo(2000);
    expect(fitted({ width: 10, height: 10 }, screen).scale).toBe(1);
    // What is too large begins where the most of it is.
    const rects = [0, 3000, 3200, 3400].map((x) => ({ x, y: 0, width: 150, height: 50 }));
    const begun = opening({ width: 4000, height: 9000, boxes: rects }, { width: 600, height: 300 });
    expect(begun.x).toBeLessThan(3000);
    expect(begun.x + 600 / begun.scale).toBeGreaterThan(3550);
    const view = { x: 10, y: 20, scale: 1 };
    const closer = zoomed(view, 2, 100, 50);
    expect(closer.x + 100 / closer.scale).toBeCloseTo(110);
    expect(closer.y + 50 / closer.scale).toBeCloseTo(70);
    const box = { x: 900, y: 40, width: 100, height: 50 };
    const shown = showing(view, box, screen);
    expect(shown.x + screen.width).toBeGreaterThan(1000);
    expect(shown.y).toBeLessThan(40);
    expect(showing(shown, box, screen)).toEqual(shown);
    const moved = anchored(view, box, { ...box, x: 1000, y: 140 });
    expect([moved.x, moved.y]).toEqual([110, 120]);
    // What is drawn changes seldom, and always covers the screen.
    const window = windowOf(view, screen);
    expect(windowOf({ ...view, x: 12 }, screen)).toEqual(window);
    expect(window.x).toBeLessThanOrEqual(view.x);
    expect(window.x + window.width).toBeGreaterThanOrEqual(view.x + screen.width);
  });
});

describe("colours", () => {
  const { app } = mountApp();
  const model = engine.graph(PROGRAM);
  const shown = { model, placed: { width: 0, height: 0, boxes: [], edges: [] }, text: PROGRAM };
  const noteOf = (id: Parameters<typeof coloured>[1], box: string): string =>
    coloured(app, id, shown).shades[indexOf(model, box)]?.note ?? "";

  it("say in words what they show, and have a legend", () => {
    expect(noteOf("bytes", "main/z")).toBe("32 B");
    expect(noteOf("padding", "main/x")).toBe("480 B (94 %)");
    expect(noteOf("padding", "main/z")).toBe("no padding");
    expect(noteOf("devices", "main/x")).toBe("sharding={replicated}");
    expect(noteOf("source", "main/z")).toBe("f.py:7");
    expect(noteOf("precision", "main/fusion")).toBe("rounds to a narrower float");
    expect(noteOf("precision", "main/out")).toBe("depends on something rounded");
    for (const id of ["class", "bytes", "padding", "devices", "source", "precision"] as const) {
      const { shades, legend } = coloured(app, id, shown);
      const tints = new Set(legend.map(({ tint }) => tint));
      for (const { tint } of shades) expect(tint === "" || tints.has(tint), id).toBe(true);
    }
    expect(coloured(app, "time", shown).model).toContain("Run the program");
  });

  it("no two classes of operations look alike", () => {
    const box = model.boxes.find(({ kind }) => kind === "instruction");
    const classes = Object.keys(graphWords.classes) as OpClassName[];
    const boxes = classes.map((opClass) => ({ ...box, opClass }) as GraphBox);
    const { legend } = coloured(app, "class", { ...shown, model: { ...model, boxes } });
    expect(legend).toHaveLength(classes.length);
    expect(new Set(legend.map(({ tint }) => tint)).size).toBe(classes.length);
  });

  it("times come from the last run of this text, and only of it", () => {
    const run = engine.run(PROGRAM, { trace: false });
    const s = writable(app.state);
    if (!run.plan) throw new Error("no plan");
    s.results.value = {
      run,
      compiled: run,
      text: PROGRAM,
      inputs: [],
      settings: app.state.settings.value,
    };
    expect(timesOf(model.boxes, run.plan).some((time) => time !== null)).toBe(true);
    expect(coloured(app, "time", shown).model).toContain("timed where it ends");
    // What is in a closed box counts there, and once it is open where it is.
    const inside = engine.graphSearch(PROGRAM, "convert").items[0];
    const step = { ...run.plan.steps[0], range: inside?.range ?? [0, 0], seconds: 2 };
    const plan = { ...run.plan, steps: [step as (typeof run.plan.steps)[number]] };
    const at = (boxes: GraphModel["boxes"], id: string): number | null | undefined =>
      timesOf(boxes, plan)[boxes.findIndex((box) => box.id === id)];
    expect(at(model.boxes, "main/fusion")).toBe(2);
    expect(at(model.boxes, "main/s")).toBe(null);
    const { boxes } = engine.graph(PROGRAM, { open: ["main/fusion"] });
    expect(at(boxes, "main/fusion")).toBe(null);
    expect(at(boxes, "main/fusion:fused/h")).toBe(2);
    s.results.value = { ...s.results.value, text: "another" };
    expect(coloured(app, "time", shown).model).toContain("edited");
  });
});

/** The library's worker, in this thread. */
class InThread {
  static started = 0;
  static slow = false;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: (() => void) | null = null;
  #ended = false;
  constructor() {
    InThread.started++;
  }
  postMessage({ id, cmd, graph }: { id: number; cmd: string; graph: never }): void {
    if (cmd !== "layout" || InThread.slow) return;
    new ELK().layout(graph).then((data) => {
      if (!this.#ended) this.onmessage?.({ data: { id, data } });
    });
  }
  terminate(): void {
    this.#ended = true;
  }
}

describe("the view", () => {
  beforeEach(() => {
    vi.stubGlobal("Worker", InThread);
    vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1200);
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(900);
    InThread.slow = false;
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  async function show(text = PROGRAM) {
    const page = mountApp();
    const s = writable(page.app.state);
    s.text.value = text;
    s.check.value = engine.check(text);
    s.view.value = "graph";
    render(<GraphView app={page.app} />, page.root);
    return page;
  }
  const ids = (root: HTMLElement): string[] =>
    [...root.querySelectorAll("[data-box]")].map((box) => box.getAttribute("data-box") ?? "");
  const stageOf = (root: HTMLElement): HTMLElement => {
    const stage = root.querySelector<HTMLElement>(".graph-stage");
    if (!stage) throw new Error("no picture");
    return stage;
  };
  const press = (root: HTMLElement, key: string): boolean =>
    stageOf(root).dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));

  it("is never empty", async () => {
    const { root } = await show("");
    await vi.waitFor(() => expect(root.querySelector(".empty button")).not.toBeNull());
  });

  it("follows the selection, moves it by keys, and opens boxes", async () => {
    const { app, root } = await show();
    await vi.waitFor(() => expect(ids(root)).toContain("main/fusion"));
    writable(app.state).focus.value = { ...app.state.focus.value, computation: "main", name: "s" };
    await vi.waitFor(() => expect(root.querySelector("h2")?.textContent).toBe("s"));
    await vi.waitFor(() => expect(root.textContent).toContain("Operands zy"));
    press(root, "ArrowDown");
    expect(app.state.focus.value.name).toBe("fusion");
    press(root, "Enter");
    await vi.waitFor(() => expect(ids(root)).toContain("main/fusion:fused/h"));
    expect(graphSession(app).open.value).toEqual(["main/fusion"]);
    await vi.waitFor(() =>
      expect(root.querySelector("#graph-spoken")?.textContent).toContain("fusion"),
    );
    press(root, " ");
    await vi.waitFor(() => expect(ids(root)).not.toContain("main/fusion:fused/h"));
  });

  it("reveals what is found, and shows paths", async () => {
    const { app, root } = await show();
    const session = graphSession(app);
    await vi.waitFor(() => expect(session.shown.value).not.toBeNull());
    const found = engine.graphSearch(PROGRAM, "convert").items[0];
    if (!found) throw new Error("nothing found");
    reveal(app, session, found);
    await vi.waitFor(() => expect(session.open.value).toEqual(["main/fusion"]));
    session.path.value = {
      from: { computation: "main", name: "x" },
      to: { computation: "main", name: "out" },
      all: false,
    };
    await vi.waitFor(() => expect(root.querySelectorAll(".graph-box.on-path")).toHaveLength(5));
    expect(root.querySelector(".graph-path")?.textContent).toContain("Path of");
    // Through what is open, too.
    await vi.waitFor(() => expect(root.querySelectorAll(".graph-edge.on-path")).toHaveLength(5));
  });

  it("a program of more than there is room for opens with the instructions at the selected one", async () => {
    // So many boxes take the layout a while.
    const slow = { timeout: 10_000 };
    const adds = Array.from({ length: 400 }, (_, i) => `a${i + 1} = f32[] add(a${i}, a${i})`);
    const long = `HloModule m\nENTRY main {\na0 = f32[] parameter(0)\n${adds.join("\n")}\n}`;
    const { app, root } = await show(long);
    const session = graphSession(app);
    await vi.waitFor(() => expect(ids(root)).toContain("main/~0-25/a9"), slow);
    expect(session.shown.value?.model.boxes.length).toBeGreaterThanOrEqual(40);
    expect(session.shown.value?.model.boxes.length).toBeLessThan(80);
    // Who closes everything sees groups alone.
    session.open.value = [];
    await vi.waitFor(() => expect(session.shown.value?.model.boxes.length).toBe(16), slow);
    expect(linkParams(app, graphView)).toEqual({ open: "none" });
    writable(app.state).focus.value = {
      ...app.state.focus.value,
      computation: "main",
      name: "a200",
    };
    session.open.value = null;
    await vi.waitFor(() => expect(ids(root)).toContain("main/~182-207/a200"), slow);
    expect(ids(root)).not.toContain("main/~0-25/a9");
  }, 30_000);

  it("a file of it has every box, and colours of its own", async () => {
    const { app } = await show();
    const session = graphSession(app);
    await vi.waitFor(() => expect(session.shown.value).not.toBeNull());
    const shown = session.shown.value;
    if (!shown) return;
    const svg = svgOf(shown, coloured(app, "class", shown), (name) => `#${name.length}00`);
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    expect(parsed.querySelectorAll("g > rect").length).toBe(shown.model.boxes.length);
    expect(svg).not.toContain("class=");
    const opened = await picture({ open: ["main/fusion"] });
    const file = svgOf({ ...shown, ...opened }, coloured(app, "class", shown), () => "");
    // The title of an open box is written over the edges.
    expect(file.indexOf("fusion fusion  bf16[8]{0}<")).toBeGreaterThan(file.lastIndexOf("<path"));
    expect(drawnNames(shown.model)).toEqual({
      computation: "main",
      names: ["x", "y", "z", "s", "fusion", "out"],
    });
  });

  it("links say what is open, how far, and in which colours", () => {
    const { app } = mountApp();
    const session = graphSession(app);
    session.open.value = ["main/a", "main/a:b/c"];
    session.radius.value = 3;
    session.colour.value = "padding";
    session.fold.value = false;
    const params = linkParams(app, graphView);
    expect(params).toEqual({
      open: "main/a|main/a:b/c",
      steps: "3",
      colour: "padding",
      constants: "boxes",
    });
    const other = mountApp().app;
    takeParams(other, graphView, params);
    expect(linkParams(other, graphView)).toEqual(params);
    takeParams(other, graphView, { steps: "-4", colour: "red", open: "|".repeat(500) });
    expect(linkParams(other, graphView)).toEqual({});
  });
});

it("a layout that nobody waits for is cancelled", async () => {
  vi.stubGlobal("Worker", InThread);
  InThread.slow = true;
  InThread.started = 0;
  const layouter = new WorkerLayouter();
  const graph = toPlace(engine.graph(PROGRAM));
  const first = layouter.place(graph);
  await vi.waitFor(() => expect(InThread.started).toBe(1));
  InThread.slow = false;
  const second = layouter.place(graph);
  await expect(first).rejects.toThrow("cancelled");
  expect((await second).children?.length).toBe(6);
  expect(InThread.started).toBe(2);
  await layouter.place(graph);
  expect(InThread.started).toBe(2);
  layouter.end();
  vi.unstubAllGlobals();
});

it("the worker is started, and laid out a trial, before there is a graph", async () => {
  vi.stubGlobal("Worker", InThread);
  InThread.started = 0;
  const layouter = new WorkerLayouter();
  layouter.start();
  await vi.waitFor(() => expect(InThread.started).toBe(1));
  const graph = toPlace(engine.graph(PROGRAM));
  expect((await layouter.place(graph)).children?.length).toBe(6);
  expect(InThread.started).toBe(1);
  layouter.end();
  vi.unstubAllGlobals();
  // What it tries has all parts of a layout: boxes one below the other, and lines with bends.
  const trial = await new ELK().layout(trialGraph());
  expect(new Set(trial.children?.map(({ y }) => y)).size).toBe(trial.children?.length);
  expect(trial.edges?.some(({ sections }) => sections?.[0]?.bendPoints)).toBe(true);
});
