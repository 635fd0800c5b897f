// Moves elements one by one between places that are not side by side, by element width.
#ifndef HLO_ENGINE_KERNELS_MOVE_ELEMENTS_H_
#define HLO_ENGINE_KERNELS_MOVE_ELEMENTS_H_

#include <cstddef>
#include <cstdint>

namespace hlo {

// `width` is the size of an element in bytes: 1, 2, 4, 8 or 16. Steps and offsets count elements.
// Source and destination do not overlap. Nothing here polls the budget: n is at most the size of a
// block.

/// to[i * to_step] = from[i * from_step] for i < n.
void CopySpaced(int width, const std::byte* from, int64_t from_step, std::byte* to, int64_t to_step,
                int64_t n);

/// to[i] = from[offsets[i]] for i < n.
void CollectElements(int width, const std::byte* from, const int64_t* offsets, int64_t n,
                     std::byte* to);

/// to[offsets[i]] = from[i] for i < n, in this order.
void PlaceElements(int width, const std::byte* from, const int64_t* offsets, int64_t n,
                   std::byte* to);

/// Where keep[i] is false: to[i] = from[i], places[i] = place + i * step.
void ReplaceUnlessKept(int width, const bool* keep, const std::byte* from, int64_t place,
                       int64_t step, int64_t n, std::byte* to, int64_t* places);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_MOVE_ELEMENTS_H_
