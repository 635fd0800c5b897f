// The cases as a person writes them in JavaScript with no library: loops over typed arrays, in the order
// that suits memory. What would take ten seconds, or needs types that JavaScript does not have, is left out.

/** c += a · b of matrices (rows × depth, depth × columns); `c` is cleared first. */
function multiply(a, b, c, rows, depth, columns, at = [0, 0, 0]) {
  const [a0, b0, c0] = at;
  c.fill(0, c0, c0 + rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < depth; k++) {
      const value = a[a0 + i * depth + k];
      const from = b0 + k * columns;
      const to = c0 + i * columns;
      for (let j = 0; j < columns; j++) c[to + j] += value * b[from + j];
    }
  }
}

/** c = aᵀ · b; a is depth × rows. */
function multiplyTurned(a, b, c, rows, depth, columns) {
  c.fill(0);
  for (let k = 0; k < depth; k++) {
    for (let i = 0; i < rows; i++) {
      const value = a[k * rows + i];
      for (let j = 0; j < columns; j++) c[i * columns + j] += value * b[k * columns + j];
    }
  }
}

/** c = a · bᵀ; b is columns × depth. */
function multiplyByTurned(a, b, c, rows, depth, columns) {
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let sum = 0;
      for (let k = 0; k < depth; k++) sum += a[i * depth + k] * b[j * depth + k];
      c[i * columns + j] = sum;
    }
  }
}

/** Of an image of rows × columns × channels, padded by half the kernel. */
function convolve(x, w, y, side, [rows, columns, depth, outputs], groups) {
  const channels = depth * groups;
  const padding = (rows - 1) / 2;
  y.fill(0);
  for (let i = 0; i < side; i++) {
    for (let j = 0; j < side; j++) {
      const to = (i * side + j) * outputs;
      for (let r = 0; r < rows; r++) {
        const row = i + r - padding;
        if (row < 0 || row >= side) continue;
        for (let s = 0; s < columns; s++) {
          const column = j + s - padding;
          if (column < 0 || column >= side) continue;
          const from = (row * side + column) * channels;
          const kernel = (r * columns + s) * depth * outputs;
          if (groups > 1) {
            for (let o = 0; o < outputs; o++) y[to + o] += x[from + o] * w[kernel + o];
          } else {
            for (let d = 0; d < depth; d++) {
              const value = x[from + d];
              const at = kernel + d * outputs;
              for (let o = 0; o < outputs; o++) y[to + o] += value * w[at + o];
            }
          }
        }
      }
    }
  }
}

function softmax(x, y, rows, columns) {
  for (let i = 0; i < rows; i++) {
    const at = i * columns;
    let top = Number.NEGATIVE_INFINITY;
    for (let j = 0; j < columns; j++) top = x[at + j] > top ? x[at + j] : top;
    let sum = 0;
    for (let j = 0; j < columns; j++) {
      const e = Math.exp(x[at + j] - top);
      y[at + j] = e;
      sum += e;
    }
    for (let j = 0; j < columns; j++) y[at + j] /= sum;
  }
}

function normalize(x, y, rows, columns, scale, offset) {
  for (let i = 0; i < rows; i++) {
    const at = i * columns;
    let mean = 0;
    for (let j = 0; j < columns; j++) mean += x[at + j];
    mean /= columns;
    let variance = 0;
    for (let j = 0; j < columns; j++) variance += (x[at + j] - mean) ** 2;
    const factor = 1 / Math.sqrt(variance / columns + 1e-5);
    for (let j = 0; j < columns; j++) {
      const value = (x[at + j] - mean) * factor;
      y[at + j] = scale ? value * scale[j] + offset[j] : value;
    }
  }
}

/** The error function, to 7 digits (Abramowitz and Stegun, 7.1.26). */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const series =
    ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  const value = 1 - series * Math.exp(-x * x);
  return x < 0 ? -value : value;
}

/** The discrete Fourier transform of a power of two, in place. */
function transform(re, im, cos, sin) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [re[i], re[j]] = [re[j], re[i]];
    [im[i], im[j]] = [im[j], im[i]];
  }
  for (let half = 1; half < n; half *= 2) {
    const step = n / (2 * half);
    for (let begin = 0; begin < n; begin += 2 * half) {
      for (let k = 0; k < half; k++) {
        const [c, s] = [cos[k * step], -sin[k * step]];
        const [p, q] = [begin + k, begin + k + half];
        const [vr, vi] = [re[q] * c - im[q] * s, re[q] * s + im[q] * c];
        [re[q], im[q]] = [re[p] - vr, im[p] - vi];
        re[p] += vr;
        im[p] += vi;
      }
    }
  }
}

const KB = 1024;
const SIDE = 4096;
const WIDTH = 64;

const product = (batches, rows, depth, columns) => {
  const c = new Float32Array(batches * rows * columns);
  return [
    c,
    (a, b) => {
      for (let n = 0; n < batches; n++) {
        const at = [n * rows * depth, n * depth * columns, n * rows * columns];
        multiply(a, b, c, rows, depth, columns, at);
      }
    },
  ];
};

