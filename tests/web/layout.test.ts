import { describe, expect, it } from "vitest";
import { emptyCells, PADDING } from "../../web/src/grid/cells";
import { densityOf, mixColours, svgOf } from "../../web/src/grid/picture";
import type { GridTheme } from "../../web/src/grid/theme";
import { textSize } from "../../web/src/grid/viewport";
import { words } from "../../web/src/strings";
import {
  axesText,
  cellOf,
  defaultAxes,
  indexAt,
  parseAxes,
  sliceThrough,
  windowSpec,
} from "../../web/src/ui/axes";
import { firstByte } from "../../web/src/views/layout/Bytes";
import { spotAmong } from "../../web/src/views/layout/blocks";
import { COLOUR_MODES, colourings, spread } from "../../web/src/views/layout/colours";
import {
  isCountable,
  naturalLine,
  paddingValue,
  sampleIndex,
} from "../../web/src/views/layout/model";
import { shapeName, windowsOf } from "../../web/src/views/layout/saving";
import { memoryScales } from "../../web/src/views/layout/scales";
import { tileColour, tilingOf } from "../../web/src/views/layout/tiling";
import { logicalCells, memoryCells } from "../../web/src/views/layout/window_cells";
import { layoutWords, modelAssumes } from "../../web/src/views/layout/words";
import { engine } from "./engine";

const layout = (shape: string) => {
  const info = engine.layout(shape);
  return { info, tiling: tilingOf(info) };
};
const look = { cells: "offset", colouring: colourings.tile } as const;
/** The upper left corner of an array of two dimensions, as it is painted. */
const corner = (shape: string, rows: number, cols: number) => {
  const { info, tiling } = layout(shape);
  const axes = defaultAxes(2);
  const rect = { row: 0, col: 0, rows, cols };
  const answer = engine.logicalWindow(info.subject, windowSpec(axes, rect));
  return logicalCells(info, tiling, axes, look, rect, answer, new Map());
};

describe("tiles of a layout", () => {
  it("are counted from the sizes in memory", () => {
    expect(layout("f32[3,5]{1,0:T(2,2)}").tiling).toEqual({ volume: 4, part: 4, across: 3 });
    expect(layout("s32[4,8]{1,0:T(2,4)(2,1)}").tiling).toEqual({ volume: 8, part: 2, across: 2 });
    expect(layout("f32[4,6]{1,0}").tiling).toEqual({ volume: 6, part: 6, across: 1 });
    expect(layout("f32[]").tiling.volume).toBe(1);
    const combined = layout("f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}").tiling;
    expect(combined).toEqual({ volume: 6, part: 6, across: 37 });
    // The second tile cuts across the first: only the innermost blocks are contiguous.
    expect(layout("f32[16,16]{1,0:T(4,4)(2,4,4)}").tiling.volume).toBe(32);
  });

  it("differ in colour from those beside and below them", () => {
    const { tiling } = layout("f32[32,64]{1,0:T(4,8)}");
    const colour = (row: number, col: number): number =>
      tileColour(tiling, (row * tiling.across + col) * tiling.volume);
    for (let row = 0; row < 7; row++) {
      for (let col = 0; col < 7; col++) {
        expect(colour(row, col)).not.toBe(colour(row, col + 1));
        expect(colour(row, col)).not.toBe(colour(row + 1, col));
      }
    }
  });

  it("are outermost parts of the address where a notation says no tiles", () => {
    const { tiling } = layout("morello: f32[6,8] [1, 0, 1 p(4)]");
    expect(tiling).toEqual({ volume: 24, part: 4, across: 1 });
    expect(tileColour(tiling, 24)).not.toBe(tileColour(tiling, 23));
  });

  it("are whole columns with what pads them, and steps of strides", () => {
    const padded = layout("s32[2,3]{0,1:PAD(3,5;9)}");
    expect(padded.tiling).toEqual({ volume: 3, part: 3, across: 1 });
    expect(naturalLine(padded.info, padded.tiling)).toBe(3);
    const strided = layout("strides: s32[2,3] (8,1)");
    expect(strided.info.formula).toBe("8*i0 + i1");
    expect(strided.tiling.volume).toBe(8);
    expect(naturalLine(strided.info, strided.tiling)).toBe(8);
    expect(layout("strides: f32[30] (1)").tiling.volume).toBe(30);
  });

  it("are counted only where numbers are exact", () => {
    const countable = (shape: string): [number, boolean] => {
      const info = engine.layout(shape);
      return [Math.log2(info.physicalElements), isCountable(info)];
    };
    expect(isCountable(engine.layout("f32[3,5]"))).toBe(true);
    expect(countable("f32[33554432,67108864]")).toEqual([51, false]);
    expect(countable("s4[33554432,134217728]{1,0:E(4)}")).toEqual([52, true]);
    expect(countable("u1[33554432,268435456]{1,0:E(1)}")).toEqual([53, false]);
  });

  it("end where lines of the memory picture end", () => {
    const line = (shape: string): number => {
      const { info, tiling } = layout(shape);
      return naturalLine(info, tiling);
    };
    expect(line("f32[3,5]{1,0:T(2,2)}")).toBe(12);
    expect(line("s32[4,8]{1,0:T(2,4)(2,1)}")).toBe(8);
    expect(line("bf16[16,256]{1,0:T(8,128)(2,1)}")).toBe(8);
    expect(line("f32[4,6]{1,0}")).toBe(6);
    expect(line("f32[]")).toBe(1);
  });

  it("are so few, where all elements are seen, that there is room for what is in them", () => {
    for (const shape of ["morello: f32[6,8] [1, 0, 1 p(4)]", "f32[30,3]{1,0}", "f32[8,13]{1,0}"]) {
      const { info, tiling } = layout(shape);
      const line = naturalLine(info, tiling);
      expect(info.physicalElements / line, shape).toBeLessThanOrEqual(8);
      expect(line, shape).toBeLessThanOrEqual(16);
    }
    const { info, tiling } = layout("morello: f32[6,8] [1, 0, 1 p(4)]");
    expect(tiling.volume % naturalLine(info, tiling)).toBe(0);
  });
});

