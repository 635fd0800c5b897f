// @vitest-environment node
/** The full build with threads: the same bits as with one, in kernels and in code that is generated. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalEngine } from "../../wasm/index";
import { loadEngine } from "./setup";
import { createThreaded, type Threaded } from "./threads_setup";

const PROGRAM = `add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] maximum(a, b) }
ENTRY e {
  x = f32[512,640] parameter(0)
  y = f32[640,384] parameter(1)
  zero = f32[] constant(0)
  low = f32[] constant(-inf)
  product = f32[512,384] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  most = f32[512] reduce(x, low), dimensions={1}, to_apply=max
  spread = f32[512,640] broadcast(most), dimensions={0}
  less = f32[512,640] subtract(x, spread)
  power = f32[512,640] exponential(less)
  total = f32[512] reduce(power, zero), dimensions={1}, to_apply=add
  totals = f32[512,640] broadcast(total), dimensions={0}
  softmax = f32[512,640] divide(power, totals)
  wave = f32[512,640] sine(x)
  mixed = f32[512,640] multiply(wave, power)
  across = f32[640] reduce(x, zero), dimensions={0}, to_apply=add
  turned = f32[640,512] transpose(mixed), dimensions={1,0}
  sorted = f32[512,640] sort(x), dimensions={1}, to_apply=less
  ROOT all = (f32[512,384], f32[512,640], f32[640], f32[640,512], f32[512,640])
    tuple(product, softmax, across, turned, sorted)
}
`.replace(
  "ENTRY",
  "less { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = pred[] compare(a, b), direction=LT }\nENTRY",
);

/** Each element takes as many turns as it takes: steps are counted in all threads. */
const LOOPS = `cond { s = (f32[], s32[]) parameter(0)  x = f32[] get-tuple-element(s), index=0
  limit = f32[] constant(1e30)  ROOT lt = pred[] compare(x, limit), direction=LT }
body { s = (f32[], s32[]) parameter(0)  x = f32[] get-tuple-element(s), index=0
  n = s32[] get-tuple-element(s), index=1  f = f32[] constant(2)  one = s32[] constant(1)
  y = f32[] multiply(x, f)  m = s32[] add(n, one)  ROOT t = (f32[], s32[]) tuple(y, m) }
turns { x = f32[] parameter(0)  two = f32[] constant(2)  y = f32[] add(x, two)  z = s32[] constant(0)
  s = (f32[], s32[]) tuple(y, z)  w = (f32[], s32[]) while(s), condition=cond, body=body
  ROOT n = s32[] get-tuple-element(w), index=1 }
ENTRY e { x = f32[300000] parameter(0)  ROOT m = s32[300000] map(x), dimensions={0}, to_apply=turns }`;

const OPERATIONS = readFileSync(new URL("../data/threads/operations.hlo", import.meta.url), "utf8");

const numbers = (count: number, seed: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(i * seed));
const X = numbers(512 * 640, 1.37);
const Y = numbers(640 * 384, 0.71);

let plain: LocalEngine;
let threaded: Threaded;
beforeAll(async () => {
  plain = await loadEngine();
  threaded = await createThreaded();
});
afterAll(() => threaded.end());

/** The bytes of all results, after as many calls as it takes for code to be made. */
function bytesOf(engine: LocalEngine): Uint8Array[] {
  const call = engine.compile(PROGRAM);
  let results: ArrayBufferView[] = [];
  for (let i = 0; i < 4; i++) results = call(X, Y);
  call.release();
  return results.map((data) => new Uint8Array(data.buffer.slice(0)));
}

describe("an engine with threads", () => {
  it("gives the same bits for any number of threads", async () => {
    const expected = bytesOf(plain);
    for (const count of [1, 2, 4, 2]) {
      await threaded.use(count);
      bytesOf(threaded.engine).forEach((bytes, i) => {
        expect(bytes.buffer instanceof ArrayBuffer).toBe(true);
        expect(Buffer.compare(bytes, expected[i] ?? new Uint8Array())).toBe(0);
      });
    }
  });

  it("does so where operations have to know which elements are whose", async () => {
    const options = { inputs: Array(6).fill("random"), trace: false, fingerprint: true };
    const expected = plain.run(OPERATIONS, options);
    expect(expected.diagnostics).toEqual([]);
    expect(expected.threads).toBeUndefined();
    await threaded.use(2);
    const run = threaded.engine.run(OPERATIONS, options);
    expect(run.fingerprint).toBe(expected.fingerprint);
    expect(run.threads).toBe(2);
    const alone = threaded.engine.run(OPERATIONS, { ...options, threads: "one" });
    expect(alone.fingerprint).toBe(expected.fingerprint);
    expect(alone.threads).toBeUndefined();
  });

  it("counts what a product hands on in all threads", async () => {
    const [m, n] = [96, 256];
    const text = `ENTRY e {
      x = f32[8,${m},64] parameter(0)  y = f32[8,64,${n}] parameter(1)  b = f32[${n}] parameter(2)
      p = f32[8,${m},${n}] dot(x, y), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2},
        rhs_contracting_dims={1}
      s = f32[8,${m},${n}] broadcast(b), dimensions={2}  a = f32[8,${m},${n}] add(p, s)
      ROOT t = f32[8,${m},${n}] tanh(a) }`;
    const inputs = [numbers(8 * m * 64, 1.1), numbers(8 * 64 * n, 0.3), numbers(n, 0.7)];
    const [expected] = plain.compile(text)(...inputs);
    await threaded.use(2);
    const program = threaded.engine.compile(text);
    // A count that threads share loses some, now and then: the run says then that parts are missing.
    for (let i = 0; i < 200; ++i) program(...inputs);
    expect(program(...inputs)[0]).toEqual(expected);
  });

  it("counts what loops execute in all threads, and ends them at their limits", async () => {
    const options = { inputs: ["iota"], trace: false };
    const alone = plain.run(LOOPS, options);
    expect(alone.diagnostics).toEqual([]);
    await threaded.use(2);
    const run = threaded.engine.run(LOOPS, options);
    expect(run.diagnostics).toEqual([]);
    expect(run.steps).toBe(alone.steps);
    const [slow] = threaded.engine.run(LOOPS, { ...options, timeLimit: 0.02 }).diagnostics;
    expect(slow?.message).toContain("stopped after the time limit");
    const [many] = threaded.engine.run(LOOPS, { ...options, stepLimit: 20_000 }).diagnostics;
    expect(many?.message).toContain("stopped after the limit of 20000 steps");
    expect(threaded.engine.run(LOOPS, options).steps).toBe(alone.steps);
  });
});
