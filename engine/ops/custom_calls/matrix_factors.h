// Factorisations of matrices that XLA has as custom calls and expands itself. Each is OpDef::eval
// of a custom-call on batches of matrices in the last two dimensions; floats and complex numbers,
// computed in c128 and rounded once. Each throws RunError for operands it does not take.
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
/// What Qr gives, a[m,n] and tau[k] -> the first n columns of H_0 H_1 ... H_k-1.
Value EvalHouseholderProduct(const OpCall& call, std::span<Value> args, EvalContext& context);
/// a[m,n] -> (Q[m,p], R[p,n]) with p = m where the result or full_matrices in backend_config says
/// so, else min(m,n).
Value EvalQrExplicit(const OpCall& call, std::span<Value> args, EvalContext& context);
/// a[n,n] -> (sign or phase of the determinant, logarithm of its absolute value), or without the
/// sign the logarithm alone, which is NaN where the determinant is not positive.
template <bool kWithSign>
Value EvalDeterminant(const OpCall& call, std::span<Value> args, EvalContext& context);
/// A symmetric (Hermitian) a[n,n], of which the triangle that backend_config says ("1,...": lower,
/// also without it) is read -> (unit eigenvectors in columns, ascending eigenvalues).
Value EvalEigh(const OpCall& call, std::span<Value> args, EvalContext& context);

// singular_values.cc

/// a[m,n] -> (u[m,m], d[min(m,n)], v[n,n]) with a = u diag(d) conj(v)^T, d descending; the columns
/// of u and v that have no singular value complete them, and may be left out of the result.
Value EvalSvd(const OpCall& call, std::span<Value> args, EvalContext& context);

// tridiagonal.cc

/// Systems of equations without pivoting (Thomas): of lower, main and upper diagonal [1,n] and
/// right hand sides [k,n] the solutions [k,n]; of all diagonals [3,n], the upper one first, and
/// right hand sides [n,k] the solutions [n,k].
Value EvalTridiagonalSolve(const OpCall& call, std::span<Value> args, EvalContext& context);
/// Of upper, main and lower diagonal [1,m] and a matrix [m,n] the product [m,n].
Value EvalTridiagonalProduct(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CUSTOM_CALLS_MATRIX_FACTORS_H_
