// Convolution whose lanes are positions: of so few features that they fill no vectors.
#ifndef HLO_ENGINE_KERNELS_CONV_PLANES_H_
#define HLO_ENGINE_KERNELS_CONV_PLANES_H_

#include <cstddef>
#include <span>

#include "engine/base/budget.h"
#include "engine/kernels/conv_window.h"
#include "engine/kernels/multiply_add.h"
#include "engine/kernels/ready_elements.h"
#include "engine/types/element_type.h"

namespace hlo {

/// Sets every output to its sum: of products one tap after the other, of a tap one feature after
/// the other. Lines of the input are copied feature by feature as they are needed, so that a vector
/// has neighbours along the last dimension. Padding there counts as zeros, which must not meet
/// infinities. `ready`, if not null, is told of outputs that are final; they are dense then.
using PlaneConvolution = void (*)(std::span<const ConvDim> dims, const ConvFeatures& features,
                                  const std::byte* in, const std::byte* kernel, std::byte* out,
                                  Budget* budget, MultiplyAdd step, const ElementsReady* ready);

/// The one for an accumulation type; null where there is none, or where others are quicker for
/// these dimensions and features.
PlaneConvolution FindPlaneConvolution(std::span<const ConvDim> dims, const ConvFeatures& features,
                                      ElementType sum_type);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_CONV_PLANES_H_
