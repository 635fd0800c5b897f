#include "engine/kernels/dot_matmul.h"

#include <algorithm>
#include <complex>
#include <type_traits>

#include "engine/kernels/dot_blocks.h"
#include "engine/kernels/dot_plain.h"
#include "engine/kernels/dot_thin.h"

namespace hlo {

template <typename T>
void MultiplyMatrices(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n,
                      Budget* budget) {
  if (k == 0) {
    std::fill_n(c, m * n, T{});
    return;
  }
#ifndef HLO_SMALL
  if constexpr (std::is_arithmetic_v<T>) {
    if (n < kLeastColumns) return MultiplyFewColumns(a, b, c, m, k, n, budget);
    if (m < kLeastRows) return MultiplyFewRows(a, b, c, m, k, n, budget);
    return MultiplyBlocks(MatrixRows<T>(a, k, 1), MatrixView<T>{b, n, 1}, c, n, m, k, n, budget);
  }
#endif
  plain::Multiply(a, b, c, m, k, n, budget);
}

#define HLO_MATMUL(T)                                                                              \
  template void MultiplyMatrices<T>(const T* a, const T* b, T* c, int64_t m, int64_t k, int64_t n, \
                                    Budget* budget);
HLO_MATMUL(float)
HLO_MATMUL(double)
HLO_MATMUL(uint32_t)
HLO_MATMUL(uint64_t)
HLO_MATMUL(std::complex<float>)
HLO_MATMUL(std::complex<double>)
#undef HLO_MATMUL

}  // namespace hlo
