import { render } from "preact";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { run, selectElement } from "../../web/src/app/actions";
import type { App } from "../../web/src/app/app";
import { writable } from "../../web/src/app/state";
import { InputsPane, splitSpec } from "../../web/src/page/InputsPane";
import { StatusBar } from "../../web/src/page/StatusBar";
import { words } from "../../web/src/strings";
import { lazy } from "../../web/src/ui/lazy";
import { VirtualList } from "../../web/src/ui/VirtualList";
import { comparing, createCompared, misfit } from "../../web/src/views/layout/compare";
import { loadCompared } from "../../web/src/views/layout/compared_windows";
import { around } from "../../web/src/views/layout/Faults";
import { createFilm } from "../../web/src/views/layout/film";
import { LayoutView } from "../../web/src/views/layout/LayoutView";
import { createSession, pick } from "../../web/src/views/layout/session";
import { views } from "../../web/src/views/registry";
import { engine } from "./engine";
import { mountApp } from "./mounted";

const PROGRAM = `HloModule m
ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  ROOT y = f32[2,3]{1,0} add(x, x)
}`;

let app: App;
let root: HTMLElement;

beforeEach(() => {
  ({ app, root } = mountApp());
});

describe("a page that opens", () => {
  it("says nothing of a program that the engine has not read yet", async () => {
    const layout = views.find(({ id }) => id === "layout") as (typeof views)[number];
    render(
      <>
        <InputsPane app={app} />
        <layout.Component app={app} />
      </>,
      root,
    );
    await vi.waitFor(() => expect(root.querySelector(".layout-view")).not.toBeNull());
    expect(root.querySelector(".none, .empty")).toBeNull();
    writable(app.state).check.value = engine.check("ENTRY e { ROOT c = s32[] constant(1) }", []);
    await vi.waitFor(() => expect(root.querySelector(".none")).not.toBeNull());
  });
});

describe("the status line", () => {
  it("says no more that the engine is loading once it has run the program", async () => {
    writable(app.state).text.value = PROGRAM;
    render(<StatusBar app={app} />, root);
    expect(root.textContent).toContain(words.app.loading);
    await run(app);
    await vi.waitFor(() => expect(root.textContent).toContain("Ran "));
    expect(root.textContent).not.toContain(words.app.loading);
  });
});

describe("a view with nothing to show", () => {
  for (const view of views) {
    it(`says so and offers something to do: ${view.id}`, async () => {
      writable(app.state).typedShape.value = "";
      // The table of operations is asked for, and takes its time.
      const { typing } = app.engines;
      const call = typing.call.bind(typing);
      const late = new Promise<never>(() => undefined);
      vi.spyOn(typing, "call").mockImplementation((method, ...rest) =>
        method === "ops" ? late : call(method, ...rest),
      );
      render(<view.Component app={app} />, root);
      await vi.waitFor(() => expect(root.textContent).toContain(view.empty));
      expect(root.querySelectorAll(".empty button")).toHaveLength(1);
    });
  }
});

describe("a view of a program with errors", () => {
  const BAD = PROGRAM.replace("add(", "addd(");
  // The others show what could be read of it, or are about something else.
  const others = new Set(["layout", "outline", "graph", "ops", "diff"]);
  for (const view of views.filter(({ id }) => !others.has(id))) {
    it(`lists them, with their fixes: ${view.id}`, async () => {
      writable(app.state).text.value = BAD;
      writable(app.state).checkedText.value = BAD;
      writable(app.state).check.value = engine.check(BAD);
      render(<view.Component app={app} />, root);
      await vi.waitFor(() => expect(root.textContent).toContain("The program has 1 error."));
      expect(root.querySelector(".fault-fix")?.textContent).toBe("did you mean `add`?");
      expect(root.querySelector("[role=alert]")).toBeNull();
    });
  }
});

it("says why a text is no program, where a run would be", async () => {
  const text = "INFO: a\nHloModule m\nENTRY e { ROOT c = f32[] constant(1) }\nINFO: b\n";
  writable(app.state).text.value = text;
  writable(app.state).checkedText.value = text;
  writable(app.state).check.value = engine.check(text);
  const values = views.find(({ id }) => id === "values");
  if (values) render(<values.Component app={app} />, root);
  await vi.waitFor(() => expect(root.textContent).toContain("among lines of a log"));
  expect(root.querySelector(".fault-fix")?.textContent).toBe("keep the program alone");
});

