#include "engine/types/element_type.h"

#include <cstddef>

#include "engine/base/name_table.h"

namespace hlo {
namespace {

constexpr ElementTypeInfo kInfos[] = {
#define ELEMENT(name, text, number, bits, bytes, klass, cpp) \
  {text, number, bits, bytes, TypeClass::k##klass},
#include "engine/types/element_type.def"
};
constexpr NameTable<ElementTypeInfo, 128> kByText(kInfos);

}  // namespace

std::span<const ElementTypeInfo> ElementTypes() { return kInfos; }

const ElementTypeInfo& GetElementTypeInfo(ElementType type) {
  return kInfos[static_cast<size_t>(type)];
}

std::optional<ElementType> ElementTypeFromText(std::string_view text) {
  const std::optional<size_t> found = kByText.Find(text);
  return found ? std::optional(static_cast<ElementType>(*found)) : std::nullopt;
}

ElementType ComponentType(ElementType t) {
  if (t == ElementType::kC64) return ElementType::kF32;
  if (t == ElementType::kC128) return ElementType::kF64;
  return t;
}

}  // namespace hlo
