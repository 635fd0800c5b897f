// Factorisations of matrices that XLA has as custom calls and expands itself. Each is OpDef::eval
// of a custom-call on batches of matrices in the last two dimensions; floats and complex numbers,
// computed in c128 and rounded once. Each throws RunError for unsupported operands.
#ifndef HLO_ENGINE_OPS_CUSTOM_CALLS_MATRIX_FACTORS_H_
#define HLO_ENGINE_OPS_CUSTOM_CALLS_MATRIX_FACTORS_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// a[m,n] -> (LU packed [m,n], s32 row exchanges [min(m,n)], s32 permutation of the rows [m]):
/// partial pivoting by the first largest absolute value, L with a unit diagonal.
Value EvalLu(const OpCall& call, std::span<Value> args, EvalContext& context);
/// a[m,n] -> (R over the reflectors' vectors [m,n], their scalars tau [min(m,n)]), as LAPACK's
/// geqrf: H = 1 - tau v v^H, v with an implied 1 on the diagonal, real diagonal of R.
Value EvalQr(const OpCall& call, std::span<Value> args, EvalContext& context);
/// The output of Qr, a[m,n] and tau[k] -> the first n columns of H_0 H_1 ... H_k-1.
Value EvalHouseholderProduct(const OpCall& call, std::span<Value> args, EvalContext& context);
/// a[m,n] -> (Q[m,p], R[p,n]) with p = m if the result or full_matrices in backend_config says so,
/// else min(m,n).
Value EvalQrExplicit(const OpCall& call, std::span<Value> args, EvalContext& context);
/// a[n,n] -> (sign or phase of the determinant, logarithm of its absolute value), or without the
/// sign the logarithm alone, which is NaN where the determinant is not positive.
template <bool kWithSign>
Value EvalDeterminant(const OpCall& call, std::span<Value> args, EvalContext& context);
/// A symmetric (Hermitian) a[n,n], of which one triangle is read, given by backend_config ("1,...":
/// lower, which is also the default) -> (unit eigenvectors in columns, ascending eigenvalues).
Value EvalEigh(const OpCall& call, std::span<Value> args, EvalContext& context);

// singular_values.cc

/// a[m,n] -> (u[m,m], d[min(m,n)], v[n,n]) with a = u diag(d) conj(v)^T, d descending; columns of u
/// and v without a singular value complete an orthonormal basis, and may be absent from the result.
Value EvalSvd(const OpCall& call, std::span<Value> args, EvalContext& context);

// tridiagonal.cc

/// Solves tridiagonal systems without pivoting (Thomas algorithm). Either lower, main and upper
/// diagonals [1,n] and right-hand sides [k,n] -> solutions [k,n]; or all diagonals [3,n], upper
/// first, and right-hand sides [n,k] -> solutions [n,k].
Value EvalTridiagonalSolve(const OpCall& call, std::span<Value> args, EvalContext& context);
/// Upper, main and lower diagonals [1,m] and a matrix [m,n] -> the product [m,n].
Value EvalTridiagonalProduct(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_MATRIX_FACTORS_H_
