// Convolution of values, independent of how the instruction specifies it.
#ifndef HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_H_
#define HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_H_

#include <optional>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/kernels/multiply_add.h"
#include "engine/ops/attributes.h"
#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// A convolution in the forward sense: dimension labels of lhs, rhs and result, and the window. At
/// most one group count is above 1. Dimensions labelled `?` have size 1.
struct ConvolutionForm {
  ConvDimLabels labels;
  Window window;
  int64_t feature_groups = 1;
  int64_t batch_groups = 1;
  Dims reversed;  ///< dimensions of the result that come out in reverse order
};

/// How a verified convolution of dense operands is read; nothing for others.
std::optional<ConvolutionForm> FormOfConvolution(const OpCall& call);
/// How the attributes alone say that it is: so are convolutions of sparse operands.
ConvolutionForm ForwardForm(const OpCall& call);

/// The convolution. The operands are converted to `type`, the element type of the result, first;
/// integers wrap, floats of 16 bits and less are summed in f32 and rounded once, the others in
/// their own type; for pred the sum is a logical or. Positions outside the input contribute
/// nothing, even if the kernel is infinite there. `bounds`: the dimensions of the result; further
/// window positions are ignored. Run-time sizes: elements beyond them are outside the input, or
/// zero in feature dimensions and in the kernel; group sizes are determined by the bounds. Source:
/// XLA, hlo_evaluator_typed_visitor.h, HandleConvolution, except that integers saturate there.
/// Gives parts of the result to `pieces`, if not null, where they are final before the rest.
Tensor Convolve(Tensor lhs, Tensor rhs, const ConvolutionForm& form, ElementType type,
                const Dims& bounds, Budget* budget, MultiplyAdd step = MultiplyAdd::kSeparate,
                ResultPieces* pieces = nullptr);
/// OpDef::result_unit of a convolution of this form; 0 in builds with HLO_SMALL.
int64_t UnitOfConvolution(const Shape& lhs, const Shape& rhs, const Shape& result,
                          const ConvolutionForm& form);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_H_
