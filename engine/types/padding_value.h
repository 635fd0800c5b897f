// What the padding of a layout holds, where the layout says so: `PAD(3,5;9)`.
#ifndef HLO_ENGINE_TYPES_PADDING_VALUE_H_
#define HLO_ENGINE_TYPES_PADDING_VALUE_H_

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "engine/types/element_type.h"
#include "engine/types/shape.h"

namespace hlo {

/// The bytes of one element as it is stored, the rest 0.
using PaddingValue = std::array<std::byte, 16>;

/// Reads a padding value as an element of the type; nothing when it is not one.
/// Source: XLA shapes and layout, "Padding" (the field padding_value).
std::optional<PaddingValue> ReadPaddingValue(ElementType type, std::string_view text);

/// That of an array's layout; nothing where it is not specified.
std::optional<PaddingValue> PaddingValueOf(const Shape& shape);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_PADDING_VALUE_H_
