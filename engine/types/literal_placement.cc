#include "engine/types/literal_placement.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "engine/base/indices.h"

namespace hlo {

void FillWith(const Tensor& element, Tensor* to) {
  std::byte* out = to->mutable_bytes();
  const size_t size = static_cast<size_t>(to->byte_size());
  size_t filled = std::min(size, static_cast<size_t>(BytesOf(to->element_type())));
  std::memcpy(out, element.bytes(), filled);
  while (filled < size) {
    const size_t more = std::min(filled, size - filled);
    std::memcpy(out + filled, out, more);
    filled += more;
  }
}

void SpreadElements(const Tensor& from, const Dims& live, Tensor* to) {
  const size_t width = static_cast<size_t>(BytesOf(to->element_type()));
  std::memset(to->mutable_bytes(), 0, static_cast<size_t>(to->byte_size()));
  const size_t row = static_cast<size_t>(live.back());
  Dims index(live.size(), 0);
  const std::span<int64_t> outer(index.data(), index.size() - 1);
  const std::byte* source = from.bytes();
  if (ElementCount(live) == 0) return;
  do {
    const auto offset = static_cast<size_t>(Ravel(index, to->dims()));
    std::memcpy(to->mutable_bytes() + offset * width, source, row * width);
    source += row * width;
  } while (NextIndex(outer, live));
}

}  // namespace hlo
