#include "engine/layout/layout.h"

#include <utility>

namespace hlo {
namespace {

const LayoutExtras& NoExtras() {
  static const LayoutExtras kNone;
  return kNone;
}

}  // namespace

bool operator==(const LayoutExtras& a, const LayoutExtras& b) {
  return a.tiles == b.tiles && a.tail_alignment == b.tail_alignment &&
         a.index_type == b.index_type && a.pointer_type == b.pointer_type &&
         a.element_bits == b.element_bits && a.memory_space == b.memory_space &&
         a.splits == b.splits && a.physical_shape == b.physical_shape &&
         a.padded_dimensions == b.padded_dimensions && a.padding_value == b.padding_value;
}

Layout::Layout(Dims minor_to_major, LayoutExtras extras)
    : minor_to_major_(std::move(minor_to_major)) {
  // The metadata prefix is no part of equality but must survive printing.
  if (!(extras == NoExtras()) || extras.metadata_prefix != 0) {
    extras_ = std::make_shared<const LayoutExtras>(std::move(extras));
  }
}

Layout Layout::Descending(int rank) {
  Dims order;
  for (int i = rank - 1; i >= 0; --i) order.push_back(i);
  return Layout(std::move(order));
}

const LayoutExtras& Layout::extras() const { return extras_ ? *extras_ : NoExtras(); }

bool Layout::IsDescending() const {
  int64_t next = static_cast<int64_t>(minor_to_major_.size());
  for (int64_t dim : minor_to_major_) {
    if (dim != --next) return false;
  }
  return true;
}

bool Layout::Equal(const Layout& a, const Layout& b, const LayoutParts& parts) {
  if (a.minor_to_major_ != b.minor_to_major_) return false;
  if (a.extras_ == b.extras_) return true;
  const LayoutExtras& x = a.extras();
  const LayoutExtras& y = b.extras();
  const auto same = [](bool counts, const auto& left, const auto& right) {
    return !counts || left == right;
  };
  return same(parts.tiles, x.tiles, y.tiles) &&
         same(parts.tail_alignment, x.tail_alignment, y.tail_alignment) &&
         same(parts.element_bits, x.element_bits, y.element_bits) &&
         same(parts.memory_space, x.memory_space, y.memory_space) &&
         same(parts.splits, x.splits, y.splits) && same(parts.others, x.index_type, y.index_type) &&
         same(parts.others, x.pointer_type, y.pointer_type) &&
         same(parts.others, x.physical_shape, y.physical_shape) &&
         same(parts.others, x.padded_dimensions, y.padded_dimensions) &&
         same(parts.others, x.padding_value, y.padding_value);
}

bool operator==(const Layout& a, const Layout& b) {
  return a.minor_to_major_ == b.minor_to_major_ &&
         (a.extras_ == b.extras_ || a.extras() == b.extras());
}

}  // namespace hlo
