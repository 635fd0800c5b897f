// Copies elements that are named by number, by element width.
#ifndef HLO_ENGINE_KERNELS_MOVE_GATHER_H_
#define HLO_ENGINE_KERNELS_MOVE_GATHER_H_

#include <cstddef>
#include <cstdint>

namespace hlo {

/// to[i] = from[indices[i]] for i < n, elements of `width` bytes (1, 2, 4, 8 or 16).
void GatherElements(int width, const std::byte* from, const uint32_t* indices, int64_t n,
                    std::byte* to);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_MOVE_GATHER_H_
