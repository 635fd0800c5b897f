#include "engine/kernels/dot_blocks.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <complex>
#include <cstring>
#include <memory>
#include <type_traits>

#include "engine/base/bits.h"
#include "engine/kernels/complex_loops.h"
#include "engine/kernels/integer_pairs.h"
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
/// Columns that a thread packs at a time: of a narrow product's columns too there are several
/// pieces.
constexpr int64_t kPackColumns = 64;
static_assert(kPackColumns % kStripColumns<float> == 0 && kPieceColumns % kPackColumns == 0 &&
              kPartColumns % kPieceColumns == 0);

template <typename T>
void AddToBlock(const T* a, const T* b, ptrdiff_t depth, bool first, T* c, ptrdiff_t step) {
  if constexpr (kIsComplex<T>) {
    complex_loops::AddToBlock(a, b, depth, first, c, step);
  } else {
    product_loops::AddToBlock<T, SeparateStep>(a, b, depth, first, c, step);
  }
}

#if defined(__x86_64__)
/// With an instruction for products of 32 bits, which not all machines have.
__attribute__((target("sse4.1"))) void AddToBlockOfIntegers(const uint32_t* a, const uint32_t* b,
                                                            ptrdiff_t depth, bool first,
                                                            uint32_t* c, ptrdiff_t step) {
  product_loops::AddToBlock<uint32_t, SeparateStep>(a, b, depth, first, c, step);
}
#endif

