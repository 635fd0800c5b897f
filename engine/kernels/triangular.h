// Triangular matrices: Cholesky factors and linear systems, the inner parts of cholesky and
// triangular-solve.
#ifndef HLO_ENGINE_KERNELS_TRIANGULAR_H_
#define HLO_ENGINE_KERNELS_TRIANGULAR_H_

#include <cstdint>

#include "engine/base/budget.h"

namespace hlo {

/// Replaces each of `count` dense row-major a[n,n] by the upper triangular u with conj(u^T) u = a,
/// zeros below. Reads the upper triangle and the real parts of the diagonal. When a pivot has no
/// square root all of a becomes NaN. Threads share the matrices. Polls the budget (not null). T:
/// double, std::complex<double>.
template <typename T>
void FactorUpper(T* matrices, int64_t n, int64_t count, Budget* budget);

/// Replaces every row b of the dense rows[count,rows_each,n] by the row x with x t = b, where t, of
/// the dense matrices[count,n,n], is upper (else lower) triangular; the other triangle, and the
/// diagonal if it is one of ones, are not read. Threads share the rows. Polls the budget (not
/// null). T: double, std::complex<double>.
template <typename T>
void SolveRows(const T* matrices, int64_t n, int64_t count, bool upper, bool unit_diagonal, T* rows,
               int64_t rows_each, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_TRIANGULAR_H_
