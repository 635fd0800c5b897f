// @vitest-environment node
/** What compiled programs take of the machine's memory when they are executed again and again. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadEngine } from "./setup";

/** The memory of the engine that grew last. */
let memory: WebAssembly.Memory | null = null;
const { grow } = WebAssembly.Memory.prototype;
beforeAll(() => {
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number) {
    memory = this;
    return grow.call(this, pages);
  };
});
afterAll(() => {
  WebAssembly.Memory.prototype.grow = grow;
});

type Size = readonly [rows: number, columns: number];

/** Arrays of many sizes, one made of the other: each is turned, and both are multiplied. */
function program(first: Size, sizes: readonly Size[]): string {
  const lines = [`x0 = f32[${first}] parameter(0)`, "zero = f32[] constant(0)"];
  let from = first;
  sizes.forEach(([m, n], i) => {
    const padding = `0_${m - from[0]}x0_${n - from[1]}`;
    lines.push(
      `p${i} = f32[${m},${n}] pad(x${i}, zero), padding=${padding}`,
      `t${i} = f32[${n},${m}] transpose(p${i}), dimensions={1,0}`,
      `x${i + 1} = f32[${n},${n}] dot(t${i}, p${i}), lhs_contracting_dims={1},
        rhs_contracting_dims={0}`,
      `sum${i} = f32[] reduce(x${i + 1}, zero), dimensions={0,1}, to_apply=add`,
    );
    from = [n, n];
  });
  const sums = sizes.map((_, i) => `sum${i}`);
  return `add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
    ENTRY e { ${lines.join("\n")}
      ROOT r = (${sums.map(() => "f32[]")}) tuple(${sums}) }`;
}

describe("a program that is executed again", () => {
  const START: Size = [700, 700];
  const x = new Float32Array(START[0] * START[1]).fill(0.001);
  // biome-ignore format: sizes of one program to a line
  const programs: readonly (readonly Size[])[] = [
    [[1000, 1100], [1200, 1300], [900, 1000]],
    [[1500, 701], [1300, 1900], [800, 600]],
    [[700, 2100], [701, 701], [1400, 1000], [1501, 1201], [300, 301]],
  ];

  it.each(programs)("takes no more of the machine's memory: %j", async (...sizes) => {
    const engine = await loadEngine();
    const text = program(START, sizes);
    const f = engine.compile(text);
    memory = null;
    const expected = f(x);
    f(x);
    const taken = (memory as WebAssembly.Memory | null)?.buffer.byteLength ?? 0;
    for (let i = 0; i < 6; i++) expect(f(x)).toEqual(expected);
    expect((memory as WebAssembly.Memory | null)?.buffer.byteLength ?? 0).toBe(taken);
    // What is live at one time, and little besides: the engine itself has begun with 16 MiB.
    const peak = engine.programMemory(text).spaces[0]?.peakBytes ?? 0;
    expect(taken - 2 ** 24).toBeLessThan(1.2 * peak + x.byteLength);
  });

  it("has the memory of a result that was given back for the next one", async () => {
    const engine = await loadEngine();
    const N = 2 ** 22;
    const f = engine.compile(
      `ENTRY e { x = f32[${N}] parameter(0)  ROOT y = f32[${N}] negate(x) }`,
    );
    const make = engine.compile(`ENTRY e { ROOT x = f32[${N}] iota(), iota_dimension=0 }`);
    const [iota] = make.keep();
    if (!iota) throw new Error("iota has a result");
    memory = null;
    for (const value of f.keep(iota)) value.free();
    const taken = (memory as WebAssembly.Memory | null)?.buffer.byteLength ?? 0;
    for (const value of f.keep(iota)) value.free();
    expect((memory as WebAssembly.Memory | null)?.buffer.byteLength ?? 0).toBe(taken);
  });
});
