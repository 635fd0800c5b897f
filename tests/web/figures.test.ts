/** The pure parts of a value's pictures and figures; and the engine's answers they are made of. */
import { describe, expect, it } from "vitest";
import type { ValueFigures, ValueTiles } from "../../wasm/engine_api";
import { defaultAxes } from "../../web/src/ui/axes";
import { numberText } from "../../web/src/views/values/figures/Bits";
import {
  blockSize,
  colourAt,
  pixelsOf,
  placeOn,
  rangeOf,
  ticksOf,
  usualScale,
} from "../../web/src/views/values/figures/colours";
import { csvOf } from "../../web/src/views/values/figures/csv";
import { blockText } from "../../web/src/views/values/figures/HeatMap";
import { stepsOf } from "../../web/src/views/values/figures/Histogram";
import { grouped, indexOf, neighboursOf } from "../../web/src/views/values/figures/IntegerBits";
import {
  brightnessOf,
  fittingZoom,
  imageAxes,
  nextZoom,
} from "../../web/src/views/values/figures/image";
import { lineData } from "../../web/src/views/values/figures/LinePlot";
import { movedBlock } from "../../web/src/views/values/figures/painting";
import { statisticsRows } from "../../web/src/views/values/figures/Statistics";
import { parseSlice, readLook, sliceText, withLook } from "../../web/src/views/values/look";
import { engine } from "./engine";

const PROGRAM = `ENTRY e {
  ROOT x = f32[2,4] constant({{-2, 0, nan, 1}, {inf, 1e-40, 4, 4}})
}`;

const { handle } = engine.run(PROGRAM, {});
const ref = { handle, entry: "output", path: [] };
const options = { type: "f32" };

function figures(): ValueFigures {
  const found = engine.valueFigures(ref, options);
  if (!found) throw new Error("no figures");
  return found;
}
function tiles(mostCols: number): ValueTiles {
  const window = { origin: [0, 0], rowDim: 0, colDim: 1, rows: 2, cols: 4 };
  const found = engine.valueTiles(ref, options, window, 256, mostCols);
  if (!found) throw new Error("no tiles");
  return found;
}

describe("the engine", () => {
  it("counts what is finite and what is not", () => {
    const f = figures();
    expect(f).toMatchObject({ count: 8, finite: 6, min: -2, max: 4, nans: 1, infinities: 1 });
    expect(f).toMatchObject({ zeros: 1, denormals: 1, distinct: 5, moreDistinct: false });
    expect(engine.valueFigures({ ...ref, handle: 99999 }, options)).toBeNull();
  });
  it("makes blocks with marks, and bins", () => {
    const blocks = tiles(2);
    expect(blocks).toMatchObject({ rows: 2, cols: 2, rowStep: 1, colStep: 2 });
    expect([...blocks.marks]).toEqual([0, 1, 2, 0]);
    const bins = engine.valueHistogram(ref, { type: "f32", scale: "linear" }, 3);
    expect([...(bins?.counts ?? [])]).toEqual([1, 3, 2]);
    expect(bins?.leftOut).toBe(2);
  });
  it("says how a number looks in every float type", () => {
    const bf16 = engine.numberParts("0.1")?.types.find(({ type }) => type === "bf16");
    expect(bf16).toMatchObject({ sign: "0", exponent: "01111011", mantissa: "1001101" });
    expect(engine.numberParts("none")).toBeNull();
  });
});

describe("colours", () => {
  it("have one scale for an array: around 0, from end to end, or of magnitudes", () => {
    const f = figures();
    expect(usualScale(f)).toBe("diverging");
    expect(usualScale({ ...f, min: 0 })).toBe("sequential");
    expect(rangeOf("diverging", f)).toEqual({ scale: "diverging", low: -4, high: 4 });
    expect(ticksOf(rangeOf("sequential", f))).toEqual([-2, 1, 4]);
    const log = rangeOf("log", { ...f, leastMagnitude: 0.01, min: -100, max: 1 });
    expect(ticksOf(log)).toEqual([0.01, 1, 100]);
    expect(placeOn(log, -1)).toBe(0.5);
    expect(placeOn(log, 0)).toBe(0);
  });
  it("meet at white in the middle, also where numbers are as large as can be", () => {
    expect(colourAt("diverging", 0.5)).toEqual([247, 247, 247]);
    const most = { scale: "diverging", low: -Number.MAX_VALUE, high: Number.MAX_VALUE } as const;
    expect(placeOn(most, 0)).toBe(0.5);
    expect(placeOn({ scale: "sequential", low: 7, high: 7 }, 7)).toBe(0.5);
  });
  it("leave out what is not finite", () => {
    const range = { scale: "sequential", low: 0, high: 1 } as const;
    const pixels = pixelsOf(range, new Float64Array([0, Number.NaN, Infinity]));
    expect([pixels[3], pixels[7], pixels[11]]).toEqual([255, 0, 0]);
  });
});