describe("the values view", () => {
  it("lists the output and every instruction", async () => {
    writable(app.state).text.value = PROGRAM;
    await run(app);
    const view = views.find(({ id }) => id === "values");
    if (view) render(<view.Component app={app} />, root);
    await vi.waitFor(() => expect(root.querySelector("[role=option]")).not.toBeNull());
    const rows = [...root.querySelectorAll("[role=option]")].map((row) => row.textContent);
    expect(rows).toHaveLength(3);
    expect(rows[2]).toMatch(/y.*add.*f32\[2,3\]/);
    writable(app.state).text.value += "\n";
    await vi.waitFor(() => expect(root.querySelector(".stale")).not.toBeNull());
  });
});

describe("the layout view", () => {
  it("says what is wrong with a shape", async () => {
    const session = createSession();
    const stop = session.start(app);
    writable(app.state).typedShape.value = "f33[3]";
    render(
      <LayoutView
        app={app}
        session={session}
        compared={createCompared(session)}
        film={createFilm()}
      />,
      root,
    );
    await vi.waitFor(() => expect(root.querySelector(".faults")?.textContent).toContain("f33[3]"));
    expect(root.querySelector(".faults mark")?.textContent).toBe("f33");
    writable(app.state).typedShape.value = "f32[3";
    await vi.waitFor(() => expect(root.querySelector(".faults")?.textContent).toContain("f32[3"));
    expect(root.querySelector(".faults mark")?.textContent).toBe("\u00a0");
    expect(around("f32[3,5]", [4, 5])).toEqual(["f32[", "3", ",5]"]);
    expect(around("f32", [9, 12])).toEqual(["f32", "", ""]);
    stop();
  });

  it("follows the selection, and the selection follows it", async () => {
    const session = createSession();
    const stop = session.start(app);
    writable(app.state).typedShape.value = "f32[3,5]{1,0:T(2,2)}";
    await vi.waitFor(() => expect(session.picked.value?.offset).toBe(17));
    selectElement(app, [0, 4]);
    await vi.waitFor(() => expect(session.address.value?.offset).toBe(8));
    selectElement(app, [9, 9]);
    expect(session.picked.value?.index).toEqual([0, 4]);
    stop();
  });
});

describe("a comparison", () => {
  const start = (other: string) => {
    const first = createSession();
    const second = createCompared(first);
    writable(app.state).typedShape.value = "f32[3,5]{1,0:T(2,2)}";
    writable(app.state).comparedShape.value = other;
    const stops = [first.start(app), second.start(app)];
    const stop = (): void => {
      for (const each of stops) each();
    };
    return { first, second, stop };
  };

  it("has one selection, and where it lies in both", async () => {
    const { first, second, stop } = start("f32[3,5]{1,0}");
    await vi.waitFor(() => expect(second.picked.value?.offset).toBe(13));
    expect(first.picked.value?.offset).toBe(17);
    pick(second, app, { index: [0, 4], offset: 4 });
    await vi.waitFor(() => expect(first.picked.value?.offset).toBe(8));
    first.hover.value = { index: [1, 1], offset: 3 };
    await vi.waitFor(() => expect(second.hover.value).toEqual({ index: [1, 1], offset: 6 }));
    first.hover.value = null;
    await vi.waitFor(() => expect(second.hover.value).toBeNull());
    stop();
  });

  it("writes where an element goes, and leaves alone what stays", async () => {
    const { first, second, stop } = start("f32[3,5]{1,0}");
    await vi.waitFor(() => expect(comparing(app, first, second).value).toBe(true));
    const cells = await loadCompared(first, second, app, { row: 0, col: 0, rows: 3, cols: 5 });
    expect(cells?.text.slice(0, 5)).toEqual(["0", "1", "4→2", "5→3", "8→4"]);
    expect([...(cells?.tint.slice(0, 3) ?? [])]).toEqual([-1, -1, 1]);
    stop();
  });

  it("keeps the axes of the first, whatever the second is", async () => {
    const { first, second, stop } = start("f32[3,5,2]");
    await vi.waitFor(() => expect(second.info.value).not.toBeNull());
    await vi.waitFor(() => expect(first.info.value).not.toBeNull());
    expect(first.axes.value.fixed).toHaveLength(2);
    first.axes.value = { row: 1, col: 0, fixed: [0, 0] };
    writable(app.state).comparedShape.value = "f32[3,5]{0,1}";
    await vi.waitFor(() => expect(second.info.value?.dims).toHaveLength(2));
    expect(first.axes.value).toMatchObject({ row: 1, col: 0 });
    stop();
  });

  it("says why two layouts cannot be compared", async () => {
    const { first, second, stop } = start("f32[3,6]{1,0}");
    await vi.waitFor(() => expect(second.info.value).not.toBeNull());
    await vi.waitFor(() => expect(first.info.value).not.toBeNull());
    render(<LayoutView app={app} session={first} compared={second} film={createFilm()} />, root);
    expect(root.querySelector(".misfit")?.textContent).toContain("3 × 6");
    expect(misfit(first.info.value, engine.layout("bf16[3,5]"))).toContain("16");
    stop();
  });
});

