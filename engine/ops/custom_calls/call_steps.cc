#include "engine/ops/custom_calls/call_steps.h"

#include <fmt/format.h>

#include <utility>

#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/convert.h"
#include "engine/types/doubles.h"
#include "engine/types/float_traits.h"
#include "engine/types/storage.h"

namespace hlo {
namespace {

/// The largest finite number of a type of 8-bit floats; 0 for other types.
double LargestByte(ElementType type) {
  if (BitsOf(type) != 8) return 0;
  return DispatchClass<TypeClass::kFloat>(
      type, 0.0, [](auto tag) { return FloatTraits<typename decltype(tag)::type>::Max(); });
}

}  // namespace

const Shape& CallSteps::Result() const {
  const Shape& whole = call_.shape();
  const bool has_parts = whole.IsTuple() && !whole.elements().empty();
  const Shape& result = has_parts ? whole.elements()[0] : whole;
  if (!result.IsArray()) RefuseCall(call_, fmt::format("gives arrays, not {}", ShapeName(whole)));
  return result;
}

StepArray CallSteps::Operand(int i) const {
  if (!call_.operand(i).IsArray()) {
    RefuseCall(call_,
               fmt::format("takes arrays, but operand {} is {}", i, ShapeName(call_.operand(i))));
  }
  return {call_.operand(i), args_[static_cast<size_t>(i)]};
}

StepArray CallSteps::Do(Opcode opcode, const NamedAttrs& attrs, std::vector<StepArray> in,
                        const Shape& result) const {
  std::vector<const Shape*> shapes;
  std::vector<Value> values;
  for (StepArray& array : in) {
    shapes.push_back(&array.shape);
    values.push_back(std::move(array.value));
  }
  return {result, CallOp(opcode, attrs, call_, shapes, values, result, context_)};
}

StepArray CallSteps::Map(Opcode opcode, std::vector<StepArray> in) const {
  const Shape shape = in.back().shape;
  return Do(opcode, {}, std::move(in), shape);
}

StepArray CallSteps::Convert(StepArray x, ElementType type) const {
  if (x.type() == type) return x;
  const Shape shape = Shape::Array(type, x.shape.dims());
  return Do(Opcode::kConvert, {}, {std::move(x)}, shape);
}

StepArray CallSteps::Filled(Complex number, const StepArray& like) const {
  Tensor scalar(like.type(), Dims{}, context_.budget());
  ConvertElements(DoubleTypeOf(like.type()), reinterpret_cast<const std::byte*>(&number),
                  like.type(), scalar.mutable_bytes(), 1);
  return Spread({Shape::Scalar(like.type()), Value(std::move(scalar))}, {}, like);
}

StepArray CallSteps::Spread(const StepArray& x, const Dims& dimensions,
                            const StepArray& like) const {
  return Do(Opcode::kBroadcast, {{"dimensions", dimensions}}, {Convert(x, like.type())},
            Shape::Array(like.type(), like.shape.dims()));
}

StepArray CallSteps::Times(StepArray x, Complex number) const {
  if (number == Complex(1)) return x;
  StepArray factor = Filled(number, x);
  return Map(Opcode::kMultiply, {std::move(x), std::move(factor)});
}

StepArray CallSteps::Times(StepArray x, const StepArray& scalar) const {
  StepArray factor = Spread(scalar, {}, x);
  return Map(Opcode::kMultiply, {std::move(x), std::move(factor)});
}

StepArray CallSteps::Stored(StepArray x, ElementType type) const {
  if (IsIntegral(type) && IsFloat(x.type())) x = Map(Opcode::kRoundNearestEven, {std::move(x)});
  if (const double most = LargestByte(type); most > 0) {
    x = Map(Opcode::kClamp, {Filled(-most, x), x, Filled(most, x)});
  }
  return Convert(std::move(x), type);
}

Value CallSteps::Results(std::vector<StepArray> parts) const {
  const Shape& whole = call_.shape();
  const size_t wanted = whole.IsTuple() ? whole.elements().size() : 1;
  const bool has_memory = wanted == parts.size() + 1 && whole.elements().back().IsArray();
  bool fits = wanted == parts.size() || has_memory;
  for (size_t i = 0; fits && i < parts.size(); ++i) {
    fits = Shape::Compatible(parts[i].shape, PartShape(whole, static_cast<int>(i)));
  }
  if (!fits) {
    std::vector<Shape> shapes;
    shapes.reserve(parts.size());
    for (const StepArray& part : parts) shapes.push_back(part.shape);
    RefuseCall(call_, fmt::format("gives {}, perhaps followed by memory to work in, not {}",
                                  ShapeName(shapes.size() == 1 ? shapes[0] : Shape::Tuple(shapes)),
                                  ShapeName(whole)));
  }
  Value::Elements values;
  for (StepArray& part : parts) values.push_back(std::move(part.value));
  if (has_memory) values.push_back(ZeroValue(whole.elements().back(), context_.budget()));
  return whole.IsTuple() ? Value::Tuple(std::move(values)) : std::move(values[0]);
}

ElementType WorkingType(ElementType result) {
  if (IsComplex(result) || result == ElementType::kF64) return result;
  return IsFloat(result) ? ElementType::kF32 : ElementType::kS32;
}

StepArray Unchanged(const CallSteps&, const StepArray& x) { return x; }

StepArray Relu(const CallSteps& steps, const StepArray& x) {
  return steps.Map(Opcode::kMaximum, {x, steps.Filled(0, x)});
}

StepArray Gelu(const CallSteps& steps, const StepArray& x) {
  // x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
  const StepArray cube = steps.Map(
      Opcode::kMultiply, {steps.Map(Opcode::kMultiply, {x, x}), steps.Times(x, 0.044715)});
  const StepArray inner =
      steps.Times(steps.Map(Opcode::kAdd, {x, cube}), 0.79788456080286535587989211986876);
  const StepArray factor =
      steps.Map(Opcode::kAdd, {steps.Map(Opcode::kTanh, {inner}), steps.Filled(1, x)});
  return steps.Map(Opcode::kMultiply, {steps.Times(x, 0.5), factor});
}

StepArray Sigmoid(const CallSteps& steps, const StepArray& x) {
  return steps.Map(Opcode::kLogistic, {x});
}
StepArray Relu6(const CallSteps& steps, const StepArray& x) {
  return steps.Map(Opcode::kClamp, {steps.Filled(0, x), x, steps.Filled(6, x)});
}
StepArray HyperbolicTangent(const CallSteps& steps, const StepArray& x) {
  return steps.Map(Opcode::kTanh, {x});
}

StepArray WherePositive(const CallSteps& steps, const StepArray& x, StepArray other) {
  StepArray is_positive =
      steps.Do(Opcode::kCompare, {{"direction", std::string("GT")}}, {x, steps.Filled(0, x)},
               Shape::Array(ElementType::kPred, x.shape.dims()));
  return steps.Map(Opcode::kSelect, {std::move(is_positive), x, std::move(other)});
}

StepArray Elu(const CallSteps& steps, const StepArray& x) {
  return WherePositive(steps, x, steps.Map(Opcode::kExponentialMinusOne, {x}));
}

const Activation& FindActivation(const OpCall& call, std::span<const Activation> rows,
                                 std::string_view name) {
  for (const Activation& row : rows) {
    if (row.name == name || row.number == name) return row;
  }
  RefuseCall(call, fmt::format("has the activation \"{}\", which is not known", name));
}

}  // namespace hlo
