#include "engine/kernels/dot_thin.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <cstddef>
#include <memory>

#include "engine/base/pacer.h"
#include "engine/kernels/vectors.h"
#include "engine/threads/pieces.h"
#include "engine/types/tensor.h"

namespace hlo {
namespace {

/// Columns that go together: their sums stay in the first-level cache.
constexpr int64_t kThinColumns = 1024;
/// Rows that go together where there are few columns.
constexpr int64_t kThinRows = 64;
static_assert(kThinRows % 8 == 0);
/// Rows of b that go together.
constexpr int kThinDepth = 8;

/// c[x] += sum over r of a[r] * b[r][x] for `columns` columns; rows of b are `step` apart.
template <typename T, int kRows>
void AddScaledRows(const T* a, const T* b, ptrdiff_t step, ptrdiff_t columns, T* c) {
  constexpr ptrdiff_t kLanes = kLanesOf<T>;
  Vector<T> factors[kRows];
  HLO_UNROLLED
  for (int r = 0; r < kRows; ++r) factors[r] = Splat(a[r]);
  ptrdiff_t x = 0;
  for (; x + kLanes <= columns; x += kLanes) {
    Vector<T> sum = LoadVector(c + x);
    HLO_UNROLLED
    for (int r = 0; r < kRows; ++r) sum += LoadVector(b + r * step + x) * factors[r];
    StoreVector<T>(sum, c + x);
  }
  for (; x < columns; ++x) {
    T sum = c[x];
    for (int r = 0; r < kRows; ++r) sum += b[r * step + x] * a[r];
    c[x] = sum;
  }
}

/// Eight rows of a with one column: a vector of products of each row, whose lanes go to the sum of
/// the row one after the other, as vectors of what rows have at the same place.
template <typename T>
void SumEightRows(const T* a, ptrdiff_t step, const T* b, ptrdiff_t depth, T* c, ptrdiff_t c_step) {
  constexpr ptrdiff_t kLanes = kLanesOf<T>;
  constexpr int kGroups = 8 / static_cast<int>(kLanes);
  Vector<T> sums[kGroups] = {};
  const T* rows[8];
  HLO_UNROLLED
  for (int r = 0; r < 8; ++r) rows[r] = a + r * step;
  ptrdiff_t p = 0;
  for (; p + kLanes <= depth; p += kLanes, b += kLanes) {
    const Vector<T> factors = LoadVector(b);
    HLO_UNROLLED
    for (int g = 0; g < kGroups; ++g) {
      Vector<T> products[kLanes];
      HLO_UNROLLED
      for (int r = 0; r < kLanes; ++r) products[r] = LoadVector(rows[g * kLanes + r]) * factors;
      if constexpr (kLanes == 4) {
        TurnFour<T>(products);
      } else {
        const Vector<T> first = __builtin_shufflevector(products[0], products[1], 0, 2);
        products[1] = __builtin_shufflevector(products[0], products[1], 1, 3);
        products[0] = first;
      }
      HLO_UNROLLED
      for (int r = 0; r < kLanes; ++r) sums[g] += products[r];
    }
    HLO_UNROLLED
    for (int r = 0; r < 8; ++r) rows[r] += kLanes;
  }
  T each[8];
  HLO_UNROLLED
  for (int g = 0; g < kGroups; ++g) StoreVector<T>(sums[g], each + g * kLanes);
  for (int r = 0; r < 8; ++r) {
    for (ptrdiff_t q = 0; p + q < depth; ++q) each[r] += rows[r][q] * b[q];
    c[r * c_step] = each[r];
  }
}

}  // namespace

template <typename T>
void MultiplyFewRows(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n,
                     Budget* budget) {
  std::fill_n(c, m * n, T{});
  const auto step = static_cast<ptrdiff_t>(n);
  RunRanges(n, kThinColumns, m * k * n, budget, [&](PieceRange piece, int, Budget* own) {
    Pacer pacer(own);
    const int64_t j = piece.begin;
    const auto columns = static_cast<ptrdiff_t>(piece.end - j);
    for (int64_t p = 0; p < k;) {
      const bool together = p + kThinDepth <= k;
      for (int64_t i = 0; i < m; ++i) {
        const auto add = together ? AddScaledRows<T, kThinDepth> : AddScaledRows<T, 1>;
        add(a + i * k + p, b + p * n + j, step, columns, c + i * n + j);
      }
      p += together ? kThinDepth : 1;
      pacer.Add(m * columns * kThinDepth);
    }
  });
}

template <typename T>
void MultiplyFewColumns(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n,
                        Budget* budget) {
  // Columns that are neighbours.
  const bool pack = n > 1 && m >= 8;
  const auto columns = Buffer::Allocate(pack ? static_cast<size_t>(k * n) * sizeof(T) : 0, budget);
  T* const packed = reinterpret_cast<T*>(columns->data());
  for (int64_t j = 0; pack && j < n; ++j) {
    for (int64_t p = 0; p < k; ++p) packed[j * k + p] = b[p * n + j];
  }
  RunRanges(m, kThinRows, m * k * n, budget, [&](PieceRange piece, int, Budget* own) {
    Pacer pacer(own);
    int64_t i = piece.begin;
    for (; i + 8 <= piece.end; i += 8) {
      for (int64_t j = 0; j < n; ++j) {
        SumEightRows(a + i * k, static_cast<ptrdiff_t>(k), pack ? packed + j * k : b,
                     static_cast<ptrdiff_t>(k), c + i * n + j, static_cast<ptrdiff_t>(n));
      }
      pacer.Add(8 * k * n);
    }
    for (; i < piece.end; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        T sum{};
        for (int64_t p = 0; p < k; ++p) sum += a[i * k + p] * b[p * n + j];
        c[i * n + j] = sum;
      }
      pacer.Add(k * n);
    }
  });
}

#define HLO_THIN(T)                                                                             \
  template void MultiplyFewRows<T>(const T*, const T*, T*, int64_t, int64_t, int64_t, Budget*); \
  template void MultiplyFewColumns<T>(const T*, const T*, T*, int64_t, int64_t, int64_t, Budget*);
HLO_THIN(float)
HLO_THIN(double)
HLO_THIN(uint32_t)
HLO_THIN(uint64_t)
#undef HLO_THIN

}  // namespace hlo

#endif  // HLO_SMALL
