#include "engine/kernels/move_gather.h"

#include <cstring>
#include <type_traits>

namespace hlo {
namespace {

/// Calls run with the width as a constant.
template <typename F>
void DispatchWidth(int width, F&& run) {
  switch (width) {
    case 1:
      return run(std::integral_constant<size_t, 1>());
    case 2:
      return run(std::integral_constant<size_t, 2>());
    case 4:
      return run(std::integral_constant<size_t, 4>());
    case 8:
      return run(std::integral_constant<size_t, 8>());
    default:
      return run(std::integral_constant<size_t, 16>());
  }
}

template <typename Index>
void Gather(int width, const std::byte* from, const Index* indices, int64_t n, std::byte* to) {
  DispatchWidth(width, [&](auto constant) {
    constexpr size_t kWidth = decltype(constant)::value;
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

void ScatterElements(int width, const std::byte* from, std::byte* to,
                     std::span<const int64_t> offsets) {
  DispatchWidth(width, [&](auto constant) {
    constexpr size_t kWidth = decltype(constant)::value;
    for (size_t i = 0; i < offsets.size(); ++i) {
      std::memcpy(to + static_cast<size_t>(offsets[i]) * kWidth, from + i * kWidth, kWidth);
    }
  });
}

}  // namespace hlo
