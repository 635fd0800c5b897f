/**
 * The cases of the benchmark: the one list of them, for the page of the visitor (`?bench`) and for
 * `make bench`. Sizes, names and numbers are those of the benchmark of other engines that
 * `make bench PEERS=folder` runs beside.
 */
import { oneHot, randomFloats, randomIndices, randomPairs, type Source } from "./data";
import { ARG_MAX, LOOP, MLP, TR, training, transformer } from "./models";
import { f32, program, size } from "./writer";

/** What a rate counts: operations on floats, bytes, elements, programs or iterations. */
export type Unit = "GFLOP/s" | "GB/s" | "M/s" | "k/s";

export interface BenchCase {
  /** Permanent, for links have it. */
  readonly name: string;
  readonly title: string;
  readonly unit: Unit;
  /** What a call does, so that `work / milliseconds / 1e6` is in the unit. */
  readonly work: number;
  /** Multiplications and additions that no way of computing it can avoid; 0 where others dominate. */
  readonly flops: number;
  /** Of operands and results, each once; 0 where they stay in registers. */
  readonly bytes: number;
  /** HLO. */
  program(): string;
  /** Elements of 32 bits for every parameter, in their order. */
  operands(): Source[];
  /** A sum of products alone, which may be fused multiply-adds. */
  readonly isSum?: boolean;
  /** How often a call runs the program; once if left out. */
  readonly repeats?: number;
}

const KB = 2 ** 10;
const M = 2 ** 22;
const SIDE = 4096;
const MILLION = 1_000_000;
const FFT = 2 ** 20;
const ROWS = 50_000;
const PICKED = 100_000;
const WIDTH = 64;

const floats = (dims: readonly number[], seed: number, scale?: number): Source =>
  randomFloats(size(dims), seed, scale);

function product(
  name: string,
  title: string,
  a: number[],
  b: number[],
  options: { type?: string; flops: number; turned?: boolean },
): BenchCase {
  const { type = "f32", flops, turned = false } = options;
  const shapes = [`${type}[${a}]`, `${type}[${b}]`];
  const text = (): string =>
    program(shapes, (w, x = "", y = "") => (turned ? w.dot(y, x) : w.dot(x, y)));
  const results = flops / 2 / (a.at(-1) ?? 1);
  return {
    name,
    title,
    unit: "GFLOP/s",
    work: flops,
    flops,
    bytes: (type === "f32" ? 4 : 2) * (size(a) + size(b) + results),
    program: text,
    operands: () => [floats(a, 1), floats(b, 2)],
    isSum: true,
  };
}

function convolution(
  name: string,
  title: string,
  side: number,
  kernel: [number, number, number, number],
  groups = 1,
): BenchCase {
  const [rows, columns, depth, outputs] = kernel;
  const image = [side, side, depth * groups];
  const pad = (rows - 1) / 2;
  const window = `window={size=${rows}x${columns}${pad ? ` pad=${pad}_${pad}x${pad}_${pad}` : ""}}`;
  const labels = groups > 1 ? `, feature_group_count=${groups}` : "";
  const flops = 2 * side * side * outputs * rows * columns * depth;
  return {
    name,
    title,
    unit: "GFLOP/s",
    work: flops,
    flops,
    bytes: 4 * (size(image) + size(kernel) + side * side * outputs),
    program: () =>
      program([f32(1, ...image), f32(...kernel)], (w, x = "", k = "") => {
        const attributes = `${window}, dim_labels=b01f_01io->b01f${labels}`;
        return w.op(f32(1, side, side, outputs), "convolution", [x, k], attributes);
      }),
    operands: () => [floats(image, 1), floats(kernel, 2)],
    isSum: true,
  };
}

/** A case that is bound by memory: `bytes` moved. */
function moving(
  name: string,
  title: string,
  bytes: number,
  text: () => string,
  operands: () => Source[],
  counted: { unit: Unit; work: number } = { unit: "GB/s", work: bytes },
): BenchCase {
  return { name, title, ...counted, flops: 0, bytes, program: text, operands };
}

const squares = [256, 512, 1024, 2048].map((n) =>
  product(`matmul${n}`, `Product of matrices, ${n} × ${n}`, [n, n], [n, n], { flops: 2 * n ** 3 }),
);
const narrow = ["f16", "bf16"].map((type) =>
  product(`matmul1024_${type}`, `Product of matrices, 1024, ${type}`, [KB, KB], [KB, KB], {
    type,
    flops: 2 * KB ** 3,
  }),
);

