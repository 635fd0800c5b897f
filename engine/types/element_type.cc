#include "engine/types/element_type.h"

#include <array>
#include <cstddef>

namespace hlo {
namespace {

constexpr ElementTypeInfo kInfos[] = {
#define ELEMENT(name, text, number, bits, bytes, klass, cpp) \
  {text, number, bits, bytes, TypeClass::k##klass},
#include "engine/types/element_type.def"
};
constexpr size_t kTypeCount = std::size(kInfos);

// The parser looks a type up for every shape: a small open-addressing table made by the compiler.
constexpr size_t kSlots = 128;
constexpr uint8_t kEmpty = 0xFF;
static_assert(kTypeCount < kEmpty);

constexpr size_t FirstSlot(std::string_view text) {
  uint32_t hash = 0;
  for (char c : text) hash = hash * 37 + static_cast<unsigned char>(c);
  return (hash ^ (hash >> 7)) % kSlots;
}

constexpr std::array<uint8_t, kSlots> MakeSlots() {
  std::array<uint8_t, kSlots> slots{};
  for (uint8_t& slot : slots) slot = kEmpty;
  for (size_t i = 0; i < kTypeCount; ++i) {
    size_t at = FirstSlot(kInfos[i].text);
    while (slots[at] != kEmpty) at = (at + 1) % kSlots;
    slots[at] = static_cast<uint8_t>(i);
  }
  return slots;
}
constexpr std::array<uint8_t, kSlots> kSlotOf = MakeSlots();

constexpr size_t LongestText() {
  size_t longest = 0;
  for (const ElementTypeInfo& info : kInfos) {
    if (info.text.size() > longest) longest = info.text.size();
  }
  return longest;
}

}  // namespace

std::span<const ElementTypeInfo> ElementTypes() { return kInfos; }

const ElementTypeInfo& GetElementTypeInfo(ElementType type) {
  return kInfos[static_cast<size_t>(type)];
}

std::optional<ElementType> ElementTypeFromText(std::string_view text) {
  if (text.size() > LongestText()) return std::nullopt;
  for (size_t at = FirstSlot(text); kSlotOf[at] != kEmpty; at = (at + 1) % kSlots) {
    if (kInfos[kSlotOf[at]].text == text) return static_cast<ElementType>(kSlotOf[at]);
  }
  return std::nullopt;
}

ElementType ComponentType(ElementType t) {
  if (t == ElementType::kC64) return ElementType::kF32;
  if (t == ElementType::kC128) return ElementType::kF64;
  return t;
}

}  // namespace hlo