describe("the inputs", () => {
  it("have a row for each parameter", () => {
    writable(app.state).check.value = engine.check(PROGRAM);
    render(<InputsPane app={app} />, root);
    const box = root.querySelector<HTMLInputElement>(".input-spec input");
    expect(box?.getAttribute("aria-label")).toBe("Value of x");
    const choice = root.querySelector<HTMLSelectElement>(".input-spec select");
    if (choice) {
      choice.value = "iota";
      choice.dispatchEvent(new Event("change", { bubbles: true }));
    }
    expect(app.state.inputs.value[0]?.text).toBe("iota");
  });
});

describe("an input whose sizes are open", () => {
  it("has a field for its type beside what is made of it", () => {
    const open = `func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
      return %x : tensor<?x3xf32>
    }`;
    writable(app.state).check.value = engine.check(open);
    writable(app.state).inputs.value = [{ text: "iota", file: null }];
    render(<InputsPane app={app} />, root);
    const type = root.querySelector<HTMLInputElement>(".input-type");
    expect(type?.placeholder).toBe("tensor<?x3xf32>");
    if (type) {
      type.value = "f32[2,3]";
      type.dispatchEvent(new Event("input", { bubbles: true }));
    }
    expect(app.state.inputs.value[0]?.text).toBe("f32[2,3] iota");
    expect(app.state.openInputs.value).toBe('["f32[2,3] iota"]');
    const given = app.state.inputs.value.map((input) => input.text);
    expect(engine.check(open, given)).toMatchObject({ ok: true, result: "f32[2,3]{1,0}" });
    expect(splitSpec("tensor<2x3xf32> {1}")).toEqual({ type: "tensor<2x3xf32>", rest: "{1}" });
    expect(splitSpec("{1,2}")).toEqual({ type: "", rest: "{1,2}" });
  });
});

describe("the status", () => {
  it("counts problems", () => {
    writable(app.state).check.value = engine.check(PROGRAM.replace("add", "BAD"));
    render(<StatusBar app={app} />, root);
    expect(root.textContent).toContain("1 error");
  });
});

describe("a part that is fetched", () => {
  it("appears when it is there, and offers another try when it cannot be had", async () => {
    let tries = 0;
    const Part = lazy(async () => {
      if (tries++ === 0) throw new Error("offline");
      return ({ name }: { name: string }) => <b>{name}</b>;
    });
    render(<Part name="here" />, root);
    await vi.waitFor(() => expect(root.querySelector(".empty button")).not.toBeNull());
    root.querySelector<HTMLButtonElement>(".empty button")?.click();
    await vi.waitFor(() => expect(root.textContent).toBe("here"));
  });
});

describe("a long list", () => {
  it("makes only the rows that can be seen", () => {
    const items = Array.from({ length: 100_000 }, (_, i) => i);
    const list = (
      <VirtualList
        id="long"
        label="Long"
        items={items}
        rowHeight={20}
        selected={3}
        onSelect={() => undefined}
        row={(item) => <span>{item}</span>}
      />
    );
    render(list, root);
    expect(root.querySelectorAll("[role=option]").length).toBeLessThan(100);
    expect(root.querySelector("[aria-selected=true]")?.textContent).toBe("3");
  });
});
