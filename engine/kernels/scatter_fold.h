// Updates of elements, or of rows of them, by a common reducer, for the types that are common.
#ifndef HLO_ENGINE_KERNELS_SCATTER_FOLD_H_
#define HLO_ENGINE_KERNELS_SCATTER_FOLD_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/kernels/reduce_fold.h"
#include "engine/types/element_type.h"

namespace hlo {

/// For every i in order, and every k < count: to[targets[i] + k] = reducer(to[targets[i] + k],
/// from[sources[i] + k]), rounded each time. Targets may repeat. The buffers do not overlap. As
/// many sources as targets.
using ScatterFold = void (*)(const std::byte* from, std::span<const int64_t> sources, std::byte* to,
                             std::span<const int64_t> targets, int64_t count);

/// The loop for elements of this type: pred, integers of 8 bits and more, floats of 16 bits and
/// more, bitwise reducers not on floats. Null for others.
ScatterFold FindScatterFold(Reducer reducer, ElementType type);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_SCATTER_FOLD_H_