const convolution = (side, kernel, groups = 1) => {
  const y = new Float32Array(side * side * kernel[3]);
  return [y, (x, w) => convolve(x, w, y, side, kernel, groups)];
};

/** Of every element; with operands of the same length. */
const elements = (count, compute) => {
  const y = new Float32Array(count);
  return [y, (...operands) => compute(y, ...operands)];
};

function trainingStep() {
  const [B, D] = [128, [784, 512, 512, 10]];
  const inputs = D.map((width) => new Float32Array(B * width));
  const slopes = D.map((width) => new Float32Array(B * width));
  const weightSlopes = [0, 1, 2].map((l) => new Float32Array(D[l] * D[l + 1]));
  const weights = weightSlopes.map(({ length }) => new Float32Array(length));
  const biases = [1, 2, 3].map((l) => new Float32Array(D[l]));
  // The loss, then some of the first weights.
  const sample = new Float32Array(9);
  const run = (x, wanted, ...layers) => {
    inputs[0].set(x);
    for (let l = 0; l < 3; l++) {
      const [h, width] = [inputs[l + 1], D[l + 1]];
      multiply(inputs[l], layers[2 * l], h, B, D[l], width);
      for (let i = 0; i < B * width; i++) {
        const value = h[i] + layers[2 * l + 1][i % width];
        h[i] = l < 2 && value < 0 ? 0 : value;
      }
    }
    softmax(inputs[3], slopes[3], B, D[3]);
    let loss = 0;
    for (let i = 0; i < B * D[3]; i++) {
      const p = slopes[3][i];
      if (wanted[i] > 0) loss -= Math.log(p);
      slopes[3][i] = (p - wanted[i]) / B;
    }
    for (let l = 2; l >= 0; l--) {
      const [slope, width] = [slopes[l + 1], D[l + 1]];
      multiplyTurned(inputs[l], slope, weightSlopes[l], D[l], B, width);
      const [before, change] = [layers[2 * l], weightSlopes[l]];
      for (let i = 0; i < before.length; i++) weights[l][i] = before[i] - 0.01 * change[i];
      const sums = biases[l];
      sums.fill(0);
      for (let i = 0; i < B * width; i++) sums[i % width] += slope[i];
      for (let j = 0; j < width; j++) sums[j] = layers[2 * l + 1][j] - 0.01 * sums[j];
      if (l === 0) break;
      multiplyByTurned(slope, before, slopes[l], B, width, D[l]);
      for (let i = 0; i < B * D[l]; i++) if (!(inputs[l][i] > 0)) slopes[l][i] = 0;
    }
    sample[0] = loss / B;
    sample.set(weights[0].subarray(0, 8), 1);
  };
  return [sample, run];
}

function transformerBlocks() {
  const { S, D, H, F } = { S: 128, D: 256, H: 4, F: 1024 };
  const width = D / H;
  const make = (length) => new Float32Array(length);
  const [h, n, q, k, v, mixed, out] = Array.from({ length: 7 }, () => make(S * D));
  const [scores, hidden] = [make(S * S), make(S * F)];
  const attend = (head) => {
    const at = head * width;
    for (let i = 0; i < S; i++) {
      for (let j = 0; j < S; j++) {
        let sum = 0;
        for (let d = 0; d < width; d++) sum += q[i * D + at + d] * k[j * D + at + d];
        scores[i * S + j] = sum / Math.sqrt(width);
      }
    }
    softmax(scores, scores, S, S);
    for (let i = 0; i < S; i++) {
      for (let j = 0; j < S; j++) {
        const share = scores[i * S + j];
        for (let d = 0; d < width; d++) mixed[i * D + at + d] += share * v[j * D + at + d];
      }
    }
  };
  const run = (x, ...weights) => {
    h.set(x);
    for (let block = 0; block < weights.length; block += 6) {
      const [wq, wk, wv, wo, w1, w2] = weights.slice(block, block + 6);
      normalize(h, n, S, D);
      multiply(n, wq, q, S, D, D);
      multiply(n, wk, k, S, D, D);
      multiply(n, wv, v, S, D, D);
      mixed.fill(0);
      for (let head = 0; head < H; head++) attend(head);
      multiply(mixed, wo, out, S, D, D);
      for (let i = 0; i < S * D; i++) h[i] += out[i];
      normalize(h, n, S, D);
      multiply(n, w1, hidden, S, D, F);
      for (let i = 0; i < S * F; i++) {
        hidden[i] = hidden[i] * 0.5 * (1 + erf(hidden[i] * Math.SQRT1_2));
      }
      multiply(hidden, w2, out, S, F, D);
      for (let i = 0; i < S * D; i++) h[i] += out[i];
    }
  };
  return [h, run];
}

