import { Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { describe, expect, it } from "vitest";
import { shifted, visibleSlice } from "../../web/src/editor/visible";

const LINES = [
  "ENTRY e {",
  "  a = f32[] parameter(0) /* one",
  "  two",
  "  three */",
  "  b = f32[] c()",
  "}",
];

function seen(from: number, to: number, by = 0) {
  const doc = Text.of(LINES);
  const view = { state: { doc }, visibleRanges: [{ from, to }] } as unknown as EditorView;
  return visibleSlice(view, by);
}
const at = (word: string): number => LINES.join("\n").indexOf(word);

describe("the visible part of a long text", () => {
  it("is whole lines", () => {
    const { from, text } = seen(at("b =") + 2, at("b =") + 3);
    expect(text).toBe("  b = f32[] c()");
    expect(from).toBe(at("  b ="));
  });

  it("and so much around it as one may scroll to", () => {
    const { text } = seen(at("two"), at("two") + 1, 8);
    expect(text).toBe("  a = f32[] parameter(0) /* one\n  two\n  three */");
  });

  it("begins where a comment does that reaches into it", () => {
    const { from, text } = seen(at("three"), at("b ="));
    expect(from).toBe(at("/*"));
    expect(text).toBe("/* one\n  two\n  three */\n  b = f32[] c()");
  });

  it("has its tokens where they are in the text", () => {
    expect(shifted(new Uint32Array([3, 0, 2, 5, 4, 6]), 10)).toEqual(
      new Uint32Array([3, 10, 12, 5, 14, 16]),
    );
  });
});
