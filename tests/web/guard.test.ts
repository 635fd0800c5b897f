/** What comes out of an engine that fails: Errors, and then the same answer always. */
import { describe, expect, it } from "vitest";
import { handleOf, withHandle } from "../../wasm/calls";
import { asError, BrokenEngineError, guarded } from "../../wasm/guard";

function thrownBy(call: () => unknown): unknown {
  try {
    call();
  } catch (thrown) {
    return thrown;
  }
  return null;
}

/** A module one of whose functions throws. */
function moduleThat(thrown: () => unknown) {
  return guarded({
    good: (text: string) => `good ${text}`,
    bad: (): string => {
      throw thrown();
    },
    bad2: (): string => "never",
    value: 7,
  });
}

class BindingError extends Error {
  override readonly name = "BindingError";
}

describe("a guarded module", () => {
  const failures: [string, () => unknown][] = [
    ["a trap", () => new WebAssembly.RuntimeError("unreachable")],
    [
      "an exception of C++",
      () => new WebAssembly.Exception(new WebAssembly.Tag({ parameters: [] }), []),
    ],
    ["a number", () => 123456],
    ["nothing", () => undefined],
    ["too deep a recursion", () => new RangeError("Maximum call stack size exceeded")],
    ["an object", () => ({ toString: () => "strange" })],
  ];
  for (const [what, thrown] of failures) {
    it(`throws an Error for ${what}, and is broken from then on`, () => {
      const module = moduleThat(thrown);
      expect(module.good("text")).toBe("good text");
      const first = thrownBy(() => module.bad());
      expect(first).toBeInstanceOf(BrokenEngineError);
      expect((first as Error).message).not.toContain("[object");
      const later = thrownBy(() => module.good("text"));
      expect(later).toBeInstanceOf(BrokenEngineError);
      expect((later as Error).message).toContain("createEngine()");
    });
  }

  it("goes on after a fault in an argument", () => {
    const module = moduleThat(() => new BindingError("Cannot pass non-string to std::string"));
    expect(thrownBy(() => module.bad())).toBeInstanceOf(BindingError);
    expect(module.good("text")).toBe("good text");
    expect(module.value).toBe(7);
    expect("good" in module && !("missing" in module)).toBe(true);
  });

  it("makes texts well-formed without moving what follows", () => {
    const module = moduleThat(() => 0);
    expect(module.good("a\ud800b\udc00c\u{1F600}")).toBe("good a\ufffdb\ufffdc\u{1F600}");
  });
});

describe("errors", () => {
  it("are Errors, whatever was thrown", () => {
    const error = new TypeError("no");
    expect(asError(error)).toBe(error);
    expect(asError("words")).toEqual(new Error("words"));
  });
});

describe("handles", () => {
  it("are found where a call has them", () => {
    const ref = { handle: 3, entry: 0, path: [] };
    expect(handleOf("valueStats", [ref])).toBe(3);
    expect(handleOf("release", [4])).toBe(4);
    expect(handleOf("pythonScript", ["x", { handle: 5 }])).toBe(5);
    expect(handleOf("pythonScript", ["x", {}])).toBe(0);
    expect(handleOf("check", [ref])).toBe(0);
    expect(withHandle("memory", [ref, "f32[2]", 0, 4], 9)).toEqual([
      { ...ref, handle: 9 },
      "f32[2]",
      0,
      4,
    ]);
    expect(withHandle("pythonScript", ["x", { handle: 5, seed: 1 }], 2)).toEqual([
      "x",
      { handle: 2, seed: 1 },
    ]);
    expect(withHandle("release", [4], 1)).toEqual([1]);
  });
});