const products: readonly BenchCase[] = [
  ...squares,
  ...narrow,
  product("bmm8x256", "Eight products, 256 × 256", [8, 256, 256], [8, 256, 256], {
    flops: 8 * 2 * 256 ** 3,
  }),
  product("matvec4096", "Matrix times vector, 4096", [SIDE, SIDE], [SIDE], {
    flops: 2 * SIDE ** 2,
  }),
  product("vecmat4096", "Vector times matrix, 4096", [SIDE, SIDE], [1, SIDE], {
    flops: 2 * SIDE ** 2,
    turned: true,
  }),
  convolution("conv3x3", "Convolution 3 × 3, 64 channels", 56, [3, 3, 64, 64]),
  convolution("dwconv3x3", "Depthwise 3 × 3, 32 channels", 112, [3, 3, 1, 32], 32),
  convolution("conv1x1", "Convolution 1 × 1, 64 to 256", 56, [1, 1, 64, 256]),
];

const elementwise: readonly BenchCase[] = [
  moving(
    "chain4M",
    "Chain of tanh, exp, sqrt and others, 4 M",
    8 * M,
    () =>
      program([f32(M)], (w, x = "") => {
        const tanh = w.map("tanh", w.with("add", w.with("multiply", x, 1.5), 0.25));
        const exp = w.map("exponential", w.map("negate", x));
        return w.map("add", w.map("multiply", tanh, exp), w.map("sqrt", w.map("abs", x)));
      }),
    () => [randomFloats(M, 1)],
  ),
  moving(
    "add4M",
    "x + y, 4 M",
    12 * M,
    () => program([f32(M), f32(M)], (w, x = "", y = "") => w.map("add", x, y)),
    () => [randomFloats(M, 1), randomFloats(M, 2)],
  ),
  moving(
    "exp4M",
    "exp(x), 4 M",
    8 * M,
    () => program([f32(M)], (w, x = "") => w.map("exponential", x)),
    () => [randomFloats(M, 1)],
  ),
  moving(
    "softmax",
    "Softmax of 4096 rows of 1024",
    8 * M,
    () => program([f32(SIDE, KB)], (w, x = "") => w.softmax(x)),
    () => [randomFloats(M, 1)],
  ),
  moving(
    "layernorm",
    "Layer norm of 4096 rows of 1024",
    8 * M,
    () =>
      program([f32(SIDE, KB), f32(KB), f32(KB)], (w, x = "", scale = "", offset = "") => {
        const scaled = w.map("multiply", w.normalized(x), w.spread(scale, 1, [SIDE, KB]));
        return w.map("add", scaled, w.spread(offset, 1, [SIDE, KB]));
      }),
    () => [randomFloats(M, 1), randomFloats(KB, 2), randomFloats(KB, 3)],
  ),
];

const square = (): Source[] => [floats([SIDE, SIDE], 1)];
const reductions: readonly BenchCase[] = [
  moving(
    "reduce0",
    "Sums of columns, 4096 × 4096",
    4 * SIDE ** 2,
    () => program([f32(SIDE, SIDE)], (w, x = "") => w.reduce(x, 0)),
    square,
  ),
  moving(
    "reduce1",
    "Sums of rows, 4096 × 4096",
    4 * SIDE ** 2,
    () => program([f32(SIDE, SIDE)], (w, x = "") => w.reduce(x, 1)),
    square,
  ),
  moving(
    "argmax",
    "Index of the largest, 4096 rows of 1024",
    4 * M,
    () => ARG_MAX,
    () => [randomFloats(M, 1)],
  ),
];

const picking = "start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}";
const placing =
  "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1";
const moves: readonly BenchCase[] = [
  moving(
    "transpose4096",
    "Transpose, 4096 × 4096",
    8 * SIDE ** 2,
    () => program([f32(SIDE, SIDE)], (w, x = "") => w.transpose(x, 1, 0)),
    square,
  ),
  moving(
    "gather100k",
    "100,000 rows of 64 gathered",
    8 * WIDTH * PICKED,
    () =>
      program([f32(ROWS, WIDTH), `s32[${PICKED}]`], (w, x = "", i = "") =>
        w.op(
          f32(PICKED, WIDTH),
          "gather",
          [x, i],
          `offset_dims={1}, collapsed_slice_dims={0}, ${picking}`,
        ),
      ),
    () => [floats([ROWS, WIDTH], 1), randomIndices(PICKED, ROWS)],
  ),
  moving(
    "scatter100k",
    "100,000 rows of 64 added",
    12 * WIDTH * PICKED,
    () =>
      program(
        [f32(ROWS, WIDTH), `s32[${PICKED}]`, f32(PICKED, WIDTH)],
        (w, x = "", i = "", u = "") =>
          w.op(f32(ROWS, WIDTH), "scatter", [x, i, u], `${placing}, to_apply=add`),
      ),
    () => [floats([ROWS, WIDTH], 1), randomIndices(PICKED, ROWS), floats([PICKED, WIDTH], 2)],
  ),
];

