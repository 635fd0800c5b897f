// The gradients of a convolution, which are convolutions again.
#ifndef HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_FORMS_H_
#define HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_FORMS_H_

#include <optional>

#include "engine/ops/op_call.h"
#include "engine/ops/windows/convolution.h"
#include "engine/types/shape.h"

namespace hlo {

// For attributes that describe a convolution of x with a kernel k to y, the convolution in the
// forward sense that computes a gradient. Nothing where a size does not fit 64 bits. Preconditions:
// labels cover the dimensions, window numbers are in range.
// Source: XLA, shape_inference.cc, InferConvolveShape with a convolution kind.

/// Of x, from lhs, the gradient of y with the labels of an input, and rhs, the kernel: the flipped
/// kernel slides over the gradient with holes where the stride skipped, inputs and outputs of the
/// kernel change places.
std::optional<ConvolutionForm> DataGradient(const ConvolutionForm& form);

/// Of k, from lhs, x, and rhs, the gradient of y with the labels of a result; the result has the
/// labels of a kernel. The gradient slides over x as far as the kernel is large, stride and
/// dilation of the window change places, and so do batch and features of x.
std::optional<ConvolutionForm> WeightGradient(const ConvolutionForm& form, const Shape& lhs,
                                              const Shape& rhs);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_FORMS_H_
