// The innermost loops of sums of products, written once for all ways to multiply and add. Internal
// to the kernels of products and convolutions.
#ifndef HLO_ENGINE_KERNELS_PRODUCT_LOOPS_H_
#define HLO_ENGINE_KERNELS_PRODUCT_LOOPS_H_

#include <cstddef>
#include <cstdint>

#include "engine/kernels/conv_window.h"
#include "engine/kernels/vectors.h"

// These loops become part of whatever function calls them, which says for which machine it is.
#define HLO_INLINED inline __attribute__((always_inline))

namespace hlo {

/// Rows of c that one register block has. Fewer are for `dot_thin.h`.
inline constexpr int64_t kLeastRows = 4;
/// A register block of c is kLeastRows rows of two vectors: what fits the sixteen registers of
/// machines beside the factors.
inline constexpr int64_t kBlockVectors = 2;

/// Where the features under a tap and those of the kernel are, for the first of several outputs.
struct DepthwiseTap {
  ptrdiff_t in, kernel;
};

/// The product is rounded before it is added.
struct SeparateStep {
  static constexpr bool kIsFused = false;
  template <typename V>
  static HLO_INLINED void AddTo(V& sum, const V& a, const V& b) {
    sum += a * b;
  }
};

namespace product_loops {

/// c[r][x] += sum over p of a[p][r] * b[p][x], from zero when `first`; rows of c are `step` apart.
/// In Wasm indices of 64 bits would be narrowed in every pass; unrolled, the loop needs more
/// registers than there are.
template <typename T, typename Step>
HLO_INLINED void AddToBlock(const T* a, const T* b, ptrdiff_t depth, bool first, T* c,
                            ptrdiff_t step) {
  constexpr ptrdiff_t kLanes = kLanesOf<T>;
  Vector<T> sum[kLeastRows][kBlockVectors] = {};
  if (!first) {
    HLO_UNROLLED
    for (int r = 0; r < kLeastRows; ++r) {
      HLO_UNROLLED
      for (int x = 0; x < kBlockVectors; ++x) sum[r][x] = LoadVector(c + r * step + x * kLanes);
    }
  }
  for (ptrdiff_t p = 0; p < depth; ++p, a += kLeastRows, b += kBlockVectors * kLanes) {
    Vector<T> values[kBlockVectors];
    HLO_UNROLLED
    for (int x = 0; x < kBlockVectors; ++x) values[x] = LoadVector(b + x * kLanes);
    HLO_UNROLLED
    for (int r = 0; r < kLeastRows; ++r) {
      const Vector<T> factor = Splat(a[r]);
      HLO_UNROLLED
      for (int x = 0; x < kBlockVectors; ++x) {
        Step::AddTo(sum[r][x], values[x], factor);
      }
    }
  }
  HLO_UNROLLED
  for (int r = 0; r < kLeastRows; ++r) {
    HLO_UNROLLED
    for (int x = 0; x < kBlockVectors; ++x) StoreVector<T>(sum[r][x], c + r * step + x * kLanes);
  }
}

/// A vector of c plus those under it in rows of b, each times its factor.
template <typename T, int kRows, typename Step>
HLO_INLINED void AddScaledVector(const Vector<T>* factors, const T* b, ptrdiff_t step, T* c) {
  Vector<T> sum = LoadVector(c);
  HLO_UNROLLED
  for (int r = 0; r < kRows; ++r) Step::AddTo(sum, LoadVector(b + r * step), factors[r]);
  StoreVector<T>(sum, c);
}

/// c[x] += sum over r of a[r] * b[r][x] for `columns` columns; rows of b are `step` apart. Of
/// several rows a whole line of the cache at a time: they may be so far apart that they displace
/// each other.
template <typename T, int kRows, typename Step>
HLO_INLINED void AddScaledRows(const T* a, const T* b, ptrdiff_t step, ptrdiff_t columns, T* c) {
  constexpr ptrdiff_t kLanes = kLanesOf<T>;
  constexpr int kVectors = kRows > 1 ? 4 : 1;
  Vector<T> factors[kRows];
  HLO_UNROLLED
  for (int r = 0; r < kRows; ++r) factors[r] = Splat(a[r]);
  ptrdiff_t x = 0;
  for (; x + kVectors * kLanes <= columns; x += kVectors * kLanes) {
    HLO_UNROLLED
    for (int v = 0; v < kVectors; ++v) {
      AddScaledVector<T, kRows, Step>(factors, b + x + v * kLanes, step, c + x + v * kLanes);
    }
  }
  if constexpr (kVectors > 1) {
    for (; x + kLanes <= columns; x += kLanes) {
      AddScaledVector<T, kRows, Step>(factors, b + x, step, c + x);
    }
  }
  for (; x < columns; ++x) {
    T sum = c[x];
    for (int r = 0; r < kRows; ++r) Step::AddTo(sum, b[r * step + x], a[r]);
    c[x] = sum;
  }
}

/// As many vectors as a vector has lanes: the same elements, column by column.
template <typename T>
HLO_INLINED void TurnLanes(Vector<T>* rows) {
  if constexpr (kLanesOf<T> == 4) {
    TurnFour<T>(rows);
  } else {
    const Vector<T> first = __builtin_shufflevector(rows[0], rows[1], 0, 2);
    rows[1] = __builtin_shufflevector(rows[0], rows[1], 1, 3);
    rows[0] = first;
  }
}

/// Eight rows of a with one column: a vector of products of each row, whose lanes go to the sum of
/// the row one after the other, as vectors of what rows have at the same place. Fused, the factors
/// take the place of the products.
template <typename T, typename Step>
HLO_INLINED void SumEightRows(const T* a, ptrdiff_t step, const T* b, ptrdiff_t depth, T* c,
                              ptrdiff_t c_step) {
  constexpr int kRows = 8;
  constexpr ptrdiff_t kLanes = kLanesOf<T>;
  constexpr int kGroups = kRows / static_cast<int>(kLanes);
  Vector<T> sums[kGroups] = {};
  const T* rows[kRows];
  HLO_UNROLLED
  for (int r = 0; r < kRows; ++r) rows[r] = a + r * step;
  ptrdiff_t p = 0;
  for (; p + kLanes <= depth; p += kLanes) {
    const Vector<T> factors = LoadVector(b + p);
    HLO_UNROLLED
    for (int g = 0; g < kGroups; ++g) {
      Vector<T> parts[kLanes];
      HLO_UNROLLED
      for (int r = 0; r < kLanes; ++r) {
        parts[r] = LoadVector(rows[g * kLanes + r] + p);
        if constexpr (!Step::kIsFused) parts[r] *= factors;
      }
      TurnLanes<T>(parts);
      HLO_UNROLLED
      for (int q = 0; q < kLanes; ++q) {
        if constexpr (Step::kIsFused) {
          Step::AddTo(sums[g], parts[q], Splat<T>(factors[q]));
        } else {
          sums[g] += parts[q];
        }
      }
    }
  }
  T each[kRows];
  HLO_UNROLLED
  for (int g = 0; g < kGroups; ++g) StoreVector<T>(sums[g], each + g * kLanes);
  for (int r = 0; r < kRows; ++r) {
    for (ptrdiff_t q = 0; p + q < depth; ++q) Step::AddTo(each[r], rows[r][p + q], b[p + q]);
    c[r * c_step] = each[r];
  }
}

/// One row of a with one column, whose elements are `b_step` apart.
template <typename T, typename Step>
HLO_INLINED T SumOfRow(const T* a, const T* b, ptrdiff_t b_step, ptrdiff_t depth) {
  T sum{};
  for (ptrdiff_t p = 0; p < depth; ++p) Step::AddTo(sum, a[p], b[p * b_step]);
  return sum;
}

/// Adds `count` taps to `kOutputs` outputs, `kVectors` vectors of features each.
template <typename T, int kOutputs, int kVectors, typename Step>
HLO_INLINED void AddTaps(const DepthwiseTap* taps, ptrdiff_t count, const T* in, ptrdiff_t in_step,
                         const T* kernel, T* out, ptrdiff_t out_step) {
  constexpr ptrdiff_t kLanes = kLanesOf<T>;
  Vector<T> sum[kOutputs][kVectors];
  HLO_UNROLLED
  for (int o = 0; o < kOutputs; ++o) {
    HLO_UNROLLED
    for (int x = 0; x < kVectors; ++x) sum[o][x] = LoadVector(out + o * out_step + x * kLanes);
  }
  for (const DepthwiseTap* tap = taps; tap != taps + count; ++tap) {
    const T* const from = in + tap->in;
    Vector<T> weights[kVectors];
    HLO_UNROLLED
    for (int x = 0; x < kVectors; ++x) weights[x] = LoadVector(kernel + tap->kernel + x * kLanes);
    HLO_UNROLLED
    for (int o = 0; o < kOutputs; ++o) {
      HLO_UNROLLED
      for (int x = 0; x < kVectors; ++x) {
        Step::AddTo(sum[o][x], LoadVector(from + o * in_step + x * kLanes), weights[x]);
      }
    }
  }
  HLO_UNROLLED
  for (int o = 0; o < kOutputs; ++o) {
    HLO_UNROLLED
    for (int x = 0; x < kVectors; ++x) StoreVector<T>(sum[o][x], out + o * out_step + x * kLanes);
  }
}

/// Adds `count` taps to all features of `kOutputs` outputs.
template <typename T, int kOutputs, typename Step>
HLO_INLINED void AddFeatures(const DepthwiseTap* taps, ptrdiff_t count, const T* in,
                             ptrdiff_t in_step, const T* kernel, T* out, ptrdiff_t out_step,
                             ptrdiff_t features) {
  constexpr ptrdiff_t kLanes = kLanesOf<T>;
  ptrdiff_t f = 0;
  for (; f + 2 * kLanes <= features; f += 2 * kLanes) {
    AddTaps<T, kOutputs, 2, Step>(taps, count, in + f, in_step, kernel + f, out + f, out_step);
  }
  for (; f + kLanes <= features; f += kLanes) {
    AddTaps<T, kOutputs, 1, Step>(taps, count, in + f, in_step, kernel + f, out + f, out_step);
  }
  for (; f < features; ++f) {
    for (int o = 0; o < kOutputs; ++o) {
      T sum = out[o * out_step + f];
      for (const DepthwiseTap* tap = taps; tap != taps + count; ++tap) {
        Step::AddTo(sum, in[tap->in + o * in_step + f], kernel[tap->kernel + f]);
      }
      out[o * out_step + f] = sum;
    }
  }
}

/// What one tap adds to one output.
template <typename T, typename Step>
HLO_INLINED void AddTap(const ConvFeatures& f, const T* in, const T* kernel, T* out) {
  if (f.inputs == 1 && f.outputs == 1) {
    // A kernel of its own for every feature.
    for (int64_t g = 0; g < f.groups; ++g) Step::AddTo(out[g], in[g], kernel[g]);
    return;
  }
  const int64_t row = f.groups * f.outputs;
  for (int64_t g = 0; g < f.groups; ++g, in += f.inputs, kernel += f.outputs, out += f.outputs) {
    if (f.outputs == 1) {
      T sum = *out;
      for (int64_t c = 0; c < f.inputs; ++c) Step::AddTo(sum, in[c], kernel[c * row]);
      *out = sum;
      continue;
    }
    for (int64_t c = 0; c < f.inputs; ++c) {
      const T factor = in[c];
      const T* weights = kernel + c * row;
      for (int64_t j = 0; j < f.outputs; ++j) Step::AddTo(out[j], factor, weights[j]);
    }
  }
}

}  // namespace product_loops
}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_PRODUCT_LOOPS_H_