const orders: readonly BenchCase[] = [
  moving(
    "sort1M",
    "Sort of a million",
    8 * MILLION,
    () =>
      program([f32(MILLION)], (w, x = "") =>
        w.op(f32(MILLION), "sort", x, "dimensions={0}, to_apply=less"),
      ),
    () => [randomFloats(MILLION, 1)],
    { unit: "M/s", work: 1e3 * MILLION },
  ),
  moving(
    "cumsum1M",
    "Running sum of a million",
    8 * MILLION,
    () =>
      program([f32(MILLION)], (w, x = "") => {
        const window = `window={size=${MILLION} pad=${MILLION - 1}_0}`;
        return w.op(f32(MILLION), "reduce-window", [x, w.constant(0)], `${window}, to_apply=add`);
      }),
    () => [randomFloats(MILLION, 1, 0.001)],
  ),
  moving(
    "fft1M",
    "Fourier transform of 2²⁰",
    // Two real arrays are read, and the real parts written.
    12 * FFT,
    () =>
      program([f32(FFT), f32(FFT)], (w, re = "", im = "") => {
        const z = w.op(`c64[${FFT}]`, "complex", [re, im]);
        const attributes = `fft_type=FFT, fft_length={${FFT}}`;
        return w.op(f32(FFT), "real", w.op(`c64[${FFT}]`, "fft", z, attributes));
      }),
    () => randomPairs(FFT, 1),
    { unit: "GFLOP/s", work: 5 * FFT * 20 },
  ),
];

const { B, D } = MLP;
const WEIGHTS = D[0] * D[1] + D[1] * D[2] + D[2] * D[3];
const STEP_FLOPS = 2 * B * (3 * WEIGHTS - D[0] * D[1]);
const BLOCK_FLOPS = 2 * (4 * TR.S * TR.D ** 2 + 2 * TR.S ** 2 * TR.D + 2 * TR.S * TR.D * TR.F);
const models: readonly BenchCase[] = [
  {
    name: "mlp_train",
    title: "Training step, 784-512-512-10",
    unit: "GFLOP/s",
    work: 3 * 2 * B * WEIGHTS - 2 * B * D[0] * D[1],
    flops: STEP_FLOPS,
    bytes: 8 * WEIGHTS,
    program: training,
    operands: () => {
      const layers = [0, 1, 2].flatMap((l) => [
        floats(D.slice(l, l + 2), 10 + l, 0.05),
        floats(D.slice(l + 1, l + 2), 20 + l, 0.05),
      ]);
      return [floats([B, D[0]], 1), oneHot(B, D[3]), ...layers];
    },
  },
  {
    name: "transformer2",
    title: "Two transformer blocks, 128 × 256",
    unit: "GFLOP/s",
    work: TR.L * BLOCK_FLOPS,
    flops: TR.L * BLOCK_FLOPS,
    bytes: 4 * TR.L * (4 * TR.D ** 2 + 2 * TR.D * TR.F),
    program: transformer,
    operands: () => {
      const block = (l: number): Source[] =>
        [1, 2, 3, 4, 5, 6].map((k) =>
          floats(k < 5 ? [TR.D, TR.D] : [TR.D, TR.F], 30 + l * 10 + k, 0.06),
        );
      return [floats([TR.S, TR.D], 1), ...Array.from({ length: TR.L }, (_, l) => block(l)).flat()];
    },
  },
];

const small: readonly BenchCase[] = [
  {
    name: "tiny100",
    title: "A hundred programs of 16 elements",
    unit: "k/s",
    work: 100e6,
    flops: 0,
    bytes: 0,
    program: () => program([f32(16), f32(16)], (w, x = "", y = "") => w.map("add", x, y)),
    operands: () => [randomFloats(16, 1), randomFloats(16, 2)],
    repeats: 100,
  },
  {
    name: "loop10k",
    title: "Loop of 10,000 over 256 elements",
    unit: "M/s",
    work: 1e4 * 1e3,
    flops: 0,
    bytes: 0,
    program: () => LOOP,
    operands: () => [randomFloats(256, 1)],
  },
];

export const cases: readonly BenchCase[] = [
  ...products,
  ...elementwise,
  ...reductions,
  ...moves,
  ...orders,
  ...models,
  ...small,
];

/** What a time of a case comes to, in its unit. */
export const rateOf = ({ work }: BenchCase, ms: number): number => work / ms / 1e6;
