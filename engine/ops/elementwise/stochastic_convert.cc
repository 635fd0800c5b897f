// stochastic-convert: stochastic rounding by given random bits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

constexpr std::string_view kStochasticConvertOperands[] = {"operand", "random"};

std::optional<Shape> InferStochasticConvert(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  const Shape& random = call.operand(1);
  bool good = true;
  auto fail = [&](int i, const std::string& message) {
    ReportOperand(call, i, DiagCode::kElementType, message, out);
    good = false;
  };
  if (!IsUnsigned(random.element_type())) {
    fail(1,
         fmt::format("Random numbers for stochastic convert must be unsigned integers, but got: {}",
                     ShapeName(random)));
  }
  if (!IsFloat(operand.element_type())) {
    fail(0, fmt::format(
                "Stochastic convert supports only floating point operand conversion, but got: {}",
                ShapeName(operand)));
  }
  if (good && BitsOf(operand.element_type()) != BitsOf(random.element_type())) {
    fail(1, fmt::format("The random number is required to have same bits as the operand. But got "
                        "random bits: {}, operand bits: {}",
                        BitsOf(random.element_type()), BitsOf(operand.element_type())));
  }
  if (operand.dims() != random.dims()) {
    fail(1, fmt::format(
                "Stochastic convert operand shape does not match random tensor shape: {} vs {}.",
                ShapeName(operand), ShapeName(random)));
  }
  if (!good) return std::nullopt;
  if (!call.written() || !call.written()->IsArray()) return std::nullopt;
  Shape result = operand;
  result.set_element_type(call.written()->element_type());
  return result;
}

/// One element: `value` to an integer in [-largest - 1, largest], away from zero if `random` is
/// below the fraction in units of 2^-bits.
int64_t Convert(double value, uint64_t random, int bits, int64_t largest) {
  const int64_t smallest = -largest - 1;
  if (std::isnan(value)) return 0;
  if (value >= static_cast<double>(largest)) return largest;
  if (value <= static_cast<double>(smallest)) return smallest;
  const double magnitude = std::abs(value);
  int64_t whole = static_cast<int64_t>(magnitude);
  const double fraction = std::ldexp(magnitude - static_cast<double>(whole), bits);
  if (random < static_cast<uint64_t>(fraction)) {
    if (whole == largest) return value < 0 ? smallest : largest;
    ++whole;
  }
  return value < 0 ? -whole : whole;
}

Value EvalStochasticConvert(const OpCall& call, std::span<Value> args, EvalContext& context) {
  constexpr int64_t kBlock = 512;
  const Tensor& operand = args[0].tensor();
  const Tensor& random = args[1].tensor();
  const ElementType type = call.shape().element_type();
  if (!IsSigned(type)) {
    throw RunError(
        DiagCode::kNotExecutable,
        fmt::format("floats are rounded at random to signed integers, not to {}", Text(type)));
  }
  const int bits = BitsOf(operand.element_type());
  const int64_t largest = std::numeric_limits<int64_t>::max() >> (64 - BitsOf(type));
  Tensor result(call.shape(), context.budget());
  std::array<double, kBlock> values;
  std::array<uint64_t, kBlock> numbers;
  std::array<int64_t, kBlock> converted;
  for (int64_t done = 0; done < result.element_count(); done += kBlock) {
    const int64_t n = std::min(kBlock, result.element_count() - done);
    ConvertElements(operand.element_type(),
                    operand.bytes() + done * BytesOf(operand.element_type()), ElementType::kF64,
                    reinterpret_cast<std::byte*>(values.data()), n);
    ConvertElements(random.element_type(), random.bytes() + done * BytesOf(random.element_type()),
                    ElementType::kU64, reinterpret_cast<std::byte*>(numbers.data()), n);
    for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
      converted[i] = Convert(values[i], numbers[i], bits, largest);
    }
    ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(converted.data()), type,
                    result.mutable_bytes() + done * BytesOf(type), n);
    context.budget()->Poll();
  }
  Dims live = LiveDims(operand);
  MeetLiveDims(random, &live);
  SetLiveDims(&result, live);
  return result;
}

}  // namespace

namespace ops {

const OpDef kStochasticConvert{
    .doc =
        "Converts floats to signed integers, rounding up or down at random so that the expected "
        "result is the operand. Beyond the integers' range it saturates; NaN becomes 0.",
    .source =
        "XLA, shape_inference.cc, InferStochasticConvertShape; stochastic_convert_decomposer.cc",
    .operands = kStochasticConvertOperands,
    .types = "floats, and unsigned integers of as many bits; the result is a signed integer",
    .result_shape = ResultShape::kWritten,
    .infer = InferStochasticConvert,
    .eval = EvalStochasticConvert,
    .keeps_layout = true,
    .floats = FloatWidths::kAny,
};

}  // namespace ops
}  // namespace hlo