void AddPairsToBlock(const uint32_t* a, const uint32_t* b, ptrdiff_t depth, bool first, uint32_t* c,
                     ptrdiff_t step) {
  product_loops::AddToBlock<uint32_t, integer_pairs::Step>(a, b, depth, first, c, step);
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
/// `add`: one of the above, or their like.
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

namespace {

/// MultiplyParts by the quickest way of this machine to add to a block.
template <typename T>
void MultiplyWhole(const FusedLoops<T>* fused, const T* a, const T* b, int64_t depth, bool first,
                   T* c, int64_t step, int64_t rows, int64_t columns) {
  if (fused != nullptr) {
    return MultiplyParts(fused->add_to_block, a, b, depth, first, c, step, rows, columns);
  }
#if defined(__x86_64__)
  if constexpr (std::is_same_v<T, uint32_t>) {
    if (__builtin_cpu_supports("sse4.1")) {
      return MultiplyParts(AddToBlockOfIntegers, a, b, depth, first, c, step, rows, columns);
    }
  }
#endif
  // What is called by its name is part of the loop: V8 makes better code of that.
  MultiplyParts([](auto... parts) { AddToBlock<T>(parts...); }, a, b, depth, first, c, step, rows,
                columns);
}

/// Where both sides are integers that fit, the product goes by pairs of them.
template <typename T>
constexpr bool kMayPair = std::is_same_v<T, uint32_t>&& integer_pairs::kAreFast;

/// Makes pairs of packed rows, in their place; false where these do not fit.
bool JoinRows(uint32_t* rows, int64_t depth, int64_t height) {
  const int64_t filled = CeilDiv(height, kLeastRows) * kLeastRows;
  if (!integer_pairs::Fit(rows, static_cast<ptrdiff_t>(filled * depth))) return false;
  for (int64_t r = 0; r < filled; r += kLeastRows) {
    integer_pairs::Join(rows + r * depth, depth, kLeastRows, rows + r * integer_pairs::Rows(depth));
  }
  return true;
}

}  // namespace

/// What is packed of b at a time, for all threads.
template <typename T>
class Strips {
 public:
  /// At `scratch` is room for NumbersFor(depth, columns).
  Strips(T* scratch, int64_t depth, int64_t columns)
      : whole_(scratch), pairs_(scratch + depth * columns) {}
  static int64_t NumbersFor(int64_t depth, int64_t columns) {
    return depth * columns + (kMayPair<T> ? integer_pairs::Rows(depth) * columns : 0);
  }

  void Pack(const MatrixView<T>& b, int64_t depth, int64_t columns, Budget* budget) {
    RunRanges(columns, kPackColumns, depth * columns, budget,
              [&](PieceRange part, int, Budget* own) {
                const int64_t width = part.end - part.begin;
                T* const to = whole_ + part.begin * depth;
                PackStrips({b.data + part.begin * b.column_step, b.row_step, b.column_step}, depth,
                           width, to);
                if constexpr (kMayPair<T>) {
                  const int64_t filled = CeilDiv(width, kStripColumns<T>) * kStripColumns<T>;
                  bool& paired = is_paired_[part.begin / kPackColumns];
                  paired = integer_pairs::Fit(to, static_cast<ptrdiff_t>(filled * depth));
                  for (int64_t x = 0; paired && x < filled; x += kStripColumns<T>) {
                    integer_pairs::Join(to + x * depth, depth, kStripColumns<T>,
                                        pairs_ + (part.begin + x) * integer_pairs::Rows(depth));
                  }
                }
                own->Poll();
              });
  }

  const T* Whole(int64_t column, int64_t depth) const { return whole_ + column * depth; }
  /// As pairs of rows; null where they are no pairs.
  const T* Pairs(int64_t column, int64_t columns, int64_t depth) const {
    for (int64_t x = column; x < column + columns; x += kPackColumns) {
      if (!is_paired_[x / kPackColumns]) return nullptr;
    }
    return pairs_ + column * integer_pairs::Rows(depth);
  }

 private:
  T *whole_, *pairs_;
  bool is_paired_[kPartColumns / kPackColumns] = {};
};

namespace {

/// Packed rows times the packed columns from `column` on, as pairs where both sides are such.
template <typename T>
void MultiplyPiece(const FusedLoops<T>* fused, T* rows, const Strips<T>& strips, int64_t column,
                   int64_t depth, bool first, T* c, int64_t step, int64_t height, int64_t width) {
  if constexpr (kMayPair<T>) {
    const T* const pairs = strips.Pairs(column, width, depth);
    if (pairs != nullptr && JoinRows(rows, depth, height)) {
      return MultiplyParts(AddPairsToBlock, rows, pairs, integer_pairs::Rows(depth), first, c, step,
                           height, width);
    }
  }
  MultiplyWhole(fused, rows, strips.Whole(column, depth), depth, first, c, step, height, width);
}

// Of few rows the columns are pieces too, whose rows are packed again.
int64_t PieceColumns(int64_t m) {
  return m > kManyParts * kPartRows ? kPartColumns : kPieceColumns;
}

/// Tells of a block that begins at `begin` and has rows of so many columns, `step` elements apart.
void HandOn(const ElementsReady& ready, int64_t begin, int64_t step, int64_t rows, int64_t columns,
            int thread, Budget* budget) {
  if (columns == step) return ready(begin, rows * columns, thread, budget);
  for (int64_t r = 0; r < rows; ++r) ready(begin + r * step, columns, thread, budget);
}

}  // namespace

int64_t ReadyRun(int64_t m, int64_t n) { return std::min(n, PieceColumns(m)); }

template <typename T>
void MultiplyBlocks(const LeftRows<T>& a, const MatrixView<T>& b, T* c, int64_t c_step, int64_t m,
                    int64_t k, int64_t n, Budget* budget, const FusedLoops<T>* fused,
                    const ElementsReady* ready) {
  constexpr int64_t kStrip = kStripColumns<T>;
  const int64_t most_depth = std::min(k, kPartDepth);
  const int64_t most_columns = std::min(CeilDiv(n, kStrip) * kStrip, kPartColumns);
  const int64_t most_rows = std::min(CeilDiv(m, kLeastRows) * kLeastRows, kPartRows);
  // Strips are packed once, for all threads; rows by each.
  const int64_t strip_numbers = Strips<T>::NumbersFor(most_depth, most_columns);
  const auto scratch = Buffer::Allocate(
      static_cast<size_t>(strip_numbers + PieceThreads() * most_depth * most_rows) * sizeof(T),
      budget);
  T* const numbers = reinterpret_cast<T*>(scratch->data());
  Strips<T> strips(numbers, most_depth, most_columns);
  T* const all_rows = numbers + strip_numbers;
  const int64_t piece_columns = PieceColumns(m);
  for (int64_t j = 0; j < n; j += kPartColumns) {
    const int64_t columns = std::min(kPartColumns, n - j);
    const int64_t across = CeilDiv(columns, piece_columns);
    for (int64_t p = 0; p < k; p += kPartDepth) {
      const int64_t depth = std::min(kPartDepth, k - p);
      strips.Pack({b.data + p * b.row_step + j * b.column_step, b.row_step, b.column_step}, depth,
                  columns, budget);
      RunPieces(CeilDiv(m, kPartRows) * across, m * depth * columns / kProductsTogether, budget,
                [&](int64_t piece, int thread, Budget* own) {
                  const int64_t i = piece / across * kPartRows;
                  const int64_t x = piece % across * piece_columns;
                  const int64_t height = std::min(kPartRows, m - i);
                  T* const rows = all_rows + thread * most_depth * most_rows;
                  for (int64_t r = 0; r < height; r += kLeastRows) {
                    a.Pack(i + r, std::min(kLeastRows, height - r), p, depth, rows + r * depth);
                  }
                  const int64_t to = i * c_step + j + x;
                  const int64_t width = std::min(piece_columns, columns - x);
                  MultiplyPiece(fused, rows, strips, x, depth, p == 0, c + to, c_step, height,
                                width);
                  own->Poll();
                  if (ready != nullptr && p + depth == k) {
                    HandOn(*ready, to, c_step, height, width, thread, own);
                  }
                });
    }
  }
}

#define HLO_BLOCKS(T)                                                                             \
  template void PackRuns<T>(const T* const*, int64_t, T*);                                        \
  template class MatrixRows<T>;                                                                   \
  template void MultiplyBlocks<T>(const LeftRows<T>&, const MatrixView<T>&, T*, int64_t, int64_t, \
                                  int64_t, int64_t, Budget*, const FusedLoops<T>*,                \
                                  const ElementsReady*);
HLO_BLOCKS(float)
HLO_BLOCKS(double)
HLO_BLOCKS(uint32_t)
HLO_BLOCKS(uint64_t)
HLO_BLOCKS(std::complex<float>)
HLO_BLOCKS(std::complex<double>)
#undef HLO_BLOCKS

}  // namespace hlo

#endif  // HLO_SMALL
