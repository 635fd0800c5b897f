#include "engine/types/literal_placement.h"

#include <algorithm>
#include <cstring>

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
  const int rank = to->rank();
  const size_t row = static_cast<size_t>(live.back());
  Dims index(static_cast<size_t>(rank), 0);
  const std::byte* source = from.bytes();
  for (int64_t size : live) {
    if (size == 0) return;
  }
  while (true) {
    int64_t offset = 0;
    for (int i = 0; i < rank; ++i) offset = offset * to->dim(i) + index[static_cast<size_t>(i)];
    std::memcpy(to->mutable_bytes() + static_cast<size_t>(offset) * width, source, row * width);
    source += row * width;
    int dim = rank - 2;
    for (; dim >= 0; --dim) {
      const size_t d = static_cast<size_t>(dim);
      if (++index[d] < live[d]) break;
      index[d] = 0;
    }
    if (dim < 0) return;
  }
}

}  // namespace hlo
