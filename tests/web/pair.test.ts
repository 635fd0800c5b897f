/** Which build answers which call. */
import { describe, expect, it } from "vitest";
import type { DocumentRef, LocalEngine, ValueRef } from "../../wasm/engine_api";
import { EnginePair, FULL_HANDLES } from "../../wasm/pair";

const tools = ["film", "convert"];
const small = {
  has: (call: string) => !tools.includes(call),
  isMlir: (text: string) => text.startsWith("module"),
} as LocalEngine;
const full = {} as LocalEngine;

function pairOf(fetches: (() => Promise<LocalEngine>)[]): EnginePair {
  return new EnginePair(Promise.resolve(small), () => {
    const next = fetches.shift();
    return next ? next() : Promise.reject(new Error("fetched too often"));
  });
}

describe("EnginePair", () => {
  it("asks the small build about HLO, layouts and its own runs", async () => {
    const pair = pairOf([]);
    expect(await pair.engineFor("check", ["ENTRY e { ... }"])).toBe(small);
    expect(await pair.engineFor("layout", ["f32[8]"])).toBe(small);
    expect(await pair.engineFor("valueStats", [{ handle: 3 }])).toBe(small);
    expect(await pair.engineFor("release", [3])).toBe(small);
  });

  it("fetches the full build once, for MLIR, for tools, and for runs it made", async () => {
    const pair = pairOf([() => Promise.resolve(full)]);
    expect(await pair.engineFor("run", ["module {}", {}])).toBe(full);
    expect(await pair.engineFor("film", ["f32[8]"])).toBe(full);
    expect(await pair.engineFor("run", ["ENTRY e { ... custom-call(x) ... }", {}])).toBe(full);
    expect(await pair.engineFor("valueStats", [{ handle: FULL_HANDLES }])).toBe(full);
    expect(await pair.engineFor("release", [FULL_HANDLES + 1])).toBe(full);
    expect(await pair.engineFor("check", ["ENTRY e { ... }"])).toBe(small);
  });

  it("fetches the full build for sums and products that only it computes", async () => {
    for (const options of [{ multiplyAdd: "fused" }, { products: "bf16" }]) {
      const pair = pairOf([() => Promise.resolve(full)]);
      expect(await pair.engineFor("run", ["ENTRY e", options])).toBe(full);
    }
    const usual = { multiplyAdd: "", products: "" };
    expect(await pairOf([]).engineFor("run", ["ENTRY e", usual])).toBe(small);
  });

  it("fetches the full build to run what may have complex numbers, not to look at it", async () => {
    for (const text of ["c64[2] parameter(0)", "ROOT r = complex(a, b)", "fft(x)", "c128[]"]) {
      expect(await pairOf([]).engineFor("check", [text]), text).toBe(small);
      expect(await pairOf([() => Promise.resolve(full)]).engineFor("run", [text, {}])).toBe(full);
    }
  });

  it("fetches the full build for inputs that are expressions, and for no others", async () => {
    const plain = [
      "",
      "iota",
      " uniform(-1, 2.5)",
      "constant:-1",
      "{{1, -2.5e-3}, {nan, inf}}",
      "7",
    ];
    plain.push("(1, 2)", "f32[2]{0} {1,2}", "f32[3,4]", "tensor<3x4xf32> iota", "{true, false}");
    for (const spec of plain) {
      expect(await pairOf([]).engineFor("run", ["ENTRY e", { inputs: [spec] }]), spec).toBe(small);
    }
    const written = [
      "sin(i0)",
      "1 + 2",
      "normal(0, 0.02)",
      "f32[2] i0",
      "iota with [1] = 5",
      "2i",
      "1 -2",
      "1 2 3",
      "1,2\n3,4",
      "np.ones((2, 3))",
      "{1.0f, 2.0f}",
      // However long it is.
      `[${"1, ".repeat(10_000)}1]`,
      `array([[${"1. ".repeat(10_000)}]])`,
      "1\t2\n".repeat(10_000),
    ];
    for (const spec of written) {
      const pair = pairOf([() => Promise.resolve(full)]);
      expect(await pair.engineFor("run", ["ENTRY e", { inputs: ["", spec] }]), spec).toBe(full);
    }
  });

  it("takes a value of the small build across once, for all figures of an array", async () => {
    const bytes = new Uint8Array([1, 2]);
    const holding = { ...small, valueNpy: () => bytes } as unknown as LocalEngine;
    const asked: unknown[][] = [];
    const kept: unknown[] = [];
    const released: number[] = [];
    const counting = {
      valueFigures: (...args: unknown[]) => asked.push(args),
      keepArray: (file: unknown) => kept.push(file) + 40,
      release: (value: number) => released.push(value),
    } as unknown as LocalEngine;
    const withoutFigures = {
      ...holding,
      has: (call: string) => call !== "valueFigures",
    } as LocalEngine;
    const pair = new EnginePair(Promise.resolve(withoutFigures), async () => counting);
    const ask = async (handle: number, entry: string): Promise<void> => {
      const ref = { handle, entry, path: [] } as unknown as ValueRef;
      const engine = await pair.engineFor("valueFigures", [ref, { type: "bf16" }]);
      engine.valueFigures(ref, { type: "bf16" });
    };
    await ask(3, "output");
    await ask(3, "output");
    expect(kept).toEqual([{ files: [{ bytes }] }]);
    expect(asked).toEqual([
      [{ value: 41 }, { type: "bf16" }],
      [{ value: 41 }, { type: "bf16" }],
    ]);
    await ask(FULL_HANDLES, "output");
    expect(asked[2]?.[0]).toMatchObject({ handle: FULL_HANDLES });
    // Another one takes its place, and a run takes it away.
    await ask(3, "input:0");
    expect(released).toEqual([41]);
    await pair.engineFor("run", ["ENTRY e", {}]);
    expect(released).toEqual([41, 42]);
  });

  it("tries again after the full build could not be fetched", async () => {
    const pair = pairOf([() => Promise.reject(new Error("offline")), () => Promise.resolve(full)]);
    await expect(pair.engineFor("convert", ["x", {}])).rejects.toThrow("offline");
    expect(await pair.engineFor("convert", ["x", {}])).toBe(full);
  });

  it("keeps open texts in the small build, and gives the full one what it is asked about", async () => {
    const given: [number, string][] = [];
    const texts = new Map<number, string>();
    const textOf = ({ $document }: DocumentRef): string => texts.get($document) ?? "";
    const keeping = {
      ...small,
      text: textOf,
      contains: (text: DocumentRef, words: string) => textOf(text).includes(words),
      isMlir: (text: DocumentRef) => textOf(text).startsWith("module"),
    } as unknown as LocalEngine;
    const copying = { open: (n: number, text: string) => given.push([n, text]) };
    const pair = new EnginePair(Promise.resolve(keeping), () =>
      Promise.resolve(copying as unknown as LocalEngine),
    );
    const named = { $document: 3 };
    texts.set(3, "ENTRY e");
    expect(await pair.engineFor("open", [3, "ENTRY e"])).toBe(keeping);
    expect(await pair.engineFor("check", [named])).toBe(keeping);
    expect(await pair.engineFor("convert", [named])).toBe(copying);
    expect(await pair.engineFor("convert", [named])).toBe(copying);
    expect(given).toEqual([[3, "ENTRY e"]]);
    texts.set(3, "module {}");
    expect(await pair.engineFor("edit", [3, []])).toBe(keeping);
    expect(await pair.engineFor("check", [named])).toBe(copying);
    expect(given.at(-1)).toEqual([3, "module {}"]);
  });
});
