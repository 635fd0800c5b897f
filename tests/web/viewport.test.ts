import { describe, expect, it } from "vitest";
import { emptyCells } from "../../web/src/grid/cells";
import { paintHeaders } from "../../web/src/grid/lettering";
import { eased, movingCells, paintMoving, rectAt } from "../../web/src/grid/moving";
import { overviewSize } from "../../web/src/grid/Overview";
import { touchAction } from "../../web/src/grid/pointing";
import type { GridTheme } from "../../web/src/grid/theme";
import {
  cellAt,
  clampScroll,
  contains,
  labelStep,
  MIN_CELL,
  maxScroll,
  moveByKey,
  reveal,
  scrollBy,
  type Viewport,
  visibleCells,
  windowAround,
  zoomAt,
  zoomWithin,
} from "../../web/src/grid/viewport";
import { Random } from "./random";

const view: Viewport = {
  rows: 1e12,
  cols: 1000,
  width: 400,
  height: 300,
  cellWidth: 40,
  cellHeight: 30,
  top: 0,
  left: 0,
};

function randomView(random: Random): Viewport {
  return clampScroll({
    rows: 1 + random.below(random.pick([3, 50, 1e9])),
    cols: 1 + random.below(random.pick([3, 50, 1e9])),
    width: 50 + random.below(900),
    height: 50 + random.below(900),
    cellWidth: MIN_CELL + random.next() * 100,
    cellHeight: MIN_CELL + random.next() * 100,
    top: random.next() * 1e9,
    left: random.next() * 1e9,
  });
}

describe("a viewport", () => {
  it("asks for a window, whatever the size of the array", () => {
    const window = windowAround({ ...view, top: 5e11 }, 12);
    expect(window).toEqual({ row: 5e11 - 12, col: 0, rows: 34, cols: 22 });
  });

  it("keeps its promises in random places", () => {
    const random = new Random(3);
    for (let round = 0; round < 2000; round++) {
      const v = randomView(random);
      const max = maxScroll(v);
      expect(v.top).toBeLessThanOrEqual(max.top);
      const seen = visibleCells(v);
      expect(seen.rows).toBeGreaterThan(0);
      expect(seen.row + seen.rows).toBeLessThanOrEqual(v.rows);
      expect(contains(windowAround(v, 5), seen)).toBe(true);
      const place = { row: random.below(v.rows), col: random.below(v.cols) };
      const shown = reveal(v, place);
      const after = visibleCells(shown);
      expect(place.row).toBeGreaterThanOrEqual(after.row);
      expect(place.row).toBeLessThan(after.row + after.rows);
      expect(place.col).toBeGreaterThanOrEqual(after.col);
      expect(place.col).toBeLessThan(after.col + after.cols);
      const hit = cellAt(v, v.width * random.next(), v.height * random.next());
      if (hit) expect(contains(seen, { ...hit, rows: 1, cols: 1 })).toBe(true);
    }
  });

  it("follows a step by a step, and shows what is around a far cell", () => {
    const v = { ...view, top: 100, left: 4 };
    const tall = v.height / v.cellHeight;
    const below = { row: 100 + Math.floor(tall), col: 5 };
    expect(reveal(v, { row: 99, col: 5 }).top).toBe(99);
    expect(reveal(v, below).top).toBeCloseTo(below.row + 1 - tall);
    const far = reveal(v, { row: 1000, col: 5 });
    expect(1000 - far.top).toBeGreaterThan(1);
    expect(far.top + tall - 1001).toBeGreaterThan(1);
    expect(reveal(v, { row: 1, col: 5 }).top).toBe(0);
  });

  it("brings cells that are out of shape to their usual size first, then zooms both sides", () => {
    const limits = {
      least: { width: 2, height: 4 },
      usual: { width: 40, height: 20 },
      most: { width: 160, height: 80 },
    };
    let v: Viewport = { ...view, cellWidth: 2, cellHeight: 16, top: 100, left: 50 };
    const under = cellAt(v, 200, 150);
    v = zoomWithin(v, 2, 200, 150, limits);
    expect([v.cellWidth, v.cellHeight]).toEqual([4, 20]);
    expect(cellAt(v, 200, 150)).toEqual(under);
    for (let i = 0; i < 4; i++) v = zoomWithin(v, 2, 200, 150, limits);
    expect([v.cellWidth, v.cellHeight]).toEqual([40, 20]);
    for (let i = 0; i < 4; i++) v = zoomWithin(v, 2, 200, 150, limits);
    expect([v.cellWidth, v.cellHeight]).toEqual([160, 80]);
    for (let i = 0; i < 9; i++) v = zoomWithin(v, 1 / 2, 0, 0, limits);
    expect([v.cellWidth, v.cellHeight]).toEqual([2, 4]);
  });

  it("zooms about the pointer", () => {
    const before = { ...view, top: 100, left: 50 };
    const after = zoomAt(before, 2, 200, 150);
    expect(after.cellWidth).toBe(80);
    expect(cellAt(after, 200, 150)).toEqual(cellAt(before, 200, 150));
    expect(zoomAt(before, 1e-9, 0, 0).cellWidth).toBe(MIN_CELL * (40 / 30));
  });

  it("stops at the edges", () => {
    expect(scrollBy(view, -5, -5)).toMatchObject({ top: 0, left: 0 });
    expect(scrollBy(view, 2e12, 2e12)).toMatchObject({ top: 1e12 - 10, left: 990 });
    expect(cellAt({ ...view, rows: 2, cols: 2 }, 90, 10)).toBeNull();
  });

  it("moves the selection by keys", () => {
    const from = { row: 5, col: 7 };
    expect(moveByKey(view, from, "ArrowDown", false)).toEqual({ row: 6, col: 7 });
    expect(moveByKey(view, from, "End", true)).toEqual({ row: 1e12 - 1, col: 999 });
    expect(moveByKey(view, from, "PageUp", false)).toEqual({ row: 0, col: 7 });
    expect(moveByKey(view, from, "x", false)).toBeNull();
  });

  it("thins out labels that would touch", () => {
    expect(labelStep(40, 30)).toBe(1);
    expect(labelStep(10, 30)).toBe(4);
  });
});

