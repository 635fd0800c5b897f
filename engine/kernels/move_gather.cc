#include "engine/kernels/move_gather.h"

#include <cstring>

namespace hlo {
namespace {

template <size_t kWidth>
void Gather(const std::byte* from, const uint32_t* indices, int64_t n, std::byte* to) {
  for (int64_t i = 0; i < n; ++i) {
    std::memcpy(to + static_cast<size_t>(i) * kWidth, from + size_t{indices[i]} * kWidth, kWidth);
  }
}

}  // namespace

void GatherElements(int width, const std::byte* from, const uint32_t* indices, int64_t n,
                    std::byte* to) {
  switch (width) {
    case 1:
      return Gather<1>(from, indices, n, to);
    case 2:
      return Gather<2>(from, indices, n, to);
    case 4:
      return Gather<4>(from, indices, n, to);
    case 8:
      return Gather<8>(from, indices, n, to);
    default:
      return Gather<16>(from, indices, n, to);
  }
}

}  // namespace hlo
