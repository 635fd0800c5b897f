// Copies elements that are given by index, by element width.
#ifndef HLO_ENGINE_KERNELS_MOVE_GATHER_H_
#define HLO_ENGINE_KERNELS_MOVE_GATHER_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace hlo {

/// to[i] = from[indices[i]] for i < n, elements of `width` bytes (1, 2, 4, 8 or 16).
void GatherElements(int width, const std::byte* from, const uint32_t* indices, int64_t n,
                    std::byte* to);

/// The same, the offsets being 64 bits wide: to[i] = from[offsets[i]].
void GatherElements(int width, const std::byte* from, std::span<const int64_t> offsets,
                    std::byte* to);
/// Runs of elements, one beside the other: to[k * stride + i] = from[offsets[i] + k * step] for
/// k < count. Lines of the cache are read once where a run lies in few of them.
void GatherRuns(int width, const std::byte* from, std::span<const int64_t> offsets, int64_t step,
                int64_t count, int64_t stride, std::byte* to);
/// to[offsets[i]] = from[i], in order.
void ScatterElements(int width, const std::byte* from, std::byte* to,
                     std::span<const int64_t> offsets);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_MOVE_GATHER_H_
