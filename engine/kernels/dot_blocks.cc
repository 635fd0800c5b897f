#include "engine/kernels/dot_blocks.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <complex>
#include <cstring>
#include <memory>

#include "engine/base/bits.h"
#include "engine/kernels/complex_loops.h"
#include "engine/kernels/vectors.h"
#include "engine/threads/pieces.h"
#include "engine/types/tensor.h"

namespace hlo {
namespace {

template <typename T>
constexpr int64_t kStripColumns = kBlockVectors* kLanesOf<T>;
static_assert(kStripColumns<float> % 4 == 0 && kStripColumns<double> % 4 == 0);

/// The part of b that is packed at a time: a strip of it stays in the first-level cache while the
/// rows of a part of a, which stays in the second-level one, go by.
constexpr int64_t kPartDepth = 256;
constexpr int64_t kPartColumns = 1024;
constexpr int64_t kPartRows = 64;

/// What threads share: parts of rows. Where there are no more than so many, parts of columns.
constexpr int64_t kManyParts = 8;
/// Products that take as long as a unit of kSharedWork.
constexpr int64_t kProductsTogether = 8;
constexpr int64_t kPieceColumns = 256;
static_assert(kPieceColumns % kStripColumns<float> == 0 && kPartColumns % kPieceColumns == 0);

template <typename T>
void AddToBlock(const T* a, const T* b, ptrdiff_t depth, bool first, T* c, ptrdiff_t step) {
  if constexpr (kIsComplex<T>) {
    complex_loops::AddToBlock(a, b, depth, first, c, step);
  } else {
    product_loops::AddToBlock<T, SeparateStep>(a, b, depth, first, c, step);
  }
}

/// The same for a block at the edge, of `rows` by `columns`.
template <typename T, typename Add>
void AddToEdge(const Add& add, const T* a, const T* b, ptrdiff_t depth, bool first, T* c,
               ptrdiff_t step, int64_t rows, int64_t columns) {
  constexpr int64_t kStrip = kStripColumns<T>;
  T block[kLeastRows * kStrip] = {};
  if (!first) {
    for (int64_t r = 0; r < rows; ++r) std::copy_n(c + r * step, columns, block + r * kStrip);
  }
  add(a, b, depth, first, block, kStrip);
  for (int64_t r = 0; r < rows; ++r) std::copy_n(block + r * kStrip, columns, c + r * step);
}

/// Four columns that lie in memory one after the other, each as a run: to[p][x] = columns[x][p];
/// rows of `to` are a strip apart.
template <typename T>
void PackFourColumns(const T* columns, int64_t column_step, int64_t depth, T* to) {
  constexpr int64_t kStrip = kStripColumns<T>;
  int64_t p = 0;
  if constexpr (sizeof(T) == 4) {
    for (; p + 4 <= depth; p += 4) {
      Vector<T> four[4];
      HLO_UNROLLED
      for (int x = 0; x < 4; ++x) four[x] = LoadVector(columns + x * column_step + p);
      TurnFour<T>(four);
      HLO_UNROLLED
      for (int x = 0; x < 4; ++x) StoreVector<T>(four[x], to + (p + x) * kStrip);
    }
  }
  for (; p < depth; ++p) {
    for (int x = 0; x < 4; ++x) to[p * kStrip + x] = columns[x * column_step + p];
  }
}

/// b[depth, width] as strips of columns: strip by strip, row by row. A strip that is cut short by
/// the edge is filled up with zeros.
template <typename T>
void PackStrips(const MatrixView<T>& b, int64_t depth, int64_t width, T* packed) {
  constexpr int64_t kStrip = kStripColumns<T>;
  for (int64_t j = 0; j < width; j += kStrip, packed += depth * kStrip) {
    const T* row = b.data + j * b.column_step;
    const int64_t columns = std::min(kStrip, width - j);
    T* to = packed;
    if (columns == kStrip && b.column_step == 1) {
      for (int64_t p = 0; p < depth; ++p, row += b.row_step, to += kStrip) {
        std::memcpy(static_cast<void*>(to), row, kStrip * sizeof(T));
      }
      continue;
    }
    if constexpr (kStrip % 4 == 0) {
      if (columns == kStrip && b.row_step == 1) {
        for (int64_t x = 0; x < kStrip; x += 4) {
          PackFourColumns(row + x * b.column_step, b.column_step, depth, to + x);
        }
        continue;
      }
    }
    for (int64_t p = 0; p < depth; ++p, row += b.row_step, to += kStrip) {
      for (int64_t x = 0; x < columns; ++x) to[x] = row[x * b.column_step];
      std::fill_n(to + columns, kStrip - columns, T{});
    }
  }
}

/// The product of parts that are packed: rows of a in groups of kLeastRows, columns of b in strips.
/// `add`: AddToBlock, fused or not.
template <typename T, typename Add>
void MultiplyParts(const Add& add, const T* a, const T* b, int64_t depth, bool first, T* c,
                   int64_t step, int64_t rows, int64_t columns) {
  constexpr int64_t kStrip = kStripColumns<T>;
  for (int64_t j = 0; j < columns; j += kStrip) {
    const int64_t width = std::min(kStrip, columns - j);
    for (int64_t i = 0; i < rows; i += kLeastRows) {
      const int64_t height = std::min(kLeastRows, rows - i);
      const auto at = static_cast<ptrdiff_t>(depth), by = static_cast<ptrdiff_t>(step);
      T* const block = c + i * step + j;
      if (width == kStrip && height == kLeastRows) {
        add(a + i * depth, b + j * depth, at, first, block, by);
      } else {
        AddToEdge(add, a + i * depth, b + j * depth, at, first, block, by, height, width);
      }
    }
  }
}

}  // namespace

template <typename T>
void PackRuns(const T* const* rows, int64_t count, T* to) {
  static_assert(kLeastRows == 4);
  // What stands for a row that is missing is read again and again.
  static constexpr T kZeros[4] = {};
  const T* from[4];
  ptrdiff_t step[4];
  for (int r = 0; r < 4; ++r) {
    step[r] = rows[r] == nullptr ? 0 : 1;
    from[r] = rows[r] == nullptr ? kZeros : rows[r];
  }
  const auto n = static_cast<ptrdiff_t>(count);
  ptrdiff_t i = 0;
  if constexpr (sizeof(T) == 4) {
    for (; i + 4 <= n; i += 4, to += 16) {
      Vector<T> four[4];
      HLO_UNROLLED
      for (int r = 0; r < 4; ++r) four[r] = LoadVector(from[r] + i * step[r]);
      TurnFour<T>(four);
      HLO_UNROLLED
      for (int r = 0; r < 4; ++r) StoreVector<T>(four[r], to + 4 * r);
    }
  }
  for (; i < n; ++i, to += 4) {
    for (int r = 0; r < 4; ++r) to[r] = from[r][i * step[r]];
  }
}

template <typename T>
void MatrixRows<T>::Pack(int64_t row, int64_t rows, int64_t column, int64_t depth,
                         T* packed) const {
  const T* from = view_.data + row * view_.row_step + column * view_.column_step;
  if (view_.column_step == 1) {
    const T* each[kLeastRows] = {};
    for (int64_t r = 0; r < rows; ++r) each[r] = from + r * view_.row_step;
    return PackRuns(each, depth, packed);
  }
  if (view_.row_step == 1 && rows == kLeastRows) {
    for (int64_t p = 0; p < depth; ++p, from += view_.column_step, packed += kLeastRows) {
      std::memcpy(static_cast<void*>(packed), from, kLeastRows * sizeof(T));
    }
    return;
  }
  for (int64_t p = 0; p < depth; ++p, from += view_.column_step, packed += kLeastRows) {
    for (int64_t r = 0; r < rows; ++r) packed[r] = from[r * view_.row_step];
    for (int64_t r = rows; r < kLeastRows; ++r) packed[r] = T{};
  }
}

template <typename T>
void MultiplyBlocks(const LeftRows<T>& a, const MatrixView<T>& b, T* c, int64_t c_step, int64_t m,
                    int64_t k, int64_t n, Budget* budget, const FusedLoops<T>* fused) {
  constexpr int64_t kStrip = kStripColumns<T>;
  const int64_t most_depth = std::min(k, kPartDepth);
  const int64_t most_columns = std::min(CeilDiv(n, kStrip) * kStrip, kPartColumns);
  const int64_t most_rows = std::min(CeilDiv(m, kLeastRows) * kLeastRows, kPartRows);
  // Strips are packed once, for all threads; rows by each.
  const auto scratch = Buffer::Allocate(
      static_cast<size_t>(most_depth * (most_columns + PieceThreads() * most_rows)) * sizeof(T),
      budget);
  T* const strips = reinterpret_cast<T*>(scratch->data());
  T* const all_rows = strips + most_depth * most_columns;
  // Of few rows the columns are pieces too, whose rows are packed again.
  const int64_t piece_columns = m > kManyParts * kPartRows ? kPartColumns : kPieceColumns;
  for (int64_t j = 0; j < n; j += kPartColumns) {
    const int64_t columns = std::min(kPartColumns, n - j);
    const int64_t across = CeilDiv(columns, piece_columns);
    for (int64_t p = 0; p < k; p += kPartDepth) {
      const int64_t depth = std::min(kPartDepth, k - p);
      RunRanges(columns, kPieceColumns, depth * columns, budget,
                [&](PieceRange part, int, Budget* own) {
                  PackStrips({b.data + p * b.row_step + (j + part.begin) * b.column_step,
                              b.row_step, b.column_step},
                             depth, part.end - part.begin, strips + part.begin * depth);
                  own->Poll();
                });
      RunPieces(CeilDiv(m, kPartRows) * across, m * depth * columns / kProductsTogether, budget,
                [&](int64_t piece, int thread, Budget* own) {
                  const int64_t i = piece / across * kPartRows;
                  const int64_t x = piece % across * piece_columns;
                  const int64_t height = std::min(kPartRows, m - i);
                  T* const rows = all_rows + thread * most_depth * most_rows;
                  for (int64_t r = 0; r < height; r += kLeastRows) {
                    a.Pack(i + r, std::min(kLeastRows, height - r), p, depth, rows + r * depth);
                  }
                  const T* const from = strips + x * depth;
                  T* const to = c + i * c_step + j + x;
                  const int64_t width = std::min(piece_columns, columns - x);
                  if (fused != nullptr) {
                    MultiplyParts(fused->add_to_block, rows, from, depth, p == 0, to, c_step,
                                  height, width);
                  } else {
                    MultiplyParts([](auto... parts) { AddToBlock<T>(parts...); }, rows, from, depth,
                                  p == 0, to, c_step, height, width);
                  }
                  own->Poll();
                });
    }
  }
}

#define HLO_BLOCKS(T)                                                                             \
  template void PackRuns<T>(const T* const*, int64_t, T*);                                        \
  template class MatrixRows<T>;                                                                   \
  template void MultiplyBlocks<T>(const LeftRows<T>&, const MatrixView<T>&, T*, int64_t, int64_t, \
                                  int64_t, int64_t, Budget*, const FusedLoops<T>*);
HLO_BLOCKS(float)
HLO_BLOCKS(double)
HLO_BLOCKS(uint32_t)
HLO_BLOCKS(uint64_t)
HLO_BLOCKS(std::complex<float>)
HLO_BLOCKS(std::complex<double>)
#undef HLO_BLOCKS

}  // namespace hlo

#endif  // HLO_SMALL
