/** The program in the other dialect, the menu of downloads. */
import { render } from "preact";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { TOKEN_KINDS } from "../../wasm/engine_api";
import type { App, EditorHandle } from "../../web/src/app/app";
import { downloads } from "../../web/src/app/download";
import { fileName, programAs } from "../../web/src/app/file_saver";
import { engineSettings } from "../../web/src/app/settings";
import { writable } from "../../web/src/app/state";
import { commands, findCommand } from "../../web/src/commands/registry";
import { Toolbar } from "../../web/src/page/Toolbar";
import { words } from "../../web/src/strings";
import { DialectView } from "../../web/src/views/dialect/DialectView";
import { otherDialect } from "../../web/src/views/dialect/kinds";
import { codeTokens } from "../../web/src/views/dialect/making";
import { createDialectSession, linkedTo } from "../../web/src/views/dialect/session";
import { engine, type TestLink } from "./engine";
import { mountApp } from "./mounted";

const PROGRAM = `HloModule m
ENTRY main {
  x = f32[2,3]{1,0} parameter(0)
  y = f32[2,3]{1,0} add(x, x)
  ROOT z = f32[2,3]{1,0} multiply(y, x)
}`;

let app: App;
let root: HTMLElement;
let marked: (readonly number[])[];
let links: TestLink[];

beforeEach(() => {
  marked = [];
  const editor = {
    text: () => app.state.text.value,
    setText: (text: string) => {
      writable(app.state).text.value = text;
    },
    goTo: () => undefined,
    mark: (lines: readonly number[]) => marked.push(lines),
  };
  ({ app, links, root } = mountApp(editor as unknown as EditorHandle));
});

describe("linked lines", () => {
  const lines = [3, 0, 3, 1, 4, 1];
  it("go both ways, and one line may have several", () => {
    expect(linkedTo(lines, { side: "program", line: 3 })).toEqual({ program: [3], other: [0, 1] });
    expect(linkedTo(lines, { side: "other", line: 1 })).toEqual({ program: [3, 4], other: [1] });
  });
  it("mark nothing that has no counterpart", () => {
    expect(linkedTo(lines, { side: "program", line: 0 })).toEqual({ program: [], other: [] });
    expect(linkedTo(lines, null)).toEqual({ program: [], other: [] });
  });
});

