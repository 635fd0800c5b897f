/** Inputs as cells and as archives: the pure parts, and what the engine makes of them. */
import { unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { assign, plainName, zipArrays } from "../../web/src/app/npz";
import { parseCells, pastedRows, withCells, writeCells } from "../../web/src/inputs/cells";
import { arraysOf } from "../../web/src/views/values/npz";
import { engine } from "./engine";

describe("elements that are written over", () => {
  it("are read, written and taken back", () => {
    const spec = "iota with [0,1] = 5, [2,2] = (1, 2)";
    expect(parseCells(spec)).toEqual({
      base: "iota",
      cells: [
        { index: [0, 1], text: "5" },
        { index: [2, 2], text: "(1, 2)" },
      ],
    });
    expect(writeCells(spec, [{ index: [0, 1], text: "-7" }])).toBe(
      "iota with [2,2] = (1, 2), [0,1] = -7",
    );
    expect(writeCells("iota with [0,1] = 5", [{ index: [0, 1], text: "" }])).toBe("iota");
    expect(writeCells("", [{ index: [], text: "nan" }])).toBe("with [] = nan");
    expect(withCells("zero", [])).toBe("zero");
  });
  it("stay what they are where they cannot be read", () => {
    for (const spec of ["", "sin(i0)", "without [1] = 2", "iota with [x] = 2", "iota with [1] 2"]) {
      const { base, cells } = parseCells(spec);
      if (cells.length === 0) expect(base).toBe(spec);
    }
    expect(parseCells("iota with [x] = 2").base).toBe("iota with [x] = 2");
  });
  it("are pasted from spreadsheets and texts", () => {
    expect(pastedRows("1\t2\r\n3\t\n")).toEqual([
      ["1", "2"],
      ["3", ""],
    ]);
    expect(pastedRows("1, 2;3")).toEqual([["1", "2", "3"]]);
  });
  it("are what the engine reads", () => {
    const program = "ENTRY e { ROOT x = s32[2,2] parameter(0) }";
    const inputs = [writeCells("iota", [{ index: [1, 0], text: "-9" }])];
    expect(engine.run(program, { inputs }).output?.preview).toBe("{{0, 1}, {-9, 3}}");
    expect(engine.inputFaults(program, 0, "iota with [2,0] = 1")).toMatchObject([
      { range: [11, 12] },
    ]);
    const { handle } = engine.makeInput(program, { inputs }, 0);
    const text = engine.valueText({ handle, entry: "input:0", path: [] }, 10);
    expect(text).toBe("{{0, 1}, {-9, 3}}");
    engine.release(handle);
  });
});

describe("archives of arrays", () => {
  it("belong to inputs by name, by number, or in order, and only where they fit", () => {
    expect(
      assign(
        ["b", "a"],
        ["%a", "%b"],
        [
          [0, 1],
          [0, 1],
        ],
      ),
    ).toEqual([1, 0]);
    expect(
      assign(
        ["arr_1", "arr_0"],
        ["x", "y"],
        [
          [0, 1],
          [0, 1],
        ],
      ),
    ).toEqual([1, 0]);
    expect(assign(["one", "two", "three"], ["x", "y"], [[1], [0, 1], [0]])).toEqual([1, 0, null]);
    expect(assign(["x"], ["x", "y"], [[1]])).toEqual([1]);
    expect(plainName("%dot.3/a")).toBe("dot.3_a");
  });
  it("are zip files of .npy files, with names of their own", async () => {
    async function* two(): AsyncGenerator<{ name: string; bytes: Uint8Array }> {
      yield { name: "x", bytes: new Uint8Array([1, 2, 3]) };
      yield { name: "x", bytes: new Uint8Array(3_000_000).fill(7) };
    }
    const chunks = await zipArrays(two());
    const files = unzipSync(new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer()));
    expect(Object.keys(files)).toEqual(["x.npy", "x_2.npy"]);
    expect([...(files["x.npy"] ?? [])]).toEqual([1, 2, 3]);
    expect(files["x_2.npy"]?.length).toBe(3_000_000);
  });
  it("hold the results, or every value that is held", () => {
    const run = engine.run(
      "ENTRY e { a = f32[2] constant({1, 2})  ROOT t = (f32[2], f32[2]) tuple(a, a) }",
      {},
    );
    expect(arraysOf({ run }, "results").map(({ name }) => name)).toEqual(["output_0", "output_1"]);
    expect(arraysOf({ run }, "values").map(({ name }) => name)).toEqual(["a", "t_0", "t_1"]);
  });
});
