// Runs of elements side by side that are folded into one, a few vectors at a time. Used by
// reduce_fold.cc.
#ifndef HLO_ENGINE_KERNELS_FOLD_LANES_H_
#define HLO_ENGINE_KERNELS_FOLD_LANES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/kernels/vectors.h"

namespace hlo {

/// Vectors that advance side by side, so that no operation waits for the one before.
inline constexpr int64_t kVectorsAtOnce = 4;

/// acc = op(acc, x) of the elements of some vectors, in any order.
template <typename Op, typename T>
T FoldTogether(const Vector<T> (&lanes)[kVectorsAtOnce], T acc) {
  Vector<T> all = lanes[0];
  HLO_UNROLLED
  for (int64_t v = 1; v < kVectorsAtOnce; ++v) all = Op::Lanes(all, lanes[v]);
  T each[kLanesOf<T>];
  StoreVector(all, each);
  for (const T x : each) acc = Op::Apply(acc, x);
  return acc;
}

/// acc = op(acc, x[i]) in any order, for integers, whose result does not depend on it. `neutral`:
/// op(neutral, y) is y for all y, or that of acc and y.
template <typename Op, typename T>
T FoldLanes(const T* x, int64_t n, T acc, T neutral) {
  constexpr int64_t kStep = kVectorsAtOnce * kLanesOf<T>;
  Vector<T> lanes[kVectorsAtOnce];
  HLO_UNROLLED
  for (Vector<T>& vector : lanes) vector = Splat(neutral);
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    HLO_UNROLLED
    for (int64_t v = 0; v < kVectorsAtOnce; ++v) {
      lanes[v] = Op::Lanes(lanes[v], LoadVector(x + i + v * kLanesOf<T>));
    }
  }
  acc = FoldTogether<Op>(lanes, acc);
  for (; i < n; ++i) acc = Op::Apply(acc, x[i]);
  return acc;
}

/// The partial sums of f32, in f64.
inline constexpr int kLaneSums = 8;

/// The sums of every eighth element of each of some runs of n, without those that are left over
/// behind the last eight.
template <int kRuns>
void LaneSums(const float* const (&x)[kRuns], int64_t n, double* sums) {
  constexpr int kPairs = kLaneSums / 2;
  Vector<double> lanes[kRuns][kPairs];
  // -0 is the identity of a sum of floats: 0 would turn a sum of -0s into 0.
  HLO_UNROLLED
  for (auto& run : lanes) {
    HLO_UNROLLED
    for (Vector<double>& pair : run) pair = Splat(-0.0);
  }
  for (int64_t i = 0; i + kLaneSums <= n; i += kLaneSums) {
    HLO_UNROLLED
    for (int r = 0; r < kRuns; ++r) {
      HLO_UNROLLED
      for (int64_t l = 0; l < kPairs; ++l) lanes[r][l] += LoadWidened(x[r] + i + 2 * l);
    }
  }
  HLO_UNROLLED
  for (int r = 0; r < kRuns; ++r) {
    HLO_UNROLLED
    for (int64_t l = 0; l < kPairs; ++l) StoreVector(lanes[r][l], sums + r * kLaneSums + 2 * l);
  }
}

/// Folds some runs of n f32 into sums in f64: the eight are added to acc one after the other, then
/// the elements that are left over.
template <int kRuns>
void SumOfLanes(const float* const (&x)[kRuns], int64_t n, double* const (&acc)[kRuns]) {
  double sums[kRuns * kLaneSums];
  LaneSums(x, n, sums);
  HLO_UNROLLED
  for (int r = 0; r < kRuns; ++r) {
    double all = *acc[r];
    for (int l = 0; l < kLaneSums; ++l) all += sums[r * kLaneSums + l];
    for (int64_t i = n / kLaneSums * kLaneSums; i < n; ++i) all += static_cast<double>(x[r][i]);
    *acc[r] = all;
  }
}

/// The maximum or minimum of floats: of several NaNs the first, of zeros of both signs the first,
/// where acc comes before x.
template <typename Op, typename T>
T ExtremeOfLanes(const T* x, int64_t n, T acc) {
  constexpr int64_t kStep = kVectorsAtOnce * kLanesOf<T>;
  if (acc != acc) return acc;
  Vector<T> lanes[kVectorsAtOnce];
  HLO_UNROLLED
  for (Vector<T>& vector : lanes) vector = Splat(acc);
  auto odd = lanes[0] != lanes[0];
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep) {
    HLO_UNROLLED
    for (int64_t v = 0; v < kVectorsAtOnce; ++v) {
      const Vector<T> next = LoadVector(x + i + v * kLanesOf<T>);
      lanes[v] = Op::Lanes(lanes[v], next);
      odd |= next != next;
    }
  }
  bool has_nan = AnyLane(odd);
  T best = FoldTogether<Op>(lanes, acc);
  for (; i < n; ++i) best = Op::Apply(best, x[i]), has_nan |= x[i] != x[i];
  if (has_nan) return *std::find_if(x, x + n, [](T value) { return value != value; });
  if (best != 0) return best;
  return acc == 0 ? acc : *std::find(x, x + n, T{0});
}

/// To each of four sums, x[i] of `kRows` rows, `step` elements apart, one after the other.
template <int kRows>
inline __attribute__((always_inline)) void AddRowsToFour(double* acc, const float* x,
                                                         ptrdiff_t step) {
  Vector<double> low = LoadVector(acc), high = LoadVector(acc + 2);
  HLO_UNROLLED
  for (int r = 0; r < kRows; ++r) {
    low += LoadWidened(x + r * step);
    high += LoadWidened(x + r * step + 2);
  }
  StoreVector(low, acc);
  StoreVector(high, acc + 2);
}

/// Sums of f32 in f64 that lie side by side: to each of acc[i < n], x[i] of `kRows` rows, `step`
/// elements apart, one after the other. A whole line of the cache at a time, as AddScaledRows.
template <int kRows>
void AddRows(ptrdiff_t n, double* acc, const float* x, ptrdiff_t step) {
  ptrdiff_t i = 0;
#ifndef HLO_SMALL
  constexpr int kLine = 16;
  for (; i + kLine <= n; i += kLine) {
    HLO_UNROLLED
    for (int four = 0; four < kLine; four += 4) {
      AddRowsToFour<kRows>(acc + i + four, x + i + four, step);
    }
  }
#endif
  for (; i + 4 <= n; i += 4) AddRowsToFour<kRows>(acc + i, x + i, step);
  for (; i < n; ++i) {
    HLO_UNROLLED
    for (int r = 0; r < kRows; ++r) acc[i] += static_cast<double>(x[r * step + i]);
  }
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FOLD_LANES_H_