describe("the other dialect", () => {
  it("is StableHLO for HLO, and HLO for StableHLO", () => {
    expect([otherDialect("hlo"), otherDialect("mlir"), otherDialect(undefined)]).toEqual([
      "stablehlo",
      "hlo",
      "stablehlo",
    ]);
  });

  it("is made only while it is looked at, and follows the text", async () => {
    const session = createDialectSession();
    const stop = session.start(app);
    writable(app.state).text.value = PROGRAM;
    await Promise.resolve();
    const asked = links.flatMap((link) => link.calls.map(({ method }) => method));
    expect(asked).not.toContain("convert");
    writable(app.state).view.value = "dialect";
    await vi.waitFor(() => expect(session.shown.value?.result.text).toContain("stablehlo.add"));
    session.cursor.value = { side: "program", line: 4 };
    expect(session.marks.value).toEqual({ program: [4], other: [3] });
    session.hover.value = { side: "other", line: 2 };
    expect(session.marks.value).toEqual({ program: [3], other: [2] });
    // A cursor that moves wins over a mouse that rests.
    session.pointer("other").cursor(3);
    expect(session.marks.value).toEqual({ program: [4], other: [3] });
    session.pointer("program").hover(3);
    expect(session.marks.value.other).toEqual([2]);
    session.pointer("program").hover(null);
    expect(session.marks.value.other).toEqual([3]);
    stop();
  });

  it("keeps the last text when the program has faults, and says why", async () => {
    const session = createDialectSession();
    const stop = session.start(app);
    writable(app.state).view.value = "dialect";
    writable(app.state).text.value = PROGRAM;
    render(<DialectView app={app} session={session} />, root);
    await vi.waitFor(() => expect(session.shown.value).not.toBeNull());
    writable(app.state).text.value = PROGRAM.replace("add", "BAD");
    await vi.waitFor(() =>
      expect(root.querySelector("[role=alert]")?.textContent).toContain("BAD"),
    );
    expect(root.querySelector(".badge")).not.toBeNull();
    expect([...(session.shown.value?.result.lines ?? [])].slice(2, 4)).toEqual([3, 2]);
    session.hover.value = { side: "other", line: 2 };
    expect(session.marks.value).toEqual({ program: [], other: [] });
    stop();
  });

  it("can become the program", async () => {
    const session = createDialectSession();
    const stop = session.start(app);
    writable(app.state).view.value = "dialect";
    writable(app.state).text.value = PROGRAM;
    render(<DialectView app={app} session={session} />, root);
    await vi.waitFor(() => expect(root.querySelector(".dialect-text")).not.toBeNull());
    const button = [...root.querySelectorAll("button")].find(
      ({ textContent }) => textContent === words.commands.adoptDialect,
    );
    button?.click();
    expect(app.state.text.value).toBe(engine.convert(PROGRAM, { to: "stablehlo" }).text);
    stop();
  });

  it("gives way to the plan and the code, which are linked too", async () => {
    const session = createDialectSession();
    const stop = session.start(app);
    writable(app.state).view.value = "dialect";
    writable(app.state).text.value = PROGRAM;
    session.kind.value = "plan";
    await vi.waitFor(() => expect(session.shown.value?.result.text).toContain("loop over 6"));
    // The loop's three lines are about both of its instructions.
    session.cursor.value = { side: "program", line: 3 };
    expect(session.marks.value).toEqual({ program: [3], other: [2, 3, 4] });
    session.cursor.value = { side: "other", line: 2 };
    expect(session.marks.value.program).toEqual([3, 4]);
    session.kind.value = "code";
    await vi.waitFor(() => expect(session.shown.value?.result.text).toContain("(module"));
    const code = session.shown.value?.result.text.split("\n") ?? [];
    const multiplies = code.findIndex((line) => line.endsWith("f32x4.mul"));
    session.cursor.value = { side: "other", line: multiplies };
    expect(session.marks.value.program).toEqual([4]);
    writable(app.state).text.value = PROGRAM.replace("add", "BAD");
    await vi.waitFor(() => expect(session.refused.value?.kind).toBe("code"));
    stop();
  });

  it("colours generated code", () => {
    const text = '(module\n  ;; y = add\n  i32.const -3\n  (export "0")';
    const tokens = codeTokens(text);
    const parts: string[] = [];
    for (let i = 0; i < tokens.length; i += 3) {
      parts.push(`${TOKEN_KINDS[tokens[i] ?? 0]} ${text.slice(tokens[i + 1], tokens[i + 2])}`);
    }
    expect(parts).toEqual([
      "opcode module",
      "comment ;; y = add",
      "opcode i32.const",
      "number -3",
      "opcode export",
      'string "0"',
    ]);
  });

  it("is switched on and off by one command", () => {
    const command = findCommand("other-dialect");
    writable(app.state).view.value = "layout";
    void command?.perform(app);
    expect(app.state.view.value).toBe("dialect");
    void command?.perform(app);
    expect(app.state.view.value).toBe("layout");
  });
});

describe("downloads", () => {
  it("are the program in both dialects and a script with its inputs", async () => {
    writable(app.state).inputs.value = [
      { text: "iota", file: null },
      { text: "of another program", file: null },
    ];
    const made = await Promise.all(downloads.map(({ what }) => programAs(app, PROGRAM, what)));
    expect(made.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(made[0]?.text).toBe(PROGRAM);
    expect(made[1]?.text).toContain("stablehlo.multiply");
    const options = { ...engineSettings(app.state.settings.value), inputs: ["iota"] };
    expect(made[2]?.text).toBe(engine.pythonScript(PROGRAM, options).text);
    expect(made[2]?.text).toContain("stablehlo.multiply");
    for (const row of downloads) expect(commands.map(({ id }) => id)).toContain(row.id);
  });

  it("have names that every file system takes", () => {
    expect(fileName("jit f/../x", ".py")).toBe("jit_f_.._x.py");
    expect(fileName("", ".hlo")).toBe("program.hlo");
  });

  it("are in a menu that keys open, walk and close", () => {
    writable(app.state).check.value = engine.check(PROGRAM);
    render(<Toolbar app={app} />, root);
    const button = root.querySelector<HTMLButtonElement>("[aria-haspopup=menu][title=Download]");
    const press = (key: string): void => {
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    };
    button?.focus();
    button?.click();
    return vi.waitFor(() => {
      const items = [...root.querySelectorAll("[role=menuitem]")];
      expect(items.map((item) => item.textContent)).toEqual([
        "HLO text.hlo",
        "StableHLO text.mlir",
        "Python script for JAX.py",
      ]);
      expect(document.activeElement).toBe(items[0]);
      press("ArrowUp");
      expect(document.activeElement).toBe(items[2]);
      press("Home");
      expect(document.activeElement).toBe(items[0]);
      press("Escape");
      expect(document.activeElement).toBe(button);
    });
  });
});