describe("a finger", () => {
  const view = {
    rows: 10,
    cols: 10,
    width: 100,
    height: 100,
    cellWidth: 20,
    cellHeight: 20,
    top: 0,
    left: 0,
  };

  it("moves the page where the picture has come to its end", () => {
    expect(touchAction(view, true)).toBe("pan-left pan-up");
    expect(touchAction({ ...view, top: 2, left: 2 }, true)).toBe("");
    expect(touchAction({ ...view, top: 5, left: 2 }, true)).toBe("pan-down");
    expect(touchAction({ ...view, rows: 5, left: 5 }, true)).toBe("pan-right pan-y");
  });

  it("moves the page where the picture is whole, and zooms it by two where it can", () => {
    expect(touchAction({ ...view, rows: 5, cols: 5 }, true)).toBe("pan-x pan-y");
    expect(touchAction({ ...view, rows: 5, cols: 5 }, false)).toBe("auto");
  });
});

describe("the overview", () => {
  it("has the form of the grid, and is never a thin line", () => {
    expect(overviewSize(4096, 4096)).toEqual({ width: 24, height: 24 });
    expect(overviewSize(10, 1000)).toEqual({ width: 84, height: 12 });
    expect(overviewSize(1e9, 8)).toEqual({ width: 12, height: 24 });
  });
});

describe("cells that move", () => {
  const view = (cols: number) => ({
    rows: 2,
    cols,
    width: 100,
    height: 100,
    cellWidth: 10,
    cellHeight: 20,
    top: 0,
    left: 0,
  });
  const painted = (rows: number, cols: number, text: string[]) => ({
    data: { ...emptyCells({ row: 0, col: 0, rows, cols }), text },
    view: view(cols),
    left: 5,
  });

  it("are followed by their text, padding comes in where it is", () => {
    const cells = movingCells(painted(1, 2, ["a", "b"]), painted(2, 2, ["b", "", "a", ""]), 7);
    expect(cells.map(({ text, from, to }) => [text, from?.x, to.x, to.y])).toEqual([
      ["b", 15, 5, 7],
      ["", undefined, 15, 7],
      ["a", 5, 5, 27],
      ["", undefined, 15, 27],
    ]);
  });

  it("are followed by their pins", () => {
    const cells = movingCells(painted(1, 2, ["a", "b"]), painted(2, 2, ["b", "", "a", ""]), 7);
    const a = cells.find(({ text }) => text === "a");
    expect(a?.place).toEqual({ row: 1, col: 0 });
    expect(a && [0, 0.5, 1].map((share) => rectAt(a, share).y)).toEqual([7, 17, 27]);
    const rings: number[] = [];
    const ctx = new Proxy({ strokeRect: (_x: number, y: number) => rings.push(y) } as object, {
      get: (target, key) => Reflect.get(target, key) ?? (() => undefined),
    }) as CanvasRenderingContext2D;
    const headers = { left: 0, top: 0, row: String, col: String };
    const theme = { pins: ["red"], tiles: [] } as unknown as GridTheme;
    const pin = { place: { row: 1, col: 0 }, colour: 0, letter: "A" };
    const size = { width: 50, height: 50 };
    paintMoving(ctx, cells, 0.5, size, headers, theme, []);
    const plain = rings.length;
    paintMoving(ctx, cells, 0.5, size, headers, theme, [pin]);
    expect(rings.length).toBe(2 * plain + 1);
    expect(Math.abs((rings[rings.length - 1] ?? 0) - 17)).toBeLessThan(3);
  });

  it("are none where nothing can be followed", () => {
    expect(movingCells(painted(1, 1, ["a"]), painted(1, 1, ["z"]), 0)).toEqual([]);
    const many = painted(40, 40, new Array(1600).fill("a"));
    expect(movingCells(many, many, 0)).toEqual([]);
  });

  it("are slow at both ends", () => {
    expect([eased(-1), eased(0), eased(0.5), eased(1), eased(2)]).toEqual([0, 0, 0.5, 1, 1]);
  });
});

describe("names of rows and columns", () => {
  it("are left out where they do not fit, for a cut number reads as another", () => {
    const names: string[] = [];
    const ctx = {
      fillText: (text: string) => names.push(text),
      ...Object.fromEntries(
        ["fillRect", "save", "beginPath", "rect", "clip", "restore"].map((name) => [
          name,
          () => {},
        ]),
      ),
    } as unknown as CanvasRenderingContext2D;
    const headers = { left: 40, top: 20, row: String, col: (n: number) => `+${n * 65536}` };
    // The last column and the last row are cut in the middle.
    const cut = { ...view, rows: 4, cols: 4, width: 220, height: 105, cellWidth: 60 };
    paintHeaders(ctx, cut, headers, {} as GridTheme, {
      hovered: null,
      selected: null,
      focused: false,
      dimmed: false,
    });
    expect(names).toEqual(["+0", "+65536", "+131072", "0", "1", "2"]);
  });
});
