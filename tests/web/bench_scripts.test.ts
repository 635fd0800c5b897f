/** What the scripts of `make bench` compute of times: ratios to peers, and what there is time to measure. */
import { describe, expect, it } from "vitest";
import { affordable, expected } from "../bench/growth_budget.mjs";
import { rowText } from "../bench/growth_rows.mjs";
import { fastest, median, ratioOf, ratioText, ratioToBest } from "../bench/ratios.mjs";

describe("ratios to peers", () => {
  it("the fastest is the one with the least median, whatever its luckiest round", () => {
    const lucky = { r: [1, 9, 9] };
    const steady = { r: [5, 5, 5] };
    expect(
      fastest([
        ["lucky", lucky],
        ["steady", steady],
        ["failed", { r: [] }],
      ])?.[0],
    ).toBe("steady");
    expect(fastest([["failed", { r: [] }]])).toBeUndefined();
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it("are those within rounds: what slows a round slows both", () => {
    expect(ratioOf([2, 20, 200], [1, 10, 100])).toEqual({ middle: 2, spread: 0 });
    expect(ratioOf([1, 2, 3, 4, 5], [1, 1, 1, 1, 1])).toEqual({ middle: 3, spread: 1 });
    // A round that one of them lacks does not count.
    expect(ratioOf([3, 3, 100], [1, 1])?.middle).toBe(3);
    expect(ratioOf(undefined, [1])).toBeNull();
    expect(ratioOf([], [1])).toBeNull();
  });

  it("of equal engines are as often above 1 as below, and of better peers below", () => {
    let state = 1;
    const noise = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return 1 + 0.2 * (state / 2 ** 32);
    };
    const rounds = (factor: number) => ({ r: Array.from({ length: 9 }, () => factor * noise()) });
    const ratios = (factors: number[]): number[] =>
      Array.from({ length: 600 }, () => {
        const peers = factors.map((factor, k) => [`${k}`, rounds(factor)] as const);
        return ratioToBest(peers, rounds(1).r)?.middle ?? 0;
      });
    const equal = ratios([1, 1, 1, 1, 1]);
    const below = equal.filter((ratio) => ratio < 1).length / equal.length;
    // The best peer of the same rounds gives 0.7 here, the least of all times 0.83.
    expect(below).toBeGreaterThan(0.43);
    expect(below).toBeLessThan(0.57);
    expect(median(ratios([1.5, 0.8, 1.5, 2, 3]))).toBeCloseTo(0.8, 1);
  });

  it("to the best are there with a single round, and none without", () => {
    expect(
      ratioToBest(
        [
          ["a", { r: [3] }],
          ["b", { r: [2] }],
        ],
        [1],
      )?.middle,
    ).toBe(2);
    expect(ratioToBest([], [1])).toBeNull();
    expect(ratioToBest([["a", { r: [3] }]], undefined)).toBeNull();
  });

  it("are written with their spread", () => {
    expect(ratioText({ middle: 1.044, spread: 0.02 })).toBe("1.04 ±.02");
    expect(ratioText({ middle: 3, spread: 1.5 })).toBe("3.00 ±1.50");
    expect(ratioText(null)).toBe("-");
  });
});

describe("growth", () => {
  it("is expected as it was, but at least in proportion and at most as a square", () => {
    expect(expected([], 10)).toBe(0);
    expect(expected([[10, 5]], 100)).toBeCloseTo(50);
    expect(
      expected(
        [
          [10, 1],
          [100, 1000],
        ],
        1000,
      ),
    ).toBeCloseTo(100_000);
    expect(
      expected(
        [
          [10, 5],
          [100, 5],
        ],
        1000,
      ),
    ).toBeCloseTo(50);
    expect(
      expected(
        [
          [10, 1],
          [100, 31.6228],
        ],
        1000,
      ),
    ).toBeCloseTo(1000, 0);
  });

  it("what takes too long, or is beyond the time for all, is left out with the reason", () => {
    const rows = new Map([
      ["short", [[10, 1]]],
      ["middle", [[10, 3]]],
      ["beyond", [[10, 4]]],
      ["long", [[10, 90]]],
    ] as [string, [number, number][]][]);
    const { taken, left } = affordable(rows, 1000, { most: 1000, budget: 450 });
    expect(taken).toEqual(["short", "middle"]);
    expect(left.get("long")).toBe("takes about 9.0 s");
    expect(left.get("beyond")).toBe("takes about 0.40 s, and the time for all is used up");
  });

  it("is marked where it is more than in proportion", () => {
    const options = { sizeText: String };
    const square = [
      [10, 1],
      [100, 100],
      [1000, 10_000],
    ] as const;
    expect(rowText("square", square, [], options)).toContain("2.00     10000 ms at 1000  <");
    const late = [
      [10, 1],
      [100, 10],
      [1000, 1000],
      [10_000, 10_000],
    ] as const;
    expect(rowText("late", late, [], { ...options, beyond: 1000 })).not.toContain("<");
    expect(rowText("none", [], [[10, "no memory"]], options)).toContain(
      "left out from 10 on: no memory",
    );
  });
});
