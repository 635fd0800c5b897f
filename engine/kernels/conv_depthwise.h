// Convolution whose lanes are features: of each feature with a kernel of its own, and in groups of
// few outputs.
#ifndef HLO_ENGINE_KERNELS_CONV_DEPTHWISE_H_
#define HLO_ENGINE_KERNELS_CONV_DEPTHWISE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/budget.h"
#include "engine/kernels/conv_window.h"
#include "engine/kernels/fused_loops.h"
#include "engine/kernels/ready_elements.h"
#include "engine/types/element_type.h"

namespace hlo {

/// Whether every feature has a kernel of its own, and there are enough of them for vectors.
inline bool IsDepthwise(const ConvFeatures& features) {
  return features.inputs == 1 && features.outputs == 1 && features.groups >= 4;
}

/// Groups of more outputs are not for ConvolveGroups.
inline constexpr int64_t kMostGroupOutputs = 8;

/// ConvolveDirect for groups of one input and one output. Lanes are features; several outputs of a
/// line share what is read of the kernel, and their sums stay in registers from tap to tap. `fused`
/// and T as in MultiplyBlocks, but not complex. `ready`, if not null, is told of outputs as soon as
/// they are final; they are dense then.
template <typename T>
void ConvolveDepthwise(std::span<const ConvDim> dims, int64_t features, const T* in,
                       const T* kernel, T* out, Budget* budget, const FusedLoops<T>* fused,
                       const ElementsReady* ready = nullptr);

/// Whether ConvolveGroups is the way to convolve, for elements of so many bytes.
bool GroupsPay(std::span<const ConvDim> dims, const ConvFeatures& features, int64_t width);

/// ConvolveDirect for groups of few outputs, where GroupsPay says so: lanes are outputs of many
/// groups. Of each line of the input that is needed at the time, a copy has every input of a group
/// beside every output of it. `ready` as above, but null unless HandsOnLines says that there may be
/// one.
template <typename T>
void ConvolveGroups(std::span<const ConvDim> dims, const ConvFeatures& features, const T* in,
                    const T* kernel, T* out, Budget* budget, const FusedLoops<T>* fused,
                    const ElementsReady* ready = nullptr);

/// Whether ConvolveDirect, for elements of so many bytes that are not complex, goes through all
/// features of a line before the next line.
bool HandsOnLines(std::span<const ConvDim> dims, const ConvFeatures& features, int64_t width);

/// ConvolveDepthwise of arrays of a narrower type, whose lines are converted as they are needed,
/// and so are the sums; `out` has dense lines, and is set where an output meets the input.
using NarrowConvolution = void (*)(std::span<const ConvDim> dims, int64_t features,
                                   ElementType type, const std::byte* in, const std::byte* kernel,
                                   std::byte* out, Budget* budget, MultiplyAdd step,
                                   const ElementsReady* ready);
/// The one for an accumulation type; null where there is none.
NarrowConvolution FindNarrowConvolution(ElementType sum_type);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_CONV_DEPTHWISE_H_
