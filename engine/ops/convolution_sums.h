// In what type a convolution is summed, and how the sums become the result.
#ifndef HLO_ENGINE_OPS_CONVOLUTION_SUMS_H_
#define HLO_ENGINE_OPS_CONVOLUTION_SUMS_H_

#include <cstdint>

#include "engine/base/budget.h"
#include "engine/types/element_type.h"
#include "engine/types/tensor.h"

namespace hlo {

/// f32 for floats of 16 bits and less; f32, f64 and complex numbers as themselves; s64 for signed
/// integers and pred, u64 for unsigned ones, or s32 where `terms` products of operands of these
/// types, converted to `type`, cannot leave it.
ElementType ConvolutionSumType(ElementType type, ElementType lhs, ElementType rhs, int64_t terms);

/// Has no infinity and no NaN. For types that ConvolutionSumType gives.
bool AllFinite(const Tensor& tensor);

/// The sums in `type`: floats are rounded, integers saturate, pred is whether there is anything.
Tensor RoundSums(Tensor sums, ElementType type, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_CONVOLUTION_SUMS_H_
