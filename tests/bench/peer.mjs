// This engine as a peer of the benchmark that `make bench PEERS=folder` runs: the cases of that
// folder's lib/cases.mjs as HLO. It is copied there as hlo_peer.mjs, beside the package in hlo/, so
// that a browser finds both.
import { createEngine } from "./hlo/index.js";
import { MLP, oneHot, rnd, rndi, TR } from "./lib/cases.mjs";

const size = (dims) => dims.reduce((product, d) => product * d, 1);
const f32 = (...dims) => `f32[${dims}]`;

/** Writes a program, an instruction at a time; every method returns the name of what it made. */
class Writer {
  #lines = [];
  #parameters = 0;
  #next = 0;
  shapes = new Map();

  op(shape, opcode, operands, attributes = "") {
    const name = `v${this.#next++}`;
    this.shapes.set(name, shape);
    this.#lines.push(
      `  ${name} = ${shape} ${opcode}(${operands})${attributes && `, ${attributes}`}`,
    );
    return name;
  }
  parameter(shape) {
    return this.op(shape, "parameter", this.#parameters++);
  }
  constant(value) {
    return this.op("f32[]", "constant", value);
  }
  dims(name) {
    return JSON.parse(this.shapes.get(name).replace(/^\w+/, ""));
  }
  /** Of operands of the same shape, or one. */
  map(opcode, ...operands) {
    return this.op(this.shapes.get(operands[0]), opcode, operands);
  }
  fill(value, ...dims) {
    return this.op(f32(...dims), "broadcast", this.constant(value), "dimensions={}");
  }
  /** Every element with a number. */
  with(opcode, x, value) {
    return this.map(opcode, x, this.fill(value, ...this.dims(x)));
  }
  /** An array of which x is the part along these dimensions, everywhere the same. */
  spread(x, along, dims) {
    return this.op(f32(...dims), "broadcast", x, `dimensions={${along}}`);
  }
  reduce(x, d, reducer = "add") {
    const dims = this.dims(x).filter((_, i) => i !== d);
    const init = this.constant(reducer === "max" ? "-inf" : 0);
    return this.op(f32(...dims), "reduce", [x, init], `dimensions={${d}}, to_apply=${reducer}`);
  }
  /**
   * The product over dimensions ka and kb, of matrices as usual by default; of three dimensions the
   * first is a batch.
   */
  dot(a, b, [ka, kb] = [this.dims(a).length - 1, Math.max(0, this.dims(b).length - 2)]) {
    const [da, db] = [this.dims(a), this.dims(b)];
    const batch = da.length === 3 ? "lhs_batch_dims={0}, rhs_batch_dims={0}, " : "";
    const free = (dims, k) => dims.filter((_, i) => i !== k && !(batch && i === 0));
    const shape = [...(batch ? [da[0]] : []), ...free(da, ka), ...free(db, kb)];
    const attributes = `${batch}lhs_contracting_dims={${ka}}, rhs_contracting_dims={${kb}}`;
    const type = this.shapes.get(a).replace(/\[.*/, "");
    return this.op(`${type}[${shape}]`, "dot", [a, b], attributes);
  }
  transpose(x, ...order) {
    const dims = this.dims(x);
    return this.op(f32(...order.map((d) => dims[d])), "transpose", x, `dimensions={${order}}`);
  }
  reshape(x, ...dims) {
    return this.op(f32(...dims), "reshape", x);
  }
  /** Rows of a matrix, or the innermost ones of three dimensions, sum to 1. */
  softmax(x) {
    const dims = this.dims(x);
    const last = dims.length - 1;
    const kept = dims.map((_, i) => i).slice(0, last);
    const top = this.spread(this.reduce(x, last, "max"), kept, dims);
    const e = this.map("exponential", this.map("subtract", x, top));
    return this.map("divide", e, this.spread(this.reduce(e, last), kept, dims));
  }
  normalized(x) {
    const dims = this.dims(x);
    const mean = this.with("multiply", this.reduce(x, 1), 1 / dims[1]);
    const centred = this.map("subtract", x, this.spread(mean, 0, dims));
    const squares = this.reduce(this.map("multiply", centred, centred), 1);
    const variance = this.with("add", this.with("multiply", squares, 1 / dims[1]), 1e-5);
    return this.map("multiply", centred, this.spread(this.map("rsqrt", variance), 0, dims));
  }
  gelu(x) {
    const erf = this.map("erf", this.with("multiply", x, Math.SQRT1_2));
    return this.map("multiply", this.with("multiply", x, 0.5), this.with("add", erf, 1));
  }
  /** The text; results in a tuple if there are several. */
  text(...results) {
    const shapes = results.map((name) => this.shapes.get(name));
    const root = results.length > 1 ? this.op(`(${shapes})`, "tuple", results) : results[0];
    const lines = this.#lines.join("\n").replace(`  ${root} =`, `  ROOT ${root} =`);
    return `HloModule m\n${COMPUTATIONS}\nENTRY e {\n${lines}\n}\n`;
  }
}

const scalars = (name, result, ...types) =>
  `${name} {\n${types.map((type, i) => `  p${i} = ${type}[] parameter(${i})\n`).join("")}  ROOT r = ${result}\n}`;
const COMPUTATIONS = [
  scalars("add", "f32[] add(p0, p1)", "f32", "f32"),
  scalars("max", "f32[] maximum(p0, p1)", "f32", "f32"),
  scalars("less", "pred[] compare(p0, p1), direction=LT", "f32", "f32"),
].join("\n");

const ARG_MAX = `HloModule m
arg_max {
  a = f32[] parameter(0)
  i = s32[] parameter(1)
  b = f32[] parameter(2)
  j = s32[] parameter(3)
  above = pred[] compare(a, b), direction=GT
  is_nan = pred[] compare(a, a), direction=NE
  first = pred[] or(above, is_nan)
  value = f32[] select(first, a, b)
  equal = pred[] compare(a, b), direction=EQ
  before = pred[] compare(i, j), direction=LT
  tie = pred[] and(equal, before)
  here = pred[] or(first, tie)
  index = s32[] select(here, i, j)
  ROOT r = (f32[], s32[]) tuple(value, index)
}
ENTRY e {
  x = f32[4096,1024] parameter(0)
  i = s32[4096,1024] iota(), iota_dimension=1
  low = f32[] constant(-inf)
  zero = s32[] constant(0)
  r = (f32[4096], s32[4096]) reduce(x, i, low, zero), dimensions={1}, to_apply=arg_max
  ROOT y = s32[4096] get-tuple-element(r), index=1
}
`;

const LOOP = `HloModule m
body {
  s = (s32[], f32[256]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[256] get-tuple-element(s), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  c = f32[] constant(0.9)
  d = f32[] constant(0.3)
  cs = f32[256] broadcast(c), dimensions={}
  ds = f32[256] broadcast(d), dimensions={}
  m = f32[256] multiply(x, cs)
  a = f32[256] add(m, ds)
  y = f32[256] sine(a)
  ROOT t = (s32[], f32[256]) tuple(next, y)
}
condition {
  s = (s32[], f32[256]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(10000)
  ROOT less = pred[] compare(i, n), direction=LT
}
ENTRY e {
  x = f32[256] parameter(0)
  zero = s32[] constant(0)
  s = (s32[], f32[256]) tuple(zero, x)
  w = (s32[], f32[256]) while(s), condition=condition, body=body
  ROOT y = f32[256] get-tuple-element(w), index=1
}
`;

function transformer() {
  const { S, D, H, F, L } = TR;
  const w = new Writer();
  let h = w.parameter(f32(S, D));
  const layers = Array.from({ length: L }, () =>
    [
      [D, D],
      [D, D],
      [D, D],
      [D, D],
      [D, F],
      [F, D],
    ].map((dims) => w.parameter(f32(...dims))),
  );
  for (const [q0, k0, v0, o, a, b] of layers) {
    const n = w.normalized(h);
    const heads = (weights) => w.transpose(w.reshape(w.dot(n, weights), S, H, D / H), 1, 0, 2);
    const [q, k, v] = [q0, k0, v0].map(heads);
    const scores = w.with("multiply", w.dot(q, k, [2, 2]), 1 / Math.sqrt(D / H));
    const mixed = w.reshape(w.transpose(w.dot(w.softmax(scores), v), 1, 0, 2), S, D);
    h = w.map("add", h, w.dot(mixed, o));
    h = w.map("add", h, w.dot(w.gelu(w.dot(w.normalized(h), a)), b));
  }
  return w.text(h);
}

/** A step of gradient descent: the loss, and the parameters after it. */
function training() {
  const { B, D } = MLP;
  const w = new Writer();
  const [x, y] = [w.parameter(f32(B, D[0])), w.parameter(f32(B, D[3]))];
  const layers = [0, 1, 2].map((l) => [
    w.parameter(f32(D[l], D[l + 1])),
    w.parameter(f32(D[l + 1])),
  ]);
  const inputs = [x];
  let h = x;
  layers.forEach(([weights, bias], l) => {
    h = w.map("add", w.dot(h, weights), w.spread(bias, 1, [B, D[l + 1]]));
    if (l < 2) h = w.map("maximum", h, w.fill(0, B, D[l + 1]));
    inputs.push(h);
  });
  const p = w.softmax(h);
  const picked = w.reduce(w.reduce(w.map("multiply", w.map("log", p), y), 1), 0);
  const loss = w.map("multiply", picked, w.constant(-1 / B));
  let gradient = w.with("multiply", w.map("subtract", p, y), 1 / B);
  const after = [];
  for (let l = 2; l >= 0; --l) {
    const [weights, bias] = layers[l];
    const step = (value, slope) => w.map("subtract", value, w.with("multiply", slope, 0.01));
    after.unshift(
      step(weights, w.dot(inputs[l], gradient, [0, 0])),
      step(bias, w.reduce(gradient, 0)),
    );
    if (l === 0) break;
    const back = w.dot(gradient, weights, [1, 1]);
    const dims = w.dims(back);
    const on = w.op(`pred[${dims}]`, "compare", [inputs[l], w.fill(0, ...dims)], "direction=GT");
    gradient = w.op(f32(...dims), "select", [on, back, w.fill(0, ...dims)]);
  }
  return w.text(loss, ...after);
}

/** A program of one operand or several of these shapes; `build` gets the writer and their names. */
function program(shapes, build) {
  const w = new Writer();
  return w.text(build(w, ...shapes.map((shape) => w.parameter(shape))));
}

const M = 2 ** 22;
const SIDE = 4096;
const N = 1_000_000;
const random = (dims, seed, scale) => rnd(size(dims), seed, scale);
const product = (a, b) => [
  program([f32(...a), f32(...b)], (w, x, y) => w.dot(x, y)),
  random(a, 1),
  random(b, 2),
];
const convolution = (side, inputs, kernel, pad, labels = "") => {
  const [rows, columns, depth, outputs] = kernel;
  const window = `window={size=${rows}x${columns}${pad ? ` pad=${pad}_${pad}x${pad}_${pad}` : ""}}`;
  const text = program([f32(1, side, side, inputs), f32(...kernel)], (w, x, k) =>
    w.op(
      f32(1, side, side, outputs),
      "convolution",
      [x, k],
      `${window}, dim_labels=b01f_01io->b01f${labels}`,
    ),
  );
  return [text, random([side, side, inputs], 1), random([rows, columns, depth, outputs], 2)];
};

const LIMITS = { memoryLimit: 3 * 2 ** 30 };

/** By case: the program, then its operands. */
const CASES = {
  ...Object.fromEntries(
    [256, 512, 1024, 2048].map((n) => [`matmul${n}`, () => product([n, n], [n, n])]),
  ),
  bmm8x256: () => product([8, 256, 256], [8, 256, 256]),
  matvec4096: () => product([SIDE, SIDE], [SIDE]),
  vecmat4096: () => [
    program([f32(SIDE, SIDE), f32(1, SIDE)], (w, a, b) => w.dot(b, a)),
    random([SIDE, SIDE], 1),
    random([SIDE], 2),
  ],
  conv3x3: () => convolution(56, 64, [3, 3, 64, 64], 1),
  dwconv3x3: () => convolution(112, 32, [3, 3, 1, 32], 1, ", feature_group_count=32"),
  conv1x1: () => convolution(56, 64, [1, 1, 64, 256], 0),
  chain4M: () => [
    program([f32(M)], (w, x) => {
      const tanh = w.map("tanh", w.with("add", w.with("multiply", x, 1.5), 0.25));
      const exp = w.map("exponential", w.map("negate", x));
      return w.map("add", w.map("multiply", tanh, exp), w.map("sqrt", w.map("abs", x)));
    }),
    rnd(M, 1),
  ],
  add4M: () => [program([f32(M), f32(M)], (w, x, y) => w.map("add", x, y)), rnd(M, 1), rnd(M, 2)],
  exp4M: () => [program([f32(M)], (w, x) => w.map("exponential", x)), rnd(M, 1)],
  softmax: () => [program([f32(4096, 1024)], (w, x) => w.softmax(x)), rnd(M, 1)],
  layernorm: () => [
    program([f32(4096, 1024), f32(1024), f32(1024)], (w, x, scale, offset) => {
      const scaled = w.map("multiply", w.normalized(x), w.spread(scale, 1, [4096, 1024]));
      return w.map("add", scaled, w.spread(offset, 1, [4096, 1024]));
    }),
    rnd(M, 1),
    rnd(1024, 2),
    rnd(1024, 3),
  ],
  reduce0: () => [program([f32(SIDE, SIDE)], (w, x) => w.reduce(x, 0)), random([SIDE, SIDE], 1)],
  reduce1: () => [program([f32(SIDE, SIDE)], (w, x) => w.reduce(x, 1)), random([SIDE, SIDE], 1)],
  transpose4096: () => [
    program([f32(SIDE, SIDE)], (w, x) => w.transpose(x, 1, 0)),
    random([SIDE, SIDE], 1),
  ],
  gather100k: () => [
    program([f32(50000, 64), "s32[100000]"], (w, x, i) =>
      w.op(
        f32(100000, 64),
        "gather",
        [x, i],
        "offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,64}",
      ),
    ),
    random([50000, 64], 1),
    rndi(1e5, 50000),
  ],
  scatter100k: () => [
    program([f32(50000, 64), "s32[100000]", f32(100000, 64)], (w, x, i, u) =>
      w.op(
        f32(50000, 64),
        "scatter",
        [x, i, u],
        "update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add",
      ),
    ),
    random([50000, 64], 1),
    rndi(1e5, 50000),
    random([100000, 64], 2),
  ],
  sort1M: () => [
    program([f32(N)], (w, x) => w.op(f32(N), "sort", x, "dimensions={0}, to_apply=less")),
    rnd(N, 1),
  ],
  cumsum1M: () => [
    program([f32(N)], (w, x) =>
      w.op(
        f32(N),
        "reduce-window",
        [x, w.constant(0)],
        `window={size=${N} pad=${N - 1}_0}, to_apply=add`,
      ),
    ),
    rnd(N, 1, 0.001),
  ],
  fft1M: () => [
    program([f32(2 ** 20), f32(2 ** 20)], (w, re, im) => {
      const z = w.op(`c64[${2 ** 20}]`, "complex", [re, im]);
      return w.op(
        f32(2 ** 20),
        "real",
        w.op(`c64[${2 ** 20}]`, "fft", z, `fft_type=FFT, fft_length={${2 ** 20}}`),
      );
    }),
    ...[0, 1].map((odd) => rnd(2 ** 21, 1).filter((_, i) => i % 2 === odd)),
  ],
  argmax: () => [ARG_MAX, rnd(M, 1)],
  mlp_train: () => {
    const { B, D } = MLP;
    const layers = [0, 1, 2].flatMap((l) => [
      random([D[l], D[l + 1]], 10 + l, 0.05),
      random([D[l + 1]], 20 + l, 0.05),
    ]);
    return [training(), random([B, D[0]], 1), oneHot(B, D[3]), ...layers];
  },
  transformer2: () => {
    const { S, D, F, L } = TR;
    const layer = (l) =>
      [1, 2, 3, 4, 5, 6].map((k) => random(k < 5 ? [D, D] : [D, F], 30 + l * 10 + k, 0.06));
    return [
      transformer(),
      random([S, D], 1),
      ...Array.from({ length: L }, (_, l) => layer(l)).flat(),
    ];
  },
  loop10k: () => [LOOP, rnd(256, 1)],
};

/** What stays in the engine: the result of a program of one operand and one result. */
function resident(engine, text, data) {
  const call = engine.compile(text);
  const [value] = call.keep(data);
  call.release();
  return value;
}

/**
 * A case: its program, the operands, which `make` puts into the engine when it knows the parameters,
 * and how a result is read.
 */
function started(engine, text, make, read = (value) => value.read()) {
  const call = engine.compile(text, LIMITS);
  const operands = make(call.parameters);
  let last = [];
  const free = (values) => {
    for (const value of values) value.free();
  };
  return {
    run() {
      free(last);
      last = call.keep(...operands);
    },
    // Of a training step the loss, then some of the first weights; elsewhere there is one result.
    sample: () => last.slice(0, 2).flatMap((value) => [...read(value).slice(0, 8)]),
    dispose() {
      free([...last, ...operands]);
      call.release();
    },
  };
}

/** A case as the table has it. */
function start(engine, [text, ...arrays]) {
  const same = ({ type, dims }) => program([`${type}[${dims}]`], (_, x) => x);
  return started(engine, text, (parameters) =>
    arrays.map((data, i) => resident(engine, same(parameters[i]), data)),
  );
}

/** A product of matrices of a narrow type of floats. */
function startNarrow(engine, type) {
  const dims = [1024, 1024];
  const converted = (from, to) =>
    program([`${from}[${dims}]`], (w, x) => w.op(`${to}[${dims}]`, "convert", x));
  const operands = () =>
    [1, 2].map((seed) => resident(engine, converted("f32", type), random(dims, seed)));
  const text = program([`${type}[${dims}]`, `${type}[${dims}]`], (w, x, y) => w.dot(x, y));
  return started(engine, text, operands, (value) => {
    const wide = resident(engine, converted(type, "f32"), value);
    const elements = wide.read();
    wide.free();
    return elements;
  });
}

/** A hundred runs of a program of 16 elements; its arrays are in the engine, as those of others are. */
function startTiny(engine) {
  const call = engine.compile(program([f32(16), f32(16)], (w, x, y) => w.map("add", x, y)));
  call.argument(0).set(rnd(16, 1));
  call.argument(1).set(rnd(16, 2));
  return {
    run() {
      for (let i = 0; i < 100; ++i) call.run();
    },
    sample: () => [...call.result(0)],
    dispose: () => call.release(),
  };
}

export async function make() {
  const engine = await createEngine();
  const cases = {
    matmul1024_f16: () => startNarrow(engine, "f16"),
    matmul1024_bf16: () => startNarrow(engine, "bf16"),
    tiny100: () => startTiny(engine),
  };
  for (const [name, parts] of Object.entries(CASES)) cases[name] = () => start(engine, parts());
  return { cases };
}