/** By the name of the case: the array of its result, and the function of its operands. */
const CASES = {
  matmul256: () => product(1, 256, 256, 256),
  matmul512: () => product(1, 512, 512, 512),
  matmul1024: () => product(1, KB, KB, KB),
  bmm8x256: () => product(8, 256, 256, 256),
  matvec4096: () => {
    const y = new Float32Array(SIDE);
    return [y, (a, x) => multiplyByTurned(a, x, y, SIDE, SIDE, 1)];
  },
  vecmat4096: () => {
    const y = new Float32Array(SIDE);
    return [y, (a, x) => multiply(x, a, y, 1, SIDE, SIDE)];
  },
  conv3x3: () => convolution(56, [3, 3, 64, 64]),
  dwconv3x3: () => convolution(112, [3, 3, 1, 32], 32),
  conv1x1: () => convolution(56, [1, 1, 64, 256]),
  chain4M: () =>
    elements(2 ** 22, (y, x) => {
      for (let i = 0; i < y.length; i++) {
        const value = x[i];
        y[i] = Math.tanh(value * 1.5 + 0.25) * Math.exp(-value) + Math.sqrt(Math.abs(value));
      }
    }),
  add4M: () =>
    elements(2 ** 22, (y, a, b) => {
      for (let i = 0; i < y.length; i++) y[i] = a[i] + b[i];
    }),
  exp4M: () =>
    elements(2 ** 22, (y, x) => {
      for (let i = 0; i < y.length; i++) y[i] = Math.exp(x[i]);
    }),
  softmax: () => elements(2 ** 22, (y, x) => softmax(x, y, SIDE, KB)),
  layernorm: () =>
    elements(2 ** 22, (y, x, scale, offset) => normalize(x, y, SIDE, KB, scale, offset)),
  reduce0: () =>
    elements(SIDE, (y, x) => {
      y.fill(0);
      for (let i = 0; i < SIDE; i++) for (let j = 0; j < SIDE; j++) y[j] += x[i * SIDE + j];
    }),
  reduce1: () =>
    elements(SIDE, (y, x) => {
      for (let i = 0; i < SIDE; i++) {
        let sum = 0;
        for (let j = 0; j < SIDE; j++) sum += x[i * SIDE + j];
        y[i] = sum;
      }
    }),
  argmax: () => {
    const y = new Int32Array(SIDE);
    const run = (x) => {
      for (let i = 0; i < SIDE; i++) {
        let [top, index] = [Number.NEGATIVE_INFINITY, 0];
        for (let j = 0; j < KB; j++) {
          const value = x[i * KB + j];
          if (value > top) {
            top = value;
            index = j;
          }
        }
        y[i] = index;
      }
    };
    return [y, run];
  },
  transpose4096: () =>
    elements(SIDE * SIDE, (y, x) => {
      const block = 32;
      for (let i = 0; i < SIDE; i += block) {
        for (let j = 0; j < SIDE; j += block) {
          for (let a = i; a < i + block; a++) {
            for (let b = j; b < j + block; b++) y[b * SIDE + a] = x[a * SIDE + b];
          }
        }
      }
    }),
  gather100k: () =>
    elements(100_000 * WIDTH, (y, x, indices) => {
      for (let i = 0; i < indices.length; i++) {
        const from = indices[i] * WIDTH;
        for (let j = 0; j < WIDTH; j++) y[i * WIDTH + j] = x[from + j];
      }
    }),
  scatter100k: () =>
    elements(50_000 * WIDTH, (y, x, indices, updates) => {
      y.set(x);
      for (let i = 0; i < indices.length; i++) {
        const to = indices[i] * WIDTH;
        for (let j = 0; j < WIDTH; j++) y[to + j] += updates[i * WIDTH + j];
      }
    }),
  sort1M: () =>
    elements(1_000_000, (y, x) => {
      y.set(x);
      y.sort();
    }),
  cumsum1M: () =>
    elements(1_000_000, (y, x) => {
      let sum = 0;
      for (let i = 0; i < y.length; i++) {
        sum = Math.fround(sum + x[i]);
        y[i] = sum;
      }
    }),
  fft1M: () => {
    const n = 2 ** 20;
    const [re, im] = [new Float32Array(n), new Float32Array(n)];
    const turn = (f) => Float64Array.from({ length: n / 2 }, (_, k) => f((2 * Math.PI * k) / n));
    const [cos, sin] = [turn(Math.cos), turn(Math.sin)];
    const run = (x, y) => {
      re.set(x);
      im.set(y);
      transform(re, im, cos, sin);
    };
    return [re, run];
  },
  mlp_train: trainingStep,
  transformer2: transformerBlocks,
  tiny100: () =>
    elements(16, (y, a, b) => {
      for (let n = 0; n < 100; n++) for (let i = 0; i < 16; i++) y[i] = a[i] + b[i];
    }),
  loop10k: () =>
    elements(256, (y, x) => {
      y.set(x);
      for (let n = 0; n < 10_000; n++) {
        for (let i = 0; i < y.length; i++) {
          y[i] = Math.sin(Math.fround(Math.fround(y[i] * 0.9) + 0.3));
        }
      }
    }),
};

/** A case on its operands; null where there is none in JavaScript. */
export function startPlain(name, operands) {
  if (!Object.hasOwn(CASES, name)) return null;
  const [result, run] = CASES[name]();
  return {
    run: () => run(...operands),
    sample: () => [...result.subarray(0, name === "mlp_train" ? 9 : 8)],
    dispose: () => undefined,
  };
}
