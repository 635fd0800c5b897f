/** What Enter and a closing bracket do to a line of a program. */
import { insertNewlineAndIndent } from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import { EditorState, type Transaction } from "@codemirror/state";
import { describe, expect, it } from "vitest";
import { closingAt } from "../../web/src/editor/closing";
import { indenting } from "../../web/src/editor/indent";

/** A text after what was typed at its end; "\n" is Enter. */
function typed(keys: string, before = "", event = "input.type"): string {
  let state = EditorState.create({
    doc: before,
    selection: { anchor: before.length },
    extensions: [indentUnit.of("  "), indenting],
  });
  const dispatch = (transaction: Transaction): void => {
    state = transaction.state;
  };
  for (const key of event === "input.type" ? keys : [keys]) {
    if (key === "\n") insertNewlineAndIndent({ state, dispatch });
    else dispatch(state.update({ ...state.replaceSelection(key), userEvent: event }));
  }
  return state.doc.toString();
}

describe("a brace that is typed where one is ahead", () => {
  /** The text after the key; "|" is the cursor, before and after. Null where the brace is added. */
  const closed = (text: string): string | null => {
    const at = text.indexOf("|");
    const state = EditorState.create({
      doc: text.replace("|", ""),
      selection: { anchor: at },
      extensions: [indentUnit.of("  "), indenting],
    });
    const spec = closingAt(state);
    if (!spec) return null;
    const { doc, selection } = state.update(spec).state;
    const { head } = selection.main;
    return `${doc.sliceString(0, head)}|${doc.sliceString(head)}`;
  };

  it("takes its place, without the blank lines between", () => {
    expect(closed("ENTRY e {\n  x\n  |\n}\n")).toBe("ENTRY e {\n  x\n}|\n");
    expect(closed("{\n  a {\n    x\n    |\n\n  }\n}")).toBe("{\n  a {\n    x\n  }|\n}");
    expect(closed("{\n|}")).toBe("{\n}|");
    expect(closed('{\n  m={op="{"} // {1\n|\n}')).toBe('{\n  m={op="{"} // {1\n}|');
  });

  it("is added where the braces want it, or anything else is between", () => {
    expect(closed("a {\n  b {\n  |\n}")).toBeNull();
    expect(closed("{\n  |\n  x\n}")).toBeNull();
    expect(closed("{ x |\n}")).toBeNull();
    expect(closed("{\n}\n|")).toBeNull();
  });
});

describe("indentation", () => {
  it("is a step more after an open bracket, and a step less at the one that closes it", () => {
    expect(typed("ENTRY e {\nx = f32[2] parameter(0)\nROOT y = f32[2] add(\nx,\nx\n)\n}\n")).toBe(
      `ENTRY e {
  x = f32[2] parameter(0)
  ROOT y = f32[2] add(
    x,
    x
  )
}
`,
    );
    expect(typed("a = add(\nx,\nx)\nb")).toBe("a = add(\n  x,\n  x)\nb");
  });

  it("is the same in StableHLO, of regions too", () => {
    expect(
      typed(
        'module {\nfunc.func @f() {\n%0 = "stablehlo.while"(%a) ({ // a loop\nx\n}, {\ny\n}) : t\nz\n}\n}',
      ),
    ).toBe(`module {
  func.func @f() {
    %0 = "stablehlo.while"(%a) ({ // a loop
      x
    }, {
      y
    }) : t
    z
  }
}`);
  });

  it("is that of the line before, after empty ones, and none where nothing is above", () => {
    expect(typed("\n\nx", "  a")).toBe("  a\n\n  x");
    expect(typed("\nx")).toBe("\nx");
  });

  it("of pasted text stays as it is", () => {
    const text = "e {\n      x\n      }";
    expect(typed(text, "", "input.paste")).toBe(text);
    expect(typed("}", "e {\n  x,\n      y", "input.paste")).toBe("e {\n  x,\n      y}");
  });
});
