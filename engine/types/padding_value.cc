#include "engine/types/padding_value.h"

#include "engine/types/element_reader.h"

namespace hlo {

std::optional<PaddingValue> ReadPaddingValue(ElementType type, std::string_view text) {
  Diagnostics faults;
  Scanner in(text, 0, faults);
  PaddingValue value{};
  if (ReadElementTexts(type, in, value.data(), 1) != 1 || !in.AtEnd()) return std::nullopt;
  return value;
}

std::optional<PaddingValue> PaddingValueOf(const Shape& shape) {
  const std::string& text = shape.layout().extras().padding_value;
  if (text.empty()) return std::nullopt;
  return ReadPaddingValue(shape.element_type(), text);
}

}  // namespace hlo
