// The gradients of a convolution, expressed as forward convolutions.
#ifndef HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_FORMS_H_
#define HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_FORMS_H_

#include <optional>

#include "engine/ops/op_call.h"
#include "engine/ops/windows/convolution.h"
#include "engine/types/shape.h"

namespace hlo {

// For attributes that describe a convolution of x with a kernel k to y: the forward convolution
// that computes a gradient. Nothing if a size does not fit 64 bits. Preconditions: labels cover the
// dimensions, window numbers are in range.
// Source: XLA, shape_inference.cc, InferConvolveShape with a convolution kind.

/// With respect to x, from lhs, the gradient of y with the labels of an input, and rhs, the kernel:
/// the flipped kernel slides over the gradient, which is base-dilated by the stride, and the
/// kernel's input and output features are exchanged.
std::optional<ConvolutionForm> DataGradient(const ConvolutionForm& form);

/// With respect to k, from lhs, x, and rhs, the gradient of y with the labels of a result; the
/// result has the labels of a kernel. The gradient slides over x with as many positions as the
/// kernel has elements; stride and window dilation are exchanged, and so are batch and features of
/// x.
std::optional<ConvolutionForm> WeightGradient(const ConvolutionForm& form, const Shape& lhs,
                                              const Shape& rhs);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_CONVOLUTION_FORMS_H_
