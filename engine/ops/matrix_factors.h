// Factorisations of matrices that XLA has as custom calls and expands itself. Each is OpDef::eval
// of a custom-call on batches of matrices in the last two dimensions; floats and complex numbers,
// computed in c128 and rounded once. Each throws RunError for operands it does not take.
#ifndef HLO_ENGINE_OPS_MATRIX_FACTORS_H_
#define HLO_ENGINE_OPS_MATRIX_FACTORS_H_

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
/// A symmetric (Hermitian) a[n,n], of which the triangle that backend_config says ("1,...": lower,
/// also without it) is read -> (unit eigenvectors in columns, ascending eigenvalues).
Value EvalEigh(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MATRIX_FACTORS_H_
