#include "engine/types/literal_nesting.h"

#include <fmt/format.h>

#include <utility>

namespace hlo {

LiteralNesting::LiteralNesting(Dims sizes, uint32_t open) : sizes_(std::move(sizes)), open_(open) {
  seen_.resize(sizes_.size(), 0);
}

std::string LiteralNesting::Open() {
  if (++level_ > rank()) {
    return fmt::format("expects nested array in rank {}, but sees larger", rank());
  }
  if (level_ == 1) return "";
  const size_t outer = static_cast<size_t>(level_ - 2);
  if (++seen_[outer] <= sizes_[outer]) return "";
  return fmt::format("expects {} elements in the {}th element, but sees more", sizes_[outer],
                     Place(level_ - 2));
}

std::string LiteralNesting::Close() {
  if (level_ == 0) return "unexpected '}' token";
  const size_t dim = static_cast<size_t>(--level_);
  if (IsOpen(level_)) {
    sizes_[dim] = seen_[dim];
    open_ &= ~(uint32_t{1} << dim);
  }
  const int64_t seen = seen_[dim];
  seen_[dim] = 0;
  if (seen == sizes_[dim]) return "";
  return fmt::format("expects {} elements in the {}th element, but sees {}", sizes_[dim],
                     Place(level_), seen);
}

std::string LiteralNesting::Elide() {
  if (level_ != 1) {
    return fmt::format("expects `...` at nest level 1, but sees it at nest level {}", level_);
  }
  seen_[0] = sizes_[0];
  return "";
}

Dims LiteralNesting::SettledSizes() const {
  Dims sizes = sizes_;
  for (int i = 0; i < rank(); ++i) {
    if (IsOpen(i)) sizes[static_cast<size_t>(i)] = 0;
  }
  return sizes;
}

std::string LiteralNesting::Place(int dims) const {
  std::string place = "[";
  for (int i = 0; i < dims; ++i) {
    if (i > 0) place += ',';
    place += std::to_string(seen_[static_cast<size_t>(i)] - 1);
  }
  return place + "]";
}

}  // namespace hlo