describe("blocks", () => {
  it("are square, unless the picture would be a thread", () => {
    expect(blockSize(256, 256, { width: 600, height: 512 })).toEqual({ width: 2, height: 2 });
    const { width, height } = blockSize(1, 500, { width: 500, height: 400 });
    expect([width, height]).toEqual([1, 24]);
  });
  it("say what they hold", () => {
    const size = { rows: 2, cols: 4 };
    expect(blockText(tiles(4), { row: 1, col: 2 }, size)).toBe("row 1, column 2, 4");
    expect(blockText(tiles(2), { row: 0, col: 0 }, size)).toBe(
      "row 0, columns 0 to 1, mean -1, from -2 to 0",
    );
    expect(blockText(tiles(4), { row: 0, col: 2 }, size)).toBe("row 0, column 2, with NaN");
  });
  it("are moved between by keys", () => {
    expect(movedBlock("ArrowRight", { row: 0, col: 3 }, tiles(4))).toEqual({ row: 0, col: 3 });
    expect(movedBlock("ArrowDown", { row: 0, col: 3 }, tiles(4))).toEqual({ row: 1, col: 3 });
    expect(movedBlock("a", { row: 0, col: 3 }, tiles(4))).toBeNull();
  });
});

describe("plots", () => {
  it("give a bin of equal elements a width, and the last bin its edge", () => {
    const of = (edges: number[], counts: number[]) =>
      stepsOf({ edges: new Float64Array(edges), counts: new Float64Array(counts), leftOut: 0 });
    expect(of([7, 7], [3])).toEqual([
      [6.65, 7.35],
      [3, 3],
    ]);
    expect(of([0, 1, 2], [3, 4])).toEqual([
      [0, 1, 2],
      [3, 4, 4],
    ]);
  });
  it("have gaps where nothing is finite, and ranges where points are blocks", () => {
    expect(lineData(tiles(4), 4)).toHaveLength(2);
    expect([...(lineData(tiles(4), 4)[1] ?? [])].slice(0, 4)).toEqual([-2, 0, null, 1]);
    expect(lineData(tiles(2), 4)).toHaveLength(4);
    expect(lineData(tiles(2), 4)[0]).toEqual([0.5, 2.5]);
  });
});

it("arrays are lines of a .csv file, with an index before them from three dimensions on", async () => {
  const csv = async (shape: string): Promise<string> => {
    const made = engine.run(`ENTRY e { ROOT x = ${shape} iota(), iota_dimension=0 }`, {});
    const output = { handle: made.handle, entry: "output", path: [] };
    if (!made.output) throw new Error("no output");
    return csvOf(made.output, output, async (...args) => engine.valueWindow(...args));
  };
  expect(await csv("s32[2,3]")).toBe("0,0,0\n1,1,1\n");
  expect(await csv("s32[3]")).toBe("0,1,2\n");
  expect(await csv("s32[2,2,1]")).toBe("0,0,0\n0,1,0\n1,0,1\n1,1,1\n");
});

it("statistics are rows with shares", () => {
  const rows = statisticsRows(figures());
  expect(rows).toContainEqual(["NaN", "1", "13 %"]);
  expect(rows).toContainEqual(["distinct values", "5", ""]);
  expect(rows.some(([name]) => name === "median")).toBe(true);
});

it("numbers are texts that the engine reads exactly", () => {
  expect([-0, Number.NaN, -Infinity, 1e-40].map(numberText)).toEqual([
    "-0",
    "nan",
    "-inf",
    "1e-40",
  ]);
});

