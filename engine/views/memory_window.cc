// The memory image of an array, window by window: elements put where the layout says, low bits of a
// byte first.
#include <algorithm>
#include <vector>

#include "engine/base/bits.h"
#include "engine/layout/layout_map.h"
#include "engine/views/value_view.h"

namespace hlo {
namespace {

// Bit `bit` of a stored element; an element stored in more bits than it has is extended by zeros.
int ElementBit(const Tensor& tensor, int64_t element, int64_t bit) {
  const int64_t bytes = BytesOf(tensor.element_type());
  if (bit >= 8 * bytes) return 0;
  const auto byte = static_cast<uint8_t>(tensor.bytes()[element * bytes + bit / 8]);
  return (byte >> (bit % 8)) & 1;
}

}  // namespace

MemoryWindow MakeMemoryWindow(const Tensor& tensor, const Shape& shape, int64_t begin,
                              int64_t count) {
  MemoryWindow window;
  if (!shape.IsArray() || shape.element_type() != tensor.element_type() ||
      !(shape.dims() == tensor.dims())) {
    return window;
  }
  Diagnostics faults;
  const auto map =
      MakeLayoutMap(shape.dims(), 8 * BytesOf(shape.element_type()), shape.layout(), {}, faults);
  if (!map) return window;
  window.begin = std::clamp<int64_t>(begin, 0, map->byte_size());
  const int64_t room = std::min(map->byte_size() - window.begin, kMaxMemoryWindow);
  const int64_t size = std::clamp<int64_t>(count, 0, room);
  window.bytes.assign(static_cast<size_t>(size), 0);
  window.padding.assign(static_cast<size_t>(size), 1);
  if (size == 0) return window;

  const int64_t bits = map->element_bits();
  const int64_t first_bit = 8 * window.begin;
  const int64_t end_bit = first_bit + 8 * size;
  const int64_t first_slot = first_bit / bits;
  std::vector<int64_t> elements(static_cast<size_t>(CeilDiv(end_bit, bits) - first_slot));
  map->ElementsAt(first_slot, elements);
  for (size_t slot = 0; slot < elements.size(); ++slot) {
    if (elements[slot] == LayoutMap::kPadding) continue;
    const int64_t slot_bit = (first_slot + static_cast<int64_t>(slot)) * bits;
    const int64_t last = std::min(slot_bit + bits, end_bit);
    for (int64_t bit = std::max(slot_bit, first_bit); bit < last; ++bit) {
      const size_t at = static_cast<size_t>((bit - first_bit) / 8);
      const int value = ElementBit(tensor, elements[slot], bit - slot_bit);
      window.bytes[at] = static_cast<uint8_t>(window.bytes[at] | (value << (bit % 8)));
      window.padding[at] = 0;
    }
  }
  return window;
}

}  // namespace hlo
