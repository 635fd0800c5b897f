// The types and values that stand for those of narrow floats.
#ifndef HLO_ENGINE_PRECISION_WIDENED_TYPES_H_
#define HLO_ENGINE_PRECISION_WIDENED_TYPES_H_

#include <optional>

#include "engine/base/budget.h"
#include "engine/types/element_type.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// A wider type for narrow floats: f32 or f64; nothing: every float has the type that it has.
using WideFloat = std::optional<ElementType>;

/// The element type that stands for `type`: floats narrower than `wide` become it, c64 becomes c128
/// beside f64; every other type stays.
ElementType WidenedType(ElementType type, WideFloat wide);
Shape WidenedShape(const Shape& shape, WideFloat wide);
/// The same numbers, exactly, in the wider types. Memory is charged to the budget.
Value WidenedValue(const Value& value, WideFloat wide, Budget* budget);

/// Whether a shape has an array of a type that is widened.
bool HasNarrowFloats(const Shape& shape, WideFloat wide);

}  // namespace hlo

#endif  // HLO_ENGINE_PRECISION_WIDENED_TYPES_H_
