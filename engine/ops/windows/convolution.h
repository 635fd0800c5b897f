// Convolution of values, apart from how the instruction says which one.
#ifndef HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_H_
#define HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_H_

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/ops/attributes.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// A convolution in the forward sense: how lhs, rhs and result are labelled, and how the window
/// moves. Not both group counts are above 1. Dimensions labelled `?` have size 1.
struct ConvolutionForm {
  ConvDimLabels labels;
  Window window;
  int64_t feature_groups = 1;
  int64_t batch_groups = 1;
  Dims reversed;  ///< dimensions of the result that come out in reverse order
};

/// The convolution. The operands are converted to `type`, the element type of the result, first;
/// integers wrap, floats of 16 bits and less are summed in f32 and rounded once, the others as
/// themselves; of pred it is "any". What lies outside the input contributes nothing, be the kernel
/// infinite there. `bounds`: the dimensions of the result; where the window fits more often the
/// rest is left out. Run-time sizes: elements beyond them are outside the input, or zero in feature
/// dimensions and in the kernel; the sizes of groups follow from the bounds. Source:
/// XLA, hlo_evaluator_typed_visitor.h, HandleConvolution, except that integers saturate there.
Tensor Convolve(Tensor lhs, Tensor rhs, const ConvolutionForm& form, ElementType type,
                const Dims& bounds, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_H_
