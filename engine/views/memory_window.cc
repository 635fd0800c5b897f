// The memory image of an array in windows: elements at the addresses of a layout, low bits of a
// byte first.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/layout/address_text.h"
#include "engine/layout/layout_map.h"
#include "engine/types/literal.h"
#include "engine/types/padding_value.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/layout_view.h"

namespace hlo {
namespace {

// Bit `bit` of a stored element; an element stored in more bits than it has is extended by zeros.
int ElementBit(const Tensor& tensor, int64_t element, int64_t bit) {
  const int64_t bytes = BytesOf(tensor.element_type());
  if (bit >= 8 * bytes) return 0;
  const auto byte = static_cast<uint8_t>(tensor.bytes()[element * bytes + bit / 8]);
  return (byte >> (bit % 8)) & 1;
}

int BitOf(const PaddingValue& value, int64_t bit) {
  return std::to_integer<int>(value[static_cast<size_t>(bit / 8)]) >> (bit % 8) & 1;
}

// The map of the layout, if it is valid for the array; null otherwise.
const LayoutMap* MapFor(const Tensor& tensor, const LayoutView& view) {
  if (!view.map || !(view.map->dims() == tensor.dims())) return nullptr;
  const bool fits = view.shape.element_type() == tensor.element_type() ||
                    view.map->element_bits() == 8 * BytesOf(tensor.element_type());
  return fits ? view.map.get() : nullptr;
}

// The label of bits [first, last] of a byte, which are bits from `inside` on of an element.
std::string PartName(int64_t first, int64_t last, int64_t element_bits, int64_t inside) {
  if (element_bits % 8 == 0) {
    if (element_bits == 8) return "the byte";
    return fmt::format("byte {} of {} (byte 0 is the least significant)", inside / 8,
                       element_bits / 8);
  }
  if (element_bits == 4) return first == 0 ? "low nibble" : "high nibble";
  return first == last ? fmt::format("bit {}", first) : fmt::format("bits {} to {}", first, last);
}

}  // namespace

MemoryWindow MakeMemoryWindow(const Tensor& tensor, const LayoutView& view, int64_t begin,
                              int64_t count) {
  MemoryWindow window;
  const LayoutMap* map = MapFor(tensor, view);
  if (!map) return window;
  window.begin = std::clamp<int64_t>(begin, 0, map->byte_size());
  const int64_t room = std::min(map->byte_size() - window.begin, kMaxMemoryWindow);
  const int64_t size = std::clamp<int64_t>(count, 0, room);
  window.bytes.assign(static_cast<size_t>(size), 0);
  window.padding.assign(static_cast<size_t>(size), 1);
  if (size == 0) return window;

  const int64_t bits = map->element_bits();
  const auto padding = view.shape.IsArray() ? PaddingValueOf(view.shape) : std::nullopt;
  const int64_t padding_bits = std::min<int64_t>(bits, 8 * BytesOf(tensor.element_type()));
  const int64_t first_bit = 8 * window.begin;
  const int64_t end_bit = first_bit + 8 * size;
  const int64_t first_slot = first_bit / bits;
  std::vector<int64_t> elements(static_cast<size_t>(CeilDiv(end_bit, bits) - first_slot));
  map->ElementsAt(first_slot, elements);
  for (size_t slot = 0; slot < elements.size(); ++slot) {
    const bool is_padding = elements[slot] == LayoutMap::kPadding;
    const int64_t number = first_slot + static_cast<int64_t>(slot);
    if (is_padding && (!padding || number >= map->physical_count())) continue;
    const int64_t slot_bit = number * bits;
    const int64_t last = std::min(slot_bit + (is_padding ? padding_bits : bits), end_bit);
    for (int64_t bit = std::max(slot_bit, first_bit); bit < last; ++bit) {
      const size_t at = static_cast<size_t>((bit - first_bit) / 8);
      const int value = is_padding ? BitOf(*padding, bit - slot_bit)
                                   : ElementBit(tensor, elements[slot], bit - slot_bit);
      window.bytes[at] = static_cast<uint8_t>(window.bytes[at] | (value << (bit % 8)));
      if (!is_padding) window.padding[at] = 0;
    }
  }
  return window;
}

ByteView MakeByteView(const Tensor& tensor, const LayoutView& view, int64_t byte) {
  ByteView result;
  const MemoryWindow window = MakeMemoryWindow(tensor, view, byte, 1);
  if (byte < 0 || window.bytes.empty()) return result;
  result.value = window.bytes.front();
  const LayoutMap& map = *view.map;
  const int64_t bits = map.element_bits();
  const Dims strides = DenseStrides(map.dims());
  for (int64_t slot = 8 * byte / bits; slot * bits < 8 * byte + 8; ++slot) {
    BytePart part;
    part.first_bit = std::max<int64_t>(slot * bits - 8 * byte, 0);
    part.last_bit = std::min<int64_t>((slot + 1) * bits - 8 * byte, 8) - 1;
    part.name = PartName(part.first_bit, part.last_bit, bits, 8 * byte - slot * bits);
    part.index.resize(map.dims().size());
    part.padding = !map.IndexAt(slot, {part.index.data(), part.index.size()});
    if (part.padding) {
      part.index.clear();
      part.value = view.shape.layout().extras().padding_value;
      part.text = fmt::format("{}: {}", part.name, map.ExplainPadding(slot));
    } else {
      int64_t element = 0;
      for (size_t i = 0; i < strides.size(); ++i) element += part.index[i] * strides[i];
      AppendElement(tensor, element, &part.value);
      part.text = fmt::format("{}: element {} = {}", part.name, ListText(part.index), part.value);
    }
    result.parts.push_back(std::move(part));
  }
  return result;
}

std::string ByteJson(const ByteView& view) {
  Json parts = Json::array();
  for (const BytePart& part : view.parts) {
    parts.push_back(ObjectJson({{"name", part.name},
                                {"firstBit", part.first_bit},
                                {"lastBit", part.last_bit},
                                {"padding", part.padding},
                                {"index", DimsJson(part.index)},
                                {"value", part.value},
                                {"text", part.text}}));
  }
  return JsonText(ObjectJson({{"value", view.value}, {"parts", std::move(parts)}}));
}

}  // namespace hlo
