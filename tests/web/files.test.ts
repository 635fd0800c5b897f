/** What is dropped on the page: arrays become inputs, programs can be taken back. */
import { beforeEach, describe, expect, it } from "vitest";
import { changeSettings, loadProgram } from "../../web/src/app/actions";
import type { App } from "../../web/src/app/app";
import { readHead } from "../../web/src/app/arrays";
import { openDump } from "../../web/src/app/dumps";
import { openFile } from "../../web/src/app/files";
import { nested, readRows } from "../../web/src/app/numbers";
import { DEFAULT_TASTE, type DumpEntry, writable } from "../../web/src/app/state";
import { changeTaste, readTaste, startTaste, toggleFolded } from "../../web/src/app/taste";
import { template } from "../../web/src/editor/assist";
import { examples } from "../../web/src/examples/list";
import { engine } from "./engine";
import { makeApp } from "./mounted";

const PROGRAM = `ENTRY e {
  a = f32[2,3] parameter(0)
  b = s32[4] parameter(1)
  c = f32[2,3] parameter(2)
  d = f32[] parameter(3)
  ROOT r = f32[2,3] add(a, c)
}`;

function npy(descr: string, shape: string): Uint8Array<ArrayBuffer> {
  const head = `{'descr': '${descr}', 'fortran_order': False, 'shape': ${shape}, }\n`;
  const bytes = new Uint8Array(10 + head.length);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, head.length, 0]);
  bytes.set(new TextEncoder().encode(head), 10);
  return bytes;
}

/** With zeros as elements. */
const fileOf = (descr: string, shape: string, name = "w.npy"): File => {
  const sizes = shape.match(/\d+/g) ?? [];
  const count = sizes.reduce((all, size) => all * Number(size), 1);
  return new File([npy(descr, shape), new Uint8Array(count * Number(descr.slice(2)))], name);
};

let app: App;

function show(text: string): void {
  loadProgram(app, { text });
  writable(app.state).check.value = engine.check(text);
}

beforeEach(() => {
  localStorage.clear();
  app = makeApp().app;
  show(PROGRAM);
});

const fileNames = (): (string | undefined)[] =>
  app.state.inputs.value.map(({ file }) => file?.name);

describe("files of programs", () => {
  it("say in short which one was opened, however long its name is", async () => {
    const name = `module_0042.jit_train_step.${"x".repeat(60)}.after_optimizations.txt`;
    await openFile(app, new File([PROGRAM], name));
    expect(app.state.notice.value?.text).toBe("Opened module_0042.jit_train_…optimizations.txt.");
  });
});