describe("the pictures of figure 1", () => {
  const { info, tiling } = layout("f32[3,5]{1,0:T(2,2)}");
  const axes = defaultAxes(2);

  it("show the offsets of the logical array, padding around it", () => {
    const cells = corner("f32[3,5]{1,0:T(2,2)}", 4, 6);
    expect(cells.text.slice(0, 6)).toEqual(["0", "1", "4", "5", "8", ""]);
    expect(cells.text[2 * 6 + 3]).toBe("17");
    expect([...cells.kind].filter((kind) => kind === PADDING)).toHaveLength(9);
    // The padding beside (1,4) is of its tile.
    expect(cells.group[1 * 6 + 5]).toBe(cells.group[1 * 6 + 4]);
  });

  it("show memory as the elements that lie in it", () => {
    const rect = { row: 0, col: 0, rows: 2, cols: 12 };
    const answer = engine.linearWindow(info.subject, 0, 24);
    const cells = memoryCells(info, tiling, axes, look, rect, 12, answer, new Map());
    expect(cells.text.slice(0, 5)).toEqual(["0,0", "0,1", "1,0", "1,1", "0,2"]);
    expect(cells.text[17]).toBe("2,3");
    expect([...cells.kind].filter((kind) => kind === PADDING)).toHaveLength(9);
  });

  it("name the one element of a scalar", () => {
    const { info, tiling } = layout("f32[]");
    const rect = { row: 0, col: 0, rows: 1, cols: 1 };
    const answer = engine.linearWindow(info.subject, 0, 1);
    const cells = memoryCells(info, tiling, defaultAxes(0), look, rect, 1, answer, new Map());
    expect([...cells.text]).toEqual(["()"]);
  });

  it("start at an element that tells something", () => {
    expect(sampleIndex({ dims: [3, 5], physicalElements: 24 })).toEqual([2, 3]);
    expect(sampleIndex({ dims: [1, 60], physicalElements: 60 })).toEqual([0, 5]);
    // What is large opens with its beginning.
    expect(sampleIndex({ dims: [1, 1000000], physicalElements: 1000000 })).toEqual([0, 0]);
  });
});

