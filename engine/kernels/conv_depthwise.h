// Convolution of each feature with a kernel of its own.
#ifndef HLO_ENGINE_KERNELS_CONV_DEPTHWISE_H_
#define HLO_ENGINE_KERNELS_CONV_DEPTHWISE_H_

#include <cstdint>
#include <span>

#include "engine/base/budget.h"
#include "engine/kernels/conv_window.h"
#include "engine/kernels/fused_loops.h"

namespace hlo {

/// ConvolveDirect for groups of one input and one output. Lanes are features; several outputs of a
/// line share what is read of the kernel, and their sums stay in registers from tap to tap. `fused`
/// and T as in MultiplyBlocks.
template <typename T>
void ConvolveDepthwise(std::span<const ConvDim> dims, int64_t features, const T* in,
                       const T* kernel, T* out, Budget* budget, const FusedLoops<T>* fused);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_CONV_DEPTHWISE_H_
