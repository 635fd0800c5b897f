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

/// Restores the zeros of the operands that `sparsity_config` names: of every `block` elements along
/// `dimension` (`stride` apart, so that `stride` blocks interleave) `kept` are stored, and operand
/// `idx`, of the shape of the stored elements, gives the position of each within its block. Throws
/// RunError(kOperandInvalid) if there is no such operand, or if positions or sizes do not fit.
/// Source: XLA's evaluator tests (sparsity=1x8 and a position); the order of interleaved blocks is
/// this engine's choice.
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