describe("an .npy file that is dropped", () => {
  it("says its sizes and the size of its elements", () => {
    const head = (dtype: string, shape: string) => readHead(npy(dtype, shape));
    expect(head("<f4", "(2, 3)")).toMatchObject({ dims: [2, 3], itemBytes: 4, type: "f32" });
    expect(head("|b1", "()")).toMatchObject({ dims: [], itemBytes: 1, type: null });
    expect(head("<i4", "(4,)")).toMatchObject({ dims: [4], itemBytes: 4, type: "s32" });
    expect(head("<V2", "(4,)")).toMatchObject({ dims: [4], itemBytes: 2, type: null });
    expect(readHead(new Uint8Array(20))).toBeNull();
  });

  it("becomes the only input that it fits, and not the program; that can be undone", async () => {
    await openFile(app, fileOf("<i4", "(4,)"));
    expect(app.state.text.value).toBe(PROGRAM);
    expect(fileNames()[1]).toBe("w.npy");
    expect(app.state.notice.value?.text).toContain("b now");
    app.state.notice.value?.action?.act();
    expect(fileNames()[1]).toBeUndefined();
  });

  it("is asked about where several fit", async () => {
    await openFile(app, fileOf("<f4", "(2, 3)"));
    expect(app.state.overlay.value).toBe("offer");
    expect(app.state.offered.value?.fits).toEqual([0, 2]);
    expect(fileNames().filter(Boolean)).toEqual([]);
  });

  const entry = (name: string, bytes: Uint8Array): DumpEntry => ({
    ...{ name, size: bytes.length },
    read: async () => bytes,
  });

  it("is one of several: each goes to the input of its name, else to the first that it fits", async () => {
    const array = npy("<f4", "(2, 3)");
    await openDump(app, [entry("c.npy", array), entry("x.npy", array), entry("y.npy", array)]);
    expect(fileNames()).toEqual(["x.npy", undefined, "c.npy"]);
    expect(app.state.notice.value?.text).toBe("c is c, x is a. No input has the sizes of y.");
    app.state.notice.value?.action?.act();
    expect(fileNames().filter(Boolean)).toEqual([]);
  });

  it("comes with a program: it is an input of that, not of the one before", async () => {
    const text = "ENTRY e { p = s8[] parameter(0)  ROOT q = s8[7] parameter(1) }";
    const program = entry("p.hlo", new TextEncoder().encode(text));
    const whole = new Uint8Array(await fileOf("|i1", "(7,)").arrayBuffer());
    await openDump(app, [program, entry("w.npy", whole)]);
    expect(app.state.text.value).toBe(text);
    expect(fileNames()).toEqual([undefined, "w.npy"]);
  });

  it("of another type is told, and numbers of 64 bits are converted if they fit", async () => {
    const wide = (
      dtype: string,
      data: Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>,
      shape: string,
    ): File => new File([npy(dtype, shape), data], "w.npy");
    await openFile(app, wide("<f8", Float64Array.from([1.5, 2, 3, 4, 5, 6]), "(2, 3)"));
    expect(app.state.notice.value?.text).toBe("w.npy holds f64, and a is f32.");
    app.state.notice.value?.action?.act();
    await expect.poll(() => fileNames()[0]).toBe("w.npy");
    const made = app.state.inputs.value[0]?.file?.bytes ?? new Uint8Array();
    expect(readHead(made)).toMatchObject({ dims: [2, 3], type: "f32" });
    expect(new Float32Array(made.slice(readHead(made)?.begin).buffer)[0]).toBe(1.5);

    const large = BigInt64Array.from([1n, 2n, 3n, 2n ** 40n]);
    await openFile(app, wide("<i8", large, "(4,)"), 1);
    expect(app.state.notice.value?.text).toBe("w.npy holds s64, and b is s32.");
    app.state.notice.value?.action?.act();
    expect(app.state.notice.value?.text).toBe("w.npy has numbers that s32 cannot hold.");
    expect(fileNames()[1]).toBeUndefined();
    await openFile(app, wide("<f8", Float64Array.from([1, 2, 3, 4, 5, 1e300]), "(2, 3)"));
    app.state.notice.value?.action?.act();
    expect(app.state.notice.value?.text).toBe("w.npy has numbers that f32 cannot hold.");
    await openFile(app, fileOf(">f8", "(2, 3)"));
    expect(app.state.notice.value?.action).toBeUndefined();
    await openFile(app, fileOf("<f2", "(2, 3)"));
    expect(app.state.notice.value).toMatchObject({ text: "w.npy holds f16, and a is f32." });
    expect(app.state.notice.value?.action).toBeUndefined();
    await openFile(app, fileOf("<i4", "(5,)"), 1);
    expect(app.state.notice.value?.text).toContain("w.npy has the sizes (5), and b is s32[4]");
  });

  it("is refused where it is cut short", async () => {
    await openFile(app, new File([npy("<i4", "(4,)"), new Uint8Array(15)], "w.npy"), 1);
    expect(app.state.notice.value?.text).toBe(
      "w.npy is cut short: its elements have 16 bytes, and it holds 15 of them.",
    );
    expect(fileNames()[1]).toBeUndefined();
  });

  it("goes where it is dropped, and nowhere where nothing fits", async () => {
    await openFile(app, fileOf("<f4", "(2, 3)"), 2);
    expect(fileNames()[2]).toBe("w.npy");
    await openFile(app, fileOf("<f4", "(3, 3)"));
    expect(app.state.notice.value?.text).toContain("(3, 3)");
    expect(app.state.notice.value?.kind).toBe("error");
    show("ENTRY e { ROOT r = f32[] constant(1) }");
    await openFile(app, fileOf("<f8", "(2, 3)"));
    expect(app.state.notice.value?.text).toContain("no input");
    await openFile(app, new File(["nothing"], "w.npy"));
    expect(app.state.notice.value?.text).toContain("not an .npy file");
  });
});

