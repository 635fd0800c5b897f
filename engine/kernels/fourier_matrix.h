// Transforms of long lines whose length is a power of two.
#ifndef HLO_ENGINE_KERNELS_FOURIER_MATRIX_H_
#define HLO_ENGINE_KERNELS_FOURIER_MATRIX_H_

#include <complex>
#include <cstdint>

#include "engine/base/budget.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Takes a line as a matrix, row after row: transforms its columns, multiplies by roots of unity,
/// and transforms its rows, some lines at a time in the nearer caches. Two lines go side by side in
/// the lanes of vectors, in passes of radix 4.
class FourierMatrix {
 public:
  /// The rows of the matrix: as many as columns, or twice as many.
  static int64_t RowsOf(int64_t length);
  /// Columns, and then rows, that go together: two or four lines of a processor's cache.
  static constexpr int64_t kLinesTogether = 16;
  /// Neighbours whose roots come from one by multiplication.
  static constexpr int64_t kRootsBeside = 8;

  /// The numbers that a transform reads.
  struct Tables {
    /// The first three quarters of the roots of the number of rows.
    Tensor rows;
    /// Root number k of the length is the product of coarse[k / rows] and fine[k % rows].
    Tensor coarse, fine;
    /// beside[kRootsBeside row + j] is root number j row of the length: times root number
    /// column row, where column is a multiple of kRootsBeside, it is root number (column + j) row.
    Tensor beside;
  };

  /// length: a power of two, at least kLinesTogether squared. Memory is charged to the budget,
  /// which is polled.
  FourierMatrix(int64_t length, Budget* budget);

  /// to[n] = the sum over k of from[k] exp(-2 pi i k n / length); `inverse`: with +2, and divided
  /// by the length. `from` and `to` may be the same. T: float or double; between reading and
  /// writing numbers are of f64. Threads share the lines of the matrix.
  template <typename T>
  void Run(const std::complex<T>* from, std::complex<T>* to, bool inverse, Budget* budget);

  /// For another thread: with scratch memory of its own, which is charged to the budget.
  FourierMatrix Another(Budget* budget) const;

  const Tables& tables() const { return tables_; }

 private:
  template <typename T, bool kInverse>
  void TransformColumns(const std::complex<T>* from, Budget* budget);
  template <typename T, bool kInverse>
  void TransformRows(std::complex<T>* to, Budget* budget);
  void MakeScratch(Budget* budget);

  int64_t length_, rows_, columns_;
  Tables tables_;
  Tensor row_order_, column_order_;  ///< where passes leave each result of a column, and of a row
  Tensor scratch_;                   ///< the matrix between the two steps
  Tensor lines_;                     ///< columns that are transformed together
};

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FOURIER_MATRIX_H_
