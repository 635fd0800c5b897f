#include "engine/ops/float_widths.h"

#include <algorithm>
#include <utility>

#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// The float type by which the widths of two arrays are compared: a complex type has that of its
// parts.
std::optional<ElementType> WidthOf(const Shape& shape) {
  if (!shape.IsArray() && !shape.IsBuffer()) return std::nullopt;
  const ElementType type = ComponentType(shape.element_type());
  return IsFloat(type) ? std::optional(type) : std::nullopt;
}

std::optional<ElementType> FloatOf(const Shape& shape) {
  const bool is_float = shape.IsArray() && IsFloat(shape.element_type());
  return is_float ? std::optional(shape.element_type()) : std::nullopt;
}

// The arrays of a result: itself, or the elements of a tuple. No op that computes returns nested
// tuples.
std::span<const Shape> PartsOf(const Shape& shape) {
  return shape.IsTuple() ? std::span<const Shape>(shape.elements()) : std::span(&shape, 1);
}

// Whether floats of different widths meet; rarely the case, and otherwise there is nothing to do.
// The types a region computes with are left to the op's rule.
bool IsMixed(const OpCall& call) {
  if (call.def().floats == FloatWidths::kOfRegion) return true;
  std::optional<ElementType> first;
  auto differs = [&](const Shape& shape) {
    const std::optional<ElementType> width = WidthOf(shape);
    if (!first) first = width;
    return width && *width != *first;
  };
  for (int i = 0; i < call.operand_count(); ++i) {
    if (differs(call.operand(i))) return true;
  }
  const std::span<const Shape> parts = PartsOf(call.shape());
  return std::any_of(parts.begin(), parts.end(), differs);
}

// The width that everything is converted to; nothing if there are no floats.
std::optional<ElementType> CommonWidth(const OpCall& call) {
  std::optional<ElementType> common;
  auto meet = [&](const Shape& shape) {
    const std::optional<ElementType> type = FloatOf(shape);
    if (type) common = common ? WidestFloat(*common, *type) : *type;
  };
  const std::span<const Shape> parts = PartsOf(call.shape());
  if (call.def().floats != FloatWidths::kOfResult) {
    for (int i = 0; i < call.operand_count(); ++i) meet(call.operand(i));
  }
  if (call.def().floats != FloatWidths::kOfOperands)
    std::for_each(parts.begin(), parts.end(), meet);
  return common;
}

// The written shape with the float types of another one of the same structure; nothing if the
// structures differ.
std::optional<Shape> WithTypesOf(const Shape& written, const Shape& types) {
  if (written.IsTuple() != types.IsTuple()) return std::nullopt;
  if (!written.IsTuple()) {
    Shape shape = written;
    if (FloatOf(written) && FloatOf(types)) shape.set_element_type(types.element_type());
    return shape;
  }
  if (written.elements().size() != types.elements().size()) return std::nullopt;
  std::vector<Shape> elements;
  for (size_t i = 0; i < types.elements().size(); ++i) {
    std::optional<Shape> element = WithTypesOf(written.elements()[i], types.elements()[i]);
    if (!element) return std::nullopt;
    elements.push_back(std::move(*element));
  }
  return Shape::Tuple(std::move(elements));
}

Shape WithWidth(const Shape& shape, ElementType width) {
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.elements()) elements.push_back(WithWidth(element, width));
    return Shape::Tuple(std::move(elements));
  }
  Shape wide = shape;
  if (FloatOf(shape)) wide.set_element_type(width);
  return wide;
}

// The written shape with the float types that the region returns; nothing without a region.
std::optional<Shape> WithTypesOfRegion(const OpCall& call) {
  const Region* region = call.attrs().GetRegion("to_apply");
  if (!region) region = call.attrs().GetRegion("scatter");
  if (!region) return std::nullopt;
  const std::span<const Shape> parts = PartsOf(call.shape());
  std::vector<Shape> elements;
  for (size_t i = 0; i < parts.size(); ++i) {
    Shape& element = elements.emplace_back(parts[i]);
    if (FloatOf(element)) element.set_element_type(ResultType(*region, static_cast<int>(i)));
  }
  return call.shape().IsTuple() ? Shape::Tuple(std::move(elements)) : std::move(elements[0]);
}

}  // namespace

ElementType WidestFloat(ElementType a, ElementType b) {
  if (a == b) return a;
  for (ElementType wide : {ElementType::kF16, ElementType::kBF16, ElementType::kF32}) {
    if (HoldsFloats(wide, a) && HoldsFloats(wide, b)) return wide;
  }
  return ElementType::kF64;
}

std::unique_ptr<const MixedCall> MixedCall::Of(const OpCall& call) {
  const OpDef& def = call.def();
  const bool of_region = def.floats == FloatWidths::kOfRegion;
  const bool exact = def.keeps_data && def.floats != FloatWidths::kOfResult;
  if (def.floats == FloatWidths::kAny || exact || !IsMixed(call)) return nullptr;
  const std::optional<ElementType> common = CommonWidth(call);
  if (!common) return nullptr;
  std::unique_ptr<MixedCall> mixed(new MixedCall);
  bool same = true;
  for (int i = 0; i < call.operand_count(); ++i) {
    Shape& operand = mixed->operands_.emplace_back(call.operand(i));
    if (!FloatOf(operand) || (of_region && !def.operand_type)) continue;
    operand.set_element_type(of_region ? def.operand_type(call, i) : *common);
    same &= operand.element_type() == call.operand(i).element_type();
  }
  // The op's shape rule gives the result for such operands.
  const Shape wanted = of_region ? call.shape() : WithWidth(call.shape(), *common);
  Diagnostics faults;
  const std::optional<Shape> inferred =
      InferShape(call.WithShapes(mixed->operands_, &wanted), faults);
  if (!inferred || faults.has_errors()) return nullptr;
  std::optional<Shape> result = of_region && !def.operand_type
                                    ? WithTypesOfRegion(call)
                                    : WithTypesOf(call.shape(), *inferred);
  if (!result || (same && *result == call.shape())) return nullptr;
  mixed->result_ = std::move(*result);
  mixed->call_.emplace(call.WithShapes(mixed->operands_, &mixed->result_));
  return mixed;
}

void MixedCall::BringOperands(std::span<Value> args, Budget* budget) const {
  for (size_t i = 0; i < args.size() && i < operands_.size(); ++i) {
    if (!args[i].is_array() || !FloatOf(operands_[i])) continue;
    Tensor& tensor = args[i].tensor();
    if (tensor.element_type() == operands_[i].element_type()) continue;
    tensor = ConvertTensor(tensor, operands_[i].element_type(), budget);
  }
}

Value RoundFloats(Value result, const Shape& written, Budget* budget) {
  if (result.is_array() && FloatOf(written)) {
    if (result.tensor().element_type() == written.element_type()) return result;
    return ConvertTensor(result.tensor(), written.element_type(), budget);
  }
  if (!result.is_tuple() || !written.IsTuple()) return result;
  Value::Elements elements;
  for (size_t i = 0; i < std::min(result.elements().size(), written.elements().size()); ++i) {
    elements.push_back(RoundFloats(result.elements()[i], written.elements()[i], budget));
  }
  return Value::Tuple(std::move(elements));
}

}  // namespace hlo
