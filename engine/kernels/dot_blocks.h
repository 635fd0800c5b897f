// Products of matrices in register blocks: parts of both sides are packed in the order in which the
// inner loop reads them, so neither side has to lie in memory as a matrix of its own.
#ifndef HLO_ENGINE_KERNELS_DOT_BLOCKS_H_
#define HLO_ENGINE_KERNELS_DOT_BLOCKS_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/budget.h"
#include "engine/kernels/fused_loops.h"
#include "engine/kernels/product_loops.h"
#include "engine/kernels/ready_elements.h"

namespace hlo {

/// A matrix in memory: element (i, j) is data[i * row_step + j * column_step].
template <typename T>
struct MatrixView {
  const T* data;
  int64_t row_step, column_step;
};

/// The left side of a product, wherever its rows come from.
template <typename T>
class LeftRows {
 public:
  /// Packs columns [column, column + depth) of `rows` rows (kLeastRows at most) from `row` on:
  /// column by column kLeastRows elements, zeros for the rows that are missing.
  virtual void Pack(int64_t row, int64_t rows, int64_t column, int64_t depth, T* packed) const = 0;

 protected:
  ~LeftRows() = default;
};

/// The rows of a matrix in memory.
template <typename T>
class MatrixRows final : public LeftRows<T> {
 public:
  MatrixRows(const T* data, int64_t row_step, int64_t column_step)
      : view_{data, row_step, column_step} {}
  void Pack(int64_t row, int64_t rows, int64_t column, int64_t depth, T* packed) const override;

 private:
  MatrixView<T> view_;
};

/// Writes a run of `count` elements of each of kLeastRows rows side by side: to[i * kLeastRows + r]
/// = rows[r][i]. A null row counts as zeros.
template <typename T>
void PackRuns(const T* const* rows, int64_t count, T* to);

/// c[m,n] = a[m,k] times b[k,n], rows of c c_step elements apart; k is 1 or more. The sums are
/// those of MultiplyMatrices. Scratch memory, 1 MiB and less for f32, is charged to the budget (not
/// null), which is polled. Steps are fused with the loops for that, separate without (null). T:
/// float, double, uint32_t, uint64_t, std::complex of float or double (never fused). `ready`, if
/// not null, is told of elements of c, counted from its first one, as soon as they are final: of
/// rows, or parts of rows, as ReadyRun says.
template <typename T>
void MultiplyBlocks(const LeftRows<T>& a, const MatrixView<T>& b, T* c, int64_t c_step, int64_t m,
                    int64_t k, int64_t n, Budget* budget, const FusedLoops<T>* fused = nullptr,
                    const ElementsReady* ready = nullptr);

/// How many elements of a row of c, of m rows and n columns, are final together at most.
int64_t ReadyRun(int64_t m, int64_t n);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_DOT_BLOCKS_H_