describe("images", () => {
  it("find their dimensions: colours last, or before rows and columns", () => {
    const places = (dims: number[]): number[] => {
      const { row, col, channel = -2 } = imageAxes(dims);
      return [row, col, channel];
    };
    expect(places([8, 9])).toEqual([0, 1, -1]);
    expect(places([8, 9, 3])).toEqual([0, 1, 2]);
    expect(places([3, 8, 9])).toEqual([1, 2, 0]);
    expect(places([2, 4, 8, 9])).toEqual([2, 3, 1]);
    expect(places([2, 8, 9, 1])).toEqual([1, 2, 3]);
    expect(places([7])).toEqual([-1, 0, -1]);
    expect(places([])).toEqual([-1, -1, -1]);
  });
  it("are as bright as is chosen, and fit where there is room", () => {
    expect(brightnessOf("fit", { min: -1, max: 4 })).toEqual({ low: -1, high: 4 });
    expect(brightnessOf("0,255", { min: -1, max: 4 })).toEqual({ low: 0, high: 255 });
    expect(brightnessOf("0,x", { min: -1, max: 4 })).toEqual({ low: -1, high: 4 });
    expect(fittingZoom(10, 20, { width: 100, height: 100 })).toBe(5);
    expect(fittingZoom(400, 200, { width: 100, height: 100 })).toBe(0.25);
    expect(nextZoom(1, 1)).toBe(2);
    expect(nextZoom(0.25, -1)).toBe(0.25);
  });
  it("come from the engine, a pixel an element", () => {
    const spec = { origin: [0, 0], rowDim: 0, colDim: 1, rows: 2, cols: 4 };
    const image = engine.valueImage(
      ref,
      options,
      { ...spec, channelDim: -1, low: -2, high: 4 },
      64,
      64,
    );
    expect(image).toMatchObject({ rows: 2, cols: 4, step: 1, channels: 1, nans: 1 });
    expect([...(image?.pixels.slice(0, 4) ?? [])]).toEqual([0, 0, 0, 255]);
    expect(image?.pixels[11]).toBe(0);
  });
});

it("an array that is kept answers as the value that it was made from", () => {
  const value = engine.keepArray({ files: [{ bytes: engine.valueNpy(ref) }] }, options);
  expect(value).toBeGreaterThan(0);
  const kept = { value } as unknown as typeof ref;
  expect(engine.valueFigures(kept, options)).toEqual(engine.valueFigures(ref, options));
  engine.release(value);
  expect(engine.valueFigures(kept, options)).toBeNull();
  expect(engine.keepArray({ files: [{ bytes: new Uint8Array(3) }] }, options)).toBe(0);
});

it("the look of a value is one text, of which links have what is not usual", () => {
  const look = withLook(withLook("", "scale", "log"), "axes", "r,c,3");
  expect(look).toBe("scale:log/axes:r,c,3");
  expect(withLook(look, "scale", "")).toBe("axes:r,c,3");
  expect([...readLook("::/a/b:1:2/")]).toEqual([["b", "1:2"]]);
  const usual = defaultAxes(3);
  expect(parseSlice("r,c,3", [5, 6, 7], usual)).toEqual({ row: 0, col: 1, fixed: [0, 0, 3] });
  expect(sliceText({ row: 0, col: 1, fixed: [0, 0, 3] }, usual)).toBe("r,c,3");
  for (const bad of ["", "r,c", "r,r,c", "r,c,7", "r,c,x", "r,c,-1"]) {
    expect(parseSlice(bad, [5, 6, 7], usual)).toBe(usual);
  }
  expect(sliceText(usual, usual)).toBe("");
});

it("small integers share bytes, in row-major order", () => {
  expect(neighboursOf([1, 2], [2, 3], 4)).toEqual({ byte: 2, shift: 4, elements: [4, 5] });
  expect(neighboursOf([1, 2], [2, 3], 2)).toEqual({ byte: 1, shift: 2, elements: [4, 5] });
  expect(indexOf(5, [2, 3])).toEqual([1, 2]);
  expect(grouped("111010")).toBe("11 1010");
  expect(engine.numberParts("-3")?.integers.find(({ type }) => type === "s4")).toMatchObject({
    bits: "1101",
    otherwise: "13",
  });
});
