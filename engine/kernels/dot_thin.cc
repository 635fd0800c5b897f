#include "engine/kernels/dot_thin.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <complex>
#include <cstddef>
#include <memory>

#include "engine/base/pacer.h"
#include "engine/kernels/complex_loops.h"
#include "engine/kernels/fold_pieces.h"
#include "engine/kernels/product_loops.h"
#include "engine/threads/pieces.h"
#include "engine/types/tensor.h"

namespace hlo {
namespace {

/// Columns that go together: their sums stay in the first-level cache.
constexpr int64_t kThinColumns = 4096;
/// Rows that are a piece where there are few columns.
constexpr int64_t kThinRows = 64;

/// Rows of b, or of a, that go together. A first-level cache of eight ways keeps no more of them
/// where they are a power of two apart.
constexpr int kThinRowsTogether = 8;

template <typename T, int kRows>
void AddScaledRows(const T* a, const T* b, ptrdiff_t step, ptrdiff_t columns, T* c) {
  if constexpr (kIsComplex<T>) {
    complex_loops::AddScaledRows<kRows>(a, b, step, columns, c);
  } else {
    product_loops::AddScaledRows<T, kRows, SeparateStep>(a, b, step, columns, c);
  }
}

template <typename T>
void SumEightRows(const T* a, ptrdiff_t step, const T* b, ptrdiff_t depth, T* c, ptrdiff_t c_step) {
  if constexpr (kIsComplex<T>) {
    complex_loops::SumEightRows(a, step, b, depth, c, c_step);
  } else {
    product_loops::SumEightRows<T, SeparateStep>(a, step, b, depth, c, c_step);
  }
}

}  // namespace

template <typename T>
void MultiplyFewRows(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n, Budget* budget,
                     const FusedLoops<T>* fused) {
  const auto add_eight = fused ? fused->add_eight_scaled_rows : AddScaledRows<T, kThinRowsTogether>;
  const auto add_one = fused ? fused->add_scaled_row : AddScaledRows<T, 1>;
  std::fill_n(c, m * n, T{});
  const auto step = static_cast<ptrdiff_t>(n);
  const int64_t work = m * k * n;
  // Each column is summed by itself, so bits do not depend on this.
  const int64_t piece_columns = IsShared(work) ? ColumnsOfPiece(n) : kThinColumns;
  RunRanges(n, piece_columns, work, budget, [&](PieceRange piece, int, Budget* own) {
    Pacer pacer(own);
    const int64_t j = piece.begin;
    const auto columns = static_cast<ptrdiff_t>(piece.end - j);
    for (int64_t p = 0; p < k;) {
      const bool together = p + kThinRowsTogether <= k;
      const auto add = together ? add_eight : add_one;
      for (int64_t i = 0; i < m; ++i) {
        add(a + i * k + p, b + p * n + j, step, columns, c + i * n + j);
      }
      const int64_t rows = together ? kThinRowsTogether : 1;
      p += rows;
      pacer.Add(m * columns * rows);
    }
  });
}

template <typename T>
void MultiplyFewColumns(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n,
                        Budget* budget, const FusedLoops<T>* fused) {
  const auto sum_eight = fused ? fused->sum_eight_rows : SumEightRows<T>;
  const auto sum_one = fused ? fused->sum_of_row : product_loops::SumOfRow<T, SeparateStep>;
  // Columns that are neighbours.
  const bool pack = n > 1 && m >= kThinRowsTogether;
  const auto columns = Buffer::Allocate(pack ? static_cast<size_t>(k * n) * sizeof(T) : 0, budget);
  T* const packed = reinterpret_cast<T*>(columns->data());
  for (int64_t j = 0; pack && j < n; ++j) {
    for (int64_t p = 0; p < k; ++p) packed[j * k + p] = b[p * n + j];
  }
  RunRanges(m, kThinRows, m * k * n, budget, [&](PieceRange piece, int, Budget* own) {
    Pacer pacer(own);
    // Eight rows from as many parts of the piece: each is read on from where the last row ended.
    const int64_t part = (piece.end - piece.begin) / kThinRowsTogether;
    for (int64_t i = piece.begin; i < piece.begin + part; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        sum_eight(a + i * k, static_cast<ptrdiff_t>(part * k), pack ? packed + j * k : b,
                  static_cast<ptrdiff_t>(k), c + i * n + j, static_cast<ptrdiff_t>(part * n));
      }
      pacer.Add(kThinRowsTogether * k * n);
    }
    for (int64_t i = piece.begin + part * kThinRowsTogether; i < piece.end; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        c[i * n + j] =
            sum_one(a + i * k, b + j, static_cast<ptrdiff_t>(n), static_cast<ptrdiff_t>(k));
      }
      pacer.Add(k * n);
    }
  });
}

#define HLO_THIN(T)                                                                               \
  template void MultiplyFewRows<T>(const T*, const T*, T*, int64_t, int64_t, int64_t, Budget*,    \
                                   const FusedLoops<T>*);                                         \
  template void MultiplyFewColumns<T>(const T*, const T*, T*, int64_t, int64_t, int64_t, Budget*, \
                                      const FusedLoops<T>*);
HLO_THIN(float)
HLO_THIN(double)
HLO_THIN(uint32_t)
HLO_THIN(uint64_t)
HLO_THIN(std::complex<float>)
HLO_THIN(std::complex<double>)
#undef HLO_THIN

}  // namespace hlo

#endif  // HLO_SMALL
