// Cumulative results of a common reducer, for the types that are common.
#ifndef HLO_ENGINE_KERNELS_CUMULATIVE_FOLD_H_
#define HLO_ENGINE_KERNELS_CUMULATIVE_FOLD_H_

#include <cstddef>
#include <cstdint>

#include "engine/kernels/reduce_fold.h"
#include "engine/types/element_type.h"

namespace hlo {

/// For every i < n in order: x = reducer(x, from[i * from_step]), and to[i * to_step] = x; x is
/// `*accumulator`, of FoldResultType, before the first. It is rounded each time, but for sums of
/// f32 (README.md). Steps are in elements and may be negative; the buffers do not overlap.
using CumulativeFold = void (*)(const std::byte* from, int64_t from_step, std::byte* to,
                                int64_t to_step, int64_t n, std::byte* accumulator);

/// The loop for elements of this type: integers of 32 and 64 bits, f32 and f64, bitwise
/// reducers on integers. Null for others.
CumulativeFold FindCumulativeFold(Reducer reducer, ElementType type);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_CUMULATIVE_FOLD_H_