describe("colours", () => {
  const { info, tiling } = layout("bf16[16,256]{1,0:T(8,128)(2,1)}");
  const lie = { info, tiling, offset: 2048 + 2 * 128 + 5, row: 0, col: 0 };

  it("say where an element lies in a register", () => {
    // Byte 2 * 2309 = 4618: 522 bytes into register 1, ten bytes into its sublane 1.
    expect(colourings.lane.says?.(lie)).toBe("register 1, sublane 1, lane 2");
    expect(colourings.register.tint?.(lie)).toBe(1);
    expect(colourings.lane.heat?.(lie)).toBeCloseTo(2 / 127);
    expect(colourings.bank.says?.(lie)).toBe("bank 2");
    expect(colourings.line.says?.(lie)).toBe("cache line 72");
    expect(colourings.subtile.says?.(lie)).toBe("sub-tile 1154");
  });

  it("have a name each, and models say what they assume", () => {
    for (const mode of COLOUR_MODES) expect(layoutWords.colours[mode]).toBeTruthy();
    for (const mode of ["line", "register", "sublane", "lane", "bank"] as const) {
      expect(modelAssumes[mode]).toMatch(/^A model/);
    }
  });
});

describe("what can be taken away", () => {
  it("is the map in row-major order, in windows", () => {
    const cover = (dims: number[]): string[] => {
      const out: string[] = [];
      for (const spec of windowsOf(dims)) {
        for (let i = 0; i < spec.rows * spec.cols; i++) {
          const index = [...spec.origin];
          if (spec.rowDim >= 0)
            index[spec.rowDim] = (index[spec.rowDim] ?? 0) + Math.floor(i / spec.cols);
          if (spec.colDim >= 0) index[spec.colDim] = (index[spec.colDim] ?? 0) + (i % spec.cols);
          out.push(index.join());
        }
      }
      return out;
    };
    expect(cover([])).toEqual([""]);
    expect(cover([3])).toEqual(["0", "1", "2"]);
    expect(cover([0, 3])).toEqual([]);
    expect(cover([2, 1, 2, 2])).toEqual(
      ["0,0", "1,0"].flatMap((a) => ["0,0", "0,1", "1,0", "1,1"].map((b) => `${a},${b}`)),
    );
    const long = [...windowsOf([2, 70_000])];
    expect(long.map(({ origin, rows, cols }) => [...origin, rows, cols])).toEqual([
      [0, 0, 1, 65536],
      [0, 65536, 1, 4464],
      [1, 0, 1, 65536],
      [1, 65536, 1, 4464],
    ]);
  });

  it("is a picture in SVG that needs nothing else", () => {
    const data = corner("f32[3,5]{1,0:T(2,2)}", 4, 6);
    const theme = { tiles: ["#ff0000"], background: "#ffffff" } as unknown as GridTheme;
    const part = { title: "a < b & c", data, rowName: String, colName: String };
    const svg = svgOf([part, part], theme);
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
    expect(parsed.querySelectorAll("g")).toHaveLength(2);
    expect(svg.match(/url\(#padding\)/g)).toHaveLength(18);
    expect(svg).toContain(">17</text>");
    expect(svg).toContain("a &lt; b &amp; c");
    expect(svg).not.toMatch(/var\(|color-mix|undefined cell/);
  });

  it("leaves room for titles longer than their grids", () => {
    const data = corner("f32[1,1]", 1, 1);
    const part = { title: "t".repeat(60), data, rowName: String, colName: String };
    const svg = svgOf([part, part], { tiles: ["#ff0000"] } as unknown as GridTheme);
    const second = Number(/translate\(([\d.]+) /.exec(svg.slice(svg.indexOf("</g>")))?.[1]);
    expect(second).toBeGreaterThan(60 * 7);
  });

  it("is a picture of pixels that a browser can make", () => {
    expect(densityOf(800, 600)).toBe(2);
    for (const [width, height] of [
      [5000, 12_000],
      [200, 40_000],
      [30_000, 30_000],
    ] as const) {
      const density = densityOf(width, height);
      expect(Math.max(width, height) * density).toBeLessThanOrEqual(16_001);
      expect(width * height * density * density).toBeLessThanOrEqual(48_000_001);
    }
  });

  it("has colours that every program knows", () => {
    expect(mixColours("#000000", "#ff8000", 0.5)).toBe("#804000");
    expect(mixColours("white", "#ff8000", 0.2)).toBe("white");
    expect(shapeName("f32[3,5]{1,0:T(2,2)}")).toBe("f32_3_5_1_0_T_2_2");
  });
});

describe("padding", () => {
  const rect = { row: 0, col: 0, rows: 1, cols: 8 };
  /** What the two slots of padding say, and what padding holds. */
  const padding = (shape: string) => {
    const { info, tiling } = layout(shape);
    const answer = engine.linearWindow(info.subject, 0, 8);
    const cells = memoryCells(info, tiling, defaultAxes(2), look, rect, 8, answer, new Map());
    const texts = [...cells.text].filter((_, i) => cells.kind[i] === PADDING);
    return { texts, value: paddingValue(info) };
  };

  it("says what it holds where the layout does, and nothing elsewhere", () => {
    expect(padding("s32[2,3]{1,0:T(2,2)}")).toEqual({ texts: ["", ""], value: null });
    expect(padding("s32[2,3]{1,0:PAD(2,4;9)}")).toEqual({ texts: ["9", "9"], value: "9" });
    expect(words.grid.paddingOf("0")).toContain("value 0");
  });
});

describe("colours of many things", () => {
  it("differ between neighbours, and between rows of a picture", () => {
    for (let n = 0; n < 5000; n++) {
      for (const apart of [1, 8, 16, 32, 64, 128]) {
        expect(spread(n)).not.toBe(spread(n + apart));
      }
      expect(spread(n)).toBeLessThan(8);
    }
  });
});

describe("texts in cells", () => {
  it("shrink a little rather than lose their end", () => {
    expect(textSize(60, 28, 3)).toBe(13);
    const size = textSize(37, 28, 5);
    expect(size).toBeGreaterThanOrEqual(9);
    expect(size * 0.6 * 5).toBeLessThanOrEqual(33.001);
    expect(textSize(37, 28, 20)).toBe(9);
  });
});

describe("axes", () => {
  it("are written into links where they are not the usual ones", () => {
    expect(axesText(defaultAxes(3))).toBe("");
    const axes = { ...defaultAxes(3), row: 2, col: 0 };
    expect(axesText(axes)).toBe("2,0");
    expect(parseAxes("2,0", 3)).toEqual(axes);
    expect(parseAxes("-1,1", 3)).toMatchObject({ row: -1, col: 1 });
    for (const text of ["", "3,0", "1,1", "x", "1,2,0", "-2,0"]) {
      expect(parseAxes(text, 3)).toEqual(defaultAxes(3));
    }
  });

  it("lead from cells to elements and back", () => {
    const axes = { row: 2, col: 0, fixed: [0, 3, 0] };
    expect(indexAt(axes, 4, 5)).toEqual([5, 3, 4]);
    expect(cellOf(axes, [5, 3, 4])).toEqual({ row: 4, col: 5 });
    expect(cellOf(axes, [5, 2, 4])).toBeNull();
    expect(sliceThrough(axes, [5, 2, 4]).fixed).toEqual([0, 2, 0]);
    expect(defaultAxes(1)).toEqual({ row: -1, col: 0, fixed: [0] });
    expect(indexAt(defaultAxes(0), 0, 0)).toEqual([]);
  });
});

describe("the hexdump", () => {
  it("shows the byte in the middle, within the value", () => {
    expect(firstByte(0, 96)).toBe(0);
    expect(firstByte(1000, 4096)).toBe(928);
    expect(firstByte(4095, 4096)).toBe(4096 - 128);
  });
});

describe("the blocks that were read", () => {
  const { info, tiling } = layout("bf16[4096,14336]{1,0:T(8,128)(2,1)}");
  const scales = memoryScales(info, tiling, 128);
  const [whole, tiles] = [scales[0], scales.find(({ name }) => name === "tiles")];
  if (!whole || !tiles) throw new Error("no scales");
  const cells = emptyCells({ row: 2, col: 0, rows: 1, cols: 2 });
  const spots = [0, 1].map((col) => ({
    index: [0, col],
    offset: (2 * whole.line + col) * whole.block,
  }));
  const blocks = { scale: whole, cells, spots };

  it("are those of their scale alone", () => {
    expect(spotAmong(blocks, whole, { row: 2, col: 1 })).toBe(spots[1]);
    expect(spotAmong(blocks, tiles, { row: 2, col: 1 })).toBeUndefined();
  });

  it("are a part of it", () => {
    expect(spotAmong(blocks, whole, { row: 1, col: 1 })).toBeUndefined();
    expect(spotAmong(blocks, whole, { row: 2, col: 2 })).toBeUndefined();
    expect(spotAmong(null, whole, { row: 2, col: 1 })).toBeUndefined();
  });
});