describe("a text that is dropped", () => {
  const open = (name: string, text: string, parameter: number | null = null) =>
    openFile(app, new File([text], name), parameter);
  const textOf = (at: number): string | undefined => app.state.inputs.value[at]?.text;
  const said = (): string | undefined => app.state.notice.value?.text;

  it("is read as rows of numbers, without the names above them", () => {
    const rows = [
      ["1", "2.5"],
      ["-3", "0.5e-1"],
    ];
    for (const text of [
      "1,2.5\n-3,.5e-1",
      "1 2.5\n-3  .5E-1\n",
      "1.000e+00\t+2.5\r\n-3\t.5e-1",
      'a;"b";\n1;2.5;\n\n-3;.5e-1;',
      "# saved\n1, 2.5\n-3, .5e-1",
    ]) {
      expect(readRows(text)).toMatchObject({ rows });
    }
    expect(readRows("x,y\n1,2\n3,four")).toEqual({ line: 3, cell: "four" });
    expect(readRows("1;2\n1,5;2")).toEqual({ line: 2, cell: "1,5" });
    expect(readRows("1,,2")).toEqual({ line: 1, cell: "" });
    expect(readRows("words, and words\n")).toBeNull();
    expect(nested(["1", "2", "3", "4"], [2, 1, 2])).toBe("{{{1, 2}}, {{3, 4}}}");
  });

  it("as rows of numbers becomes the text of the only input that it fits; that can be undone", async () => {
    await open("w.csv", "a,b,c,d\n1.0,2,3,4\n");
    expect(app.state.text.value).toBe(PROGRAM);
    expect(textOf(1)).toBe("{1, 2, 3, 4}");
    expect(said()).toBe("w.csv is the value of b now.");
    app.state.notice.value?.action?.act();
    expect(textOf(1)).toBe("");
    await open("w.txt", "1 2 3\n4 5 6", 2);
    await expect.poll(() => textOf(2)).toBe("{{1, 2, 3}, {4, 5, 6}}");
    const { output } = engine.run(PROGRAM, { inputs: ["zero", "", textOf(2) ?? ""] });
    expect(output?.preview).toBe("{{1, 2, 3}, {4, 5, 6}}");
  });

  it("as rows of numbers is asked about where several inputs fit", async () => {
    await open("w.tsv", "1\t2\t3\n4\t5\t6");
    expect(app.state.offered.value).toMatchObject({ name: "w.tsv", fits: [0, 2] });
    app.state.offered.value?.give(2);
    await expect.poll(() => textOf(2)).toBe("{{1, 2, 3}, {4, 5, 6}}");
  });

  it("leaves the program alone where no input can be its rows, and says why", async () => {
    const refusals: [string, string, number | null, string][] = [
      ["w.csv", "1,2\n3,4\n5,6", null, "3 rows of 2 numbers, which no input"],
      ["w.csv", "1,2\n3,4", 2, "w.csv has 2 rows of 2 numbers, and c is f32[2,3]"],
      ["w.csv", "1,2\n3", null, "line 2 has 1 number, and the first row has 2"],
      ["w.csv", "1,2,3,4.5", null, "w.csv cannot be b: "],
      ["w.csv", "1,2\n3,four", null, "line 2 has “four”, which is no number"],
      ["big.csv", "1,2,3\n".repeat(40_000), null, "save the array as .npy"],
    ];
    for (const [name, text, parameter, why] of refusals) {
      await open(name, text, parameter);
      await expect.poll(said).toContain(why);
      expect(app.state.text.value).toBe(PROGRAM);
      expect(app.state.inputs.value.some((input) => input.text !== "")).toBe(false);
    }
  });

  it("of another language leaves the program alone, and a program that is broken is opened", async () => {
    await open("f.py", "import jax\ndef f(x):\n  return x\n");
    expect(said()).toContain("f.py was not opened. This is not HLO: it looks like Python.");
    await open("g.py", "x = 1\n");
    expect(said()).toContain("g.py was not opened. It looks like Python");
    await open("h.ipynb", '{"cells": [], "nbformat": 4}');
    expect(said()).toContain("h.ipynb was not opened.");
    expect(app.state.text.value).toBe(PROGRAM);
    await open("broken.txt", "x = f32[3] foo(");
    expect(app.state.text.value).toBe("x = f32[3] foo(");
  });
});

it("a program that is dropped can be taken back, with the inputs of the one before", async () => {
  loadProgram(app, { text: PROGRAM, inputs: [{ text: "iota", file: null }] });
  changeSettings(app, { seed: 7 });
  await openFile(app, new File(["ENTRY e { ROOT r = f32[] constant(1) }"], "other.hlo"));
  expect(app.state.text.value).toContain("constant");
  expect(app.state.inputs.value).toEqual([]);
  app.state.notice.value?.action?.act();
  expect(app.state.text.value).toBe(PROGRAM);
  expect(app.state.inputs.value[0]?.text).toBe("iota");
  expect(app.state.settings.value.seed).toBe(7);
});

describe("how the program is shown", () => {
  it("is remembered", () => {
    changeTaste(app, { wrap: true });
    toggleFolded(app, ["metadata"]);
    const other = makeApp().app;
    startTaste(other);
    expect(other.state.taste.value).toEqual({ ...DEFAULT_TASTE, wrap: true, folded: ["metadata"] });
    toggleFolded(other, ["metadata"]);
    expect(other.state.taste.value.folded).toEqual([]);
  });

  it("is as it is by default when something else was stored", () => {
    for (const text of ["", "null", "[]", '{"folded":3,"wrap":"yes"}', '{"folded":[1]}']) {
      expect(readTaste(text)).toEqual(DEFAULT_TASTE);
    }
  });
});

describe("a form to fill in", () => {
  it("has its stops in the editor's notation, and the place behind it last", () => {
    expect(
      template({
        insert: "f(a, b), k={}",
        stops: [
          [2, 3],
          [5, 6],
          [12, 12],
        ],
      }),
    ).toBe("f(#{1:a}, #{2:b}), k=\\{#{3:}\\}#{4}");
  });
});

it("an example has a picture, of colours that there are, and of its own", () => {
  const pictures = examples.map(({ picture }) => picture.join("|"));
  for (const picture of pictures) expect(picture).toMatch(/^[a-f/ |]+$/);
  expect(new Set(pictures).size).toBe(pictures.length);
});
