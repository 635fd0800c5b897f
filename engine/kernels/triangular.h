// Triangular matrices: Cholesky factors and linear systems, the inner parts of cholesky and
// triangular-solve.
#ifndef HLO_ENGINE_KERNELS_TRIANGULAR_H_
#define HLO_ENGINE_KERNELS_TRIANGULAR_H_

#include <cstdint>

#include "engine/base/budget.h"

namespace hlo {

/// Replaces the dense row-major a[n,n] by the upper triangular u with conj(u^T) u = a, zeros below.
/// Reads the upper triangle and the real parts of the diagonal. When a pivot has no square root
/// all of a becomes NaN. Polls the budget (not null). T: double, std::complex<double>.
template <typename T>
void FactorUpper(T* a, int64_t n, Budget* budget);

/// Replaces every row b of the dense rows[count,n] by the row x with x t = b, where t[n,n] is upper
/// (else lower) triangular; the other triangle, and the diagonal if it is one of ones, are not
/// read. Polls the budget (not null). T: double, std::complex<double>.
template <typename T>
void SolveRows(const T* t, int64_t n, bool upper, bool unit_diagonal, T* rows, int64_t count,
               Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_TRIANGULAR_H_
