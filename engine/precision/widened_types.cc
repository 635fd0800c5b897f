#include "engine/precision/widened_types.h"

#include <utility>
#include <vector>

#include "engine/types/convert.h"

namespace hlo {

bool HasNarrowFloats(const Shape& shape, WideFloat wide) {
  bool has = false;
  ForEachArray(shape, [&](const Shape& array) {
    has = has || WidenedType(array.element_type(), wide) != array.element_type();
  });
  return has;
}

ElementType WidenedType(ElementType type, WideFloat wide) {
  if (type == ElementType::kC64 && wide == ElementType::kF64) return ElementType::kC128;
  if (!wide || !IsFloat(type) || type == ElementType::kF64) return type;
  return *wide;
}

Shape WidenedShape(const Shape& shape, WideFloat wide) {
  if (!HasNarrowFloats(shape, wide)) return shape;
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.elements()) elements.push_back(WidenedShape(element, wide));
    return Shape::Tuple(std::move(elements));
  }
  Shape widened = shape;
  widened.set_element_type(WidenedType(shape.element_type(), wide));
  // Elements of another size are not packed as the narrow ones were.
  if (shape.layout().extras().element_bits != 0) {
    LayoutExtras extras = shape.layout().extras();
    extras.element_bits = 0;
    widened.set_layout(Layout(shape.layout().minor_to_major(), std::move(extras)));
  }
  return widened;
}

Value WidenedValue(const Value& value, WideFloat wide, Budget* budget) {
  if (value.is_tuple()) {
    Value::Elements elements;
    for (const Value& each : value.elements()) {
      elements.push_back(WidenedValue(each, wide, budget));
    }
    return Value::Tuple(std::move(elements));
  }
  if (!value.is_array() || !value.tensor()) return value;
  const Tensor& tensor = value.tensor();
  const ElementType to = WidenedType(tensor.element_type(), wide);
  if (to == tensor.element_type()) return value;
  Tensor widened(to, tensor.dims(), budget);
  ConvertElements(tensor.element_type(), tensor.bytes(), to, widened.mutable_bytes(),
                  tensor.element_count());
  widened.set_dynamic_sizes(tensor.dynamic_sizes());
  return widened;
}

}  // namespace hlo
