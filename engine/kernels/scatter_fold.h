// Updates of single elements by a common reducer, for the types that are common.
#ifndef HLO_ENGINE_KERNELS_SCATTER_FOLD_H_
#define HLO_ENGINE_KERNELS_SCATTER_FOLD_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/kernels/reduce_fold.h"
#include "engine/types/element_type.h"

namespace hlo {

/// For every i in order: to[targets[i]] = reducer(to[targets[i]], from[sources[i]]). Rounded each
/// time; targets may repeat. The buffers do not overlap.
using ScatterFold = void (*)(const std::byte* from, std::span<const int64_t> sources, std::byte* to,
                             std::span<const int64_t> targets);

/// The same for the n neighbours that begin at `from` and `to`.
using ScatterRowFold = void (*)(const std::byte* from, std::byte* to, int64_t n);

/// The loop for elements of this type: pred, integers of 8 bits and more, floats of 16 bits and
/// more, bitwise reducers not on floats. Null for others.
ScatterFold FindScatterFold(Reducer reducer, ElementType type);
ScatterRowFold FindScatterRowFold(Reducer reducer, ElementType type);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_SCATTER_FOLD_H_
