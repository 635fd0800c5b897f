// Sparse operands of a convolution.
#ifndef HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_SPARSITY_H_
#define HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_SPARSITY_H_

#include <span>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/ops/op_call.h"
#include "engine/ops/windows/convolution.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The configuration of one operand: `sparsity=1x8 dimension=0 stride=1 idx=2`. Of every `block`
/// elements along `dimension` (`stride` apart, so that `stride` blocks interleave) `kept` are
/// stored, and operand `index`, of the shape of the stored elements, gives the position of each
/// within its block.
struct Sparsity {
  int64_t kept = 0, block = 0;  ///< 0: nothing is left out
  int64_t dimension = 0, stride = 1, index = -1;
};
/// That of the first or second operand of a call with `sparsity_config`. Throws
/// RunError(kOperandInvalid) if there is no operand with positions.
Sparsity SparsityOf(const OpCall& call, int operand);
/// The dimensions of the operand with its zeros. Throws RunError(kOperandInvalid) if positions or
/// sizes do not fit.
Dims FilledDims(const Sparsity& s, const Dims& stored, const Shape& positions);

/// Restores the zeros of the operands that `sparsity_config` names. Throws
/// RunError(kOperandInvalid) if there is no such operand, or if positions or sizes do not fit.
/// Source: XLA, hlo/evaluator/hlo_evaluator_sparsity_test.cc, for the order of interleaved blocks
/// too.
void FillSparseOperands(const OpCall& call, std::span<const Value> args, Tensor* lhs, Tensor* rhs,
                        Budget* budget);

/// Checks that the operands named by `sparsity_config` exist. XLA allows one element per block at
/// most; this engine runs more, with a warning.
/// Source: XLA, hlo_verifier.cc, HandleConvolution; shape_inference.cc, InferConvolveShape.
void CheckSparsity(const OpCall& call, Diagnostics& out);

/// Checks that the operands that `block_scaling_config` names as scales and zero points exist and
/// are distinct. Source: XLA, hlo_verifier.cc, HandleConvolution.
void CheckBlockScaling(const OpCall& call, Diagnostics& out);

/// Throws RunError(kOperandInvalid) unless the operands' dimensions fit the form and give `result`.
void CheckOperandSizes(const ConvolutionForm& form, const Dims& lhs, const Dims& rhs,
                       const Dims& result);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_SPARSITY_H_
