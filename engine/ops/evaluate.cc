#include "engine/ops/evaluate.h"

#include <fmt/format.h>

#include <string>

#include "engine/ops/op_def.h"

namespace hlo {
namespace {

std::string ValueName(const Value& value) {
  if (value.is_token()) return "a token";
  if (value.is_tuple()) return fmt::format("a tuple of {}", value.elements().size());
  const Tensor& tensor = value.tensor();
  if (!tensor) return "nothing";
  std::string name = ShapeName(Shape::Array(tensor.element_type(), tensor.dims()));
  if (!tensor.dynamic_sizes().empty()) {
    name += fmt::format(" with the sizes [{}]", fmt::join(tensor.dynamic_sizes().begin(),
                                                          tensor.dynamic_sizes().end(), ","));
  }
  return name;
}

bool HasOpenSize(const Shape& shape) {
  const auto is_open = [](const Shape& part) { return HasOpenSize(part); };
  if (shape.IsTuple())
    return std::any_of(shape.elements().begin(), shape.elements().end(), is_open);
  return shape.IsArray() && std::find(shape.dims().begin(), shape.dims().end(),
                                      Shape::kUnbounded) != shape.dims().end();
}

[[noreturn]] void ThrowMisfit(const Value& value, const Shape& shape) {
  if (HasOpenSize(shape)) {
    throw RunError(DiagCode::kNotExecutable,
                   fmt::format("{} leaves a size open: write the size, or a bound as in f32[<=8]",
                               ShapeName(shape)));
  }
  throw RunError(DiagCode::kInternalFault,
                 fmt::format("a fault of this engine: the value should be {}, but is {}. Please "
                             "report it with the program",
                             ShapeName(shape), ValueName(value)));
}

bool SizesFit(const Tensor& tensor) {
  const Dims& sizes = tensor.dynamic_sizes();
  if (sizes.size() != tensor.dims().size()) return false;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] < 0 || sizes[d] > tensor.dims()[d]) return false;
  }
  return true;
}

bool ArrayFits(const Value& value, const Shape& shape) {
  if (!value.is_array()) return false;
  const Tensor& tensor = value.tensor();
  return tensor.element_type() == shape.element_type() && tensor.dims() == shape.dims() &&
         tensor.HoldsElements() && (tensor.dynamic_sizes().empty() || SizesFit(tensor));
}

bool HasKind(const Value& value, const Shape& shape) {
  if (shape.IsTuple()) {
    return value.is_tuple() && value.elements().size() == shape.elements().size();
  }
  return shape.IsArray() || shape.IsBuffer() ? ArrayFits(value, shape) : value.is_token();
}

}  // namespace

void CheckValue(const Value& value, const Shape& shape) {
  if (!HasKind(value, shape)) ThrowMisfit(value, shape);
  if (!shape.IsTuple()) return;
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    const Shape& element = shape.elements()[i];
    if (!HasKind(value.elements()[i], element)) ThrowMisfit(value.elements()[i], element);
  }
}

namespace {

Value Evaluated(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const ProductRounding products = context.products();
  return products ? products(call, args, context) : call.def().eval(call, args, context);
}

}  // namespace

Value EvaluateOp(const OpCall& call, const MixedCall* mixed, std::span<Value> args,
                 EvalContext& context) {
  if (!mixed) {
    Value value = Evaluated(call, args, context);
    const bool may_differ = call.def().floats == FloatWidths::kAny && !call.def().keeps_data;
    return may_differ ? RoundFloats(std::move(value), call.shape(), context.budget())
                      : std::move(value);
  }
  mixed->BringOperands(args, context.budget());
  Value value = Evaluated(mixed->call(), args, context);
  CheckValue(value, mixed->call().shape());
  return RoundFloats(std::move(value), call.shape(), context.budget());
}

}  // namespace hlo
