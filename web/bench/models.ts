/** Programs of the benchmark that are more than an operation. */
import { f32, Writer } from "./writer";

/** Sizes of the perceptron that is trained: samples, and neurons by layer. */
export const MLP = { B: 128, D: [784, 512, 512, 10] } as const;
/** Sizes of the transformer: words, features, heads, hidden features, layers. */
export const TR = { S: 128, D: 256, H: 4, F: 1024, L: 2 } as const;

/** The index of the largest element of every row. */
export const ARG_MAX = `HloModule m
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

/** Ten thousand iterations over 256 elements. */
export const LOOP = `HloModule m
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

/** Two blocks of a transformer: its parameters are the words, then by block q, k, v, o and the hidden layer's. */
export function transformer(): string {
  const { S, D, H, F, L } = TR;
  const w = new Writer();
  let h = w.parameter(f32(S, D));
  const square = (): string => w.parameter(f32(D, D));
  const blocks = Array.from({ length: L }, () => ({
    heads: [square(), square(), square()] as const,
    out: square(),
    hidden: [w.parameter(f32(D, F)), w.parameter(f32(F, D))] as const,
  }));
  for (const { heads, out, hidden } of blocks) {
    const n = w.normalized(h);
    const head = (weights: string): string =>
      w.transpose(w.reshape(w.dot(n, weights), S, H, D / H), 1, 0, 2);
    const [q, k, v] = [head(heads[0]), head(heads[1]), head(heads[2])];
    const scores = w.with("multiply", w.dot(q, k, [2, 2]), 1 / Math.sqrt(D / H));
    const mixed = w.reshape(w.transpose(w.dot(w.softmax(scores), v), 1, 0, 2), S, D);
    h = w.map("add", h, w.dot(mixed, out));
    h = w.map("add", h, w.dot(w.gelu(w.dot(w.normalized(h), hidden[0])), hidden[1]));
  }
  return w.text(h);
}

/** A step of gradient descent: the loss, and the parameters after it. */
export function training(): string {
  const { B, D } = MLP;
  const w = new Writer();
  const [x, y] = [w.parameter(f32(B, D[0])), w.parameter(f32(B, D[3]))];
  const sizes = [D.slice(0, 2), D.slice(1, 3), D.slice(2, 4)] as [number, number][];
  const layers = sizes.map(([rows, columns]) => ({
    weights: w.parameter(f32(rows, columns)),
    bias: w.parameter(f32(columns)),
    columns,
    input: "",
  }));
  let h = x;
  layers.forEach((layer, l) => {
    layer.input = h;
    const bias = w.spread(layer.bias, 1, [B, layer.columns]);
    h = w.map("add", w.dot(h, layer.weights), bias);
    if (l < 2) h = w.map("maximum", h, w.fill(0, B, layer.columns));
  });
  const p = w.softmax(h);
  const picked = w.reduce(w.reduce(w.map("multiply", w.map("log", p), y), 1), 0);
  const loss = w.map("multiply", picked, w.constant(-1 / B));
  let gradient = w.with("multiply", w.map("subtract", p, y), 1 / B);
  const step = (value: string, slope: string): string =>
    w.map("subtract", value, w.with("multiply", slope, 0.01));
  const after: string[] = [];
  for (const { weights, bias, input } of [...layers].reverse()) {
    const slopes = [w.dot(input, gradient, [0, 0]), w.reduce(gradient, 0)] as const;
    after.unshift(step(weights, slopes[0]), step(bias, slopes[1]));
    if (input === x) break;
    const back = w.dot(gradient, weights, [1, 1]);
    const dims = w.dims(back);
    const on = w.op(`pred[${dims}]`, "compare", [input, w.fill(0, ...dims)], "direction=GT");
    gradient = w.op(f32(...dims), "select", [on, back, w.fill(0, ...dims)]);
  }
  return w.text(loss, ...after);
}
