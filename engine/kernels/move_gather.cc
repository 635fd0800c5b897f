#include "engine/kernels/move_gather.h"

#include <cstring>

#include "engine/kernels/element_width.h"

namespace hlo {
namespace {

template <typename Index>
void Gather(int width, const std::byte* from, const Index* indices, int64_t n, std::byte* to) {
  DispatchWidth(width, [&](auto element) {
    constexpr size_t kWidth = sizeof(element);
    for (int64_t i = 0; i < n; ++i) {
      std::memcpy(to + static_cast<size_t>(i) * kWidth,
                  from + static_cast<size_t>(indices[i]) * kWidth, kWidth);
    }
  });
}

}  // namespace

void GatherElements(int width, const std::byte* from, const uint32_t* indices, int64_t n,
                    std::byte* to) {
  Gather(width, from, indices, n, to);
}

void GatherElements(int width, const std::byte* from, std::span<const int64_t> offsets,
                    std::byte* to) {
  Gather(width, from, offsets.data(), static_cast<int64_t>(offsets.size()), to);
}

void GatherRuns(int width, const std::byte* from, std::span<const int64_t> offsets, int64_t step,
                int64_t count, int64_t stride, std::byte* to) {
  DispatchWidth(width, [&](auto element) {
    constexpr int64_t kWidth = sizeof(element);
    for (size_t i = 0; i < offsets.size(); ++i) {
      const std::byte* source = from + offsets[i] * kWidth;
      std::byte* target = to + static_cast<int64_t>(i) * kWidth;
      for (int64_t k = 0; k < count; ++k, source += step * kWidth, target += stride * kWidth) {
        std::memcpy(target, source, static_cast<size_t>(kWidth));
      }
    }
  });
}

void ScatterElements(int width, const std::byte* from, std::byte* to,
                     std::span<const int64_t> offsets) {
  DispatchWidth(width, [&](auto element) {
    constexpr size_t kWidth = sizeof(element);
    for (size_t i = 0; i < offsets.size(); ++i) {
      std::memcpy(to + static_cast<size_t>(offsets[i]) * kWidth, from + i * kWidth, kWidth);
    }
  });
}

}  // namespace hlo
