/** Two programs compared: what changed between texts whose corresponding lines are known, and links. */
import { describe, expect, it } from "vitest";
import { readLink, writeLink } from "../../web/src/app/link";
import { readOther, writeOther } from "../../web/src/app/other_program";
import { changesBetween } from "../../web/src/views/diff/alignment";
import { engine } from "./engine";

/** Applies changes to a: it has to become b. */
function applied(a: string, b: string, pairs: number[]): string {
  let out = "";
  let at = 0;
  for (const { fromA, toA, fromB, toB } of changesBetween(a, b, pairs)) {
    expect(fromA).toBeGreaterThanOrEqual(at);
    out += a.slice(at, fromA) + b.slice(fromB, toB);
    at = toA;
  }
  return out + a.slice(at);
}

describe("changes between two texts", () => {
  it("are what is between lines that correspond, and within those", () => {
    const a = "one\ntwo\nthree\nfour";
    const b = "one\nTWO more\nextra\nfour";
    expect(changesBetween(a, a, [0, 0, 1, 1, 2, 2, 3, 3])).toEqual([]);
    expect(changesBetween(a, b, [0, 0, 1, 1, 3, 3])).toEqual([
      { fromA: 4, toA: 7, fromB: 4, toB: 12 },
      { fromA: 8, toA: 14, fromB: 13, toB: 19 },
    ]);
    expect(applied(a, b, [0, 0, 1, 1, 3, 3])).toBe(b);
  });

  it("make one text of the other whatever corresponds", () => {
    const a = "a = f(x)\nb = g(a)\n\nc = h(b)\n";
    const b = "\nz = g(q)\nc = h(z)";
    for (const pairs of [[], [1, 1], [0, 1, 3, 2], [0, 0, 1, 1, 2, 2], [4, 2]]) {
      expect(applied(a, b, pairs)).toBe(b);
      const back = pairs.flatMap((_, i) => (i % 2 === 0 ? [pairs[i + 1] ?? 0, pairs[i] ?? 0] : []));
      expect(applied(b, a, back)).toBe(a);
    }
    expect(applied("", "x\ny", [])).toBe("x\ny");
    expect(applied("x\ny", "", [])).toBe("");
  });

  it("take as long as the texts are", () => {
    const a = Array.from({ length: 50_000 }, (_, i) => `v${i} = f(v${i - 1})`).join("\n");
    const b = a.replaceAll("= f", "= g");
    const pairs = Array.from({ length: 100_000 }, (_, i) => i >> 1);
    expect(changesBetween(a, b, pairs)).toHaveLength(50_000);
  });
});

const BEFORE = `HloModule m
ENTRY e {
  p = f32[4]{0} parameter(0)
  s = f32[4]{0} sine(p)
  ROOT n = f32[4]{0} negate(s)
}
`;

describe("the engine's comparison", () => {
  it("pairs what is the same under another name, and gives the lines", () => {
    const after = BEFORE.replaceAll(/\bs\b/g, "t").replace("negate", "abs");
    const diff = engine.diff(after, BEFORE, { begin: 0, count: 10 });
    expect(diff.ok).toBe(true);
    expect(diff.changes.map(({ kinds, after: a }) => [kinds[0], a?.name])).toEqual([
      ["renamed", "t"],
      ["replaced", "n"],
    ]);
    expect(applied(BEFORE, after, [...diff.lines])).toBe(after);
    expect(diff.kinds.find(({ kind }) => kind === "renamed")).toMatchObject({ count: 1 });
  });
});

describe("a link", () => {
  it("has the other program beside the program, and nothing of it in the open", async () => {
    const other = writeOther({ name: "a.hlo", text: BEFORE });
    const hash = await writeLink({
      program: { src: "x" },
      params: { view: "diff" },
      texts: { before: other },
    });
    expect(hash).toMatch(/^#1\/[\w-]+&view=diff$/);
    const { state, problem } = await readLink(hash);
    expect(problem).toBeNull();
    expect(state.program).toEqual({ src: "x" });
    expect(readOther(state.texts?.before ?? "")).toEqual({ name: "a.hlo", text: BEFORE });
    expect(readOther("no line break")).toBeNull();
  });

  it("takes nothing for texts that are none", async () => {
    const hash = await writeLink({
      program: { src: "x" },
      params: {},
      texts: { before: 3, __proto__: "y" } as unknown as Record<string, string>,
    });
    expect((await readLink(hash)).state.texts).toBeUndefined();
  });
});
