// Quantised types, and the arithmetic between stored and real numbers.
#include "engine/mlir/import/quantization.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/mlir/import/op_import.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/type_reader.h"
#include "engine/types/convert.h"
#include "engine/types/number_text.h"

namespace hlo::mlir {
namespace {

bool ReadNumber(Cursor& in, double* value) {
  in.SkipSpace();
  const std::string_view text = in.text();
  const char* const begin = text.data() + in.position();
  const char* const end = ScanDouble(begin, text.data() + text.size(), value);
  in.Advance(static_cast<size_t>(end - begin));
  return end != begin && std::isfinite(*value);
}

bool ReadScale(Cursor& in, Quantization& out) {
  double scale = 0, zero = 0;
  if (!ReadNumber(in, &scale)) return false;
  if (in.Take(":") && !ReadNumber(in, &zero)) return false;
  if (std::fabs(zero) > 2147483648.0) return false;
  out.scales.push_back(scale);
  out.zero_points.push_back(static_cast<int64_t>(zero));
  return true;
}

std::optional<ElementType> ReadType(Cursor& in) {
  in.SkipSpace();
  const size_t begin = in.position();
  while (IsNameStart(in.Peek()) || IsDigit(in.Peek())) in.Advance();
  const std::string_view word = in.Since(begin);
  if (word.size() > 1 && word[0] == 'u' && IsDigit(word[1])) {
    return ElementTypeFromText(word);  // !quant writes u8 for ui8
  }
  return ScalarType(word);
}

// The constraint that the numbers break; empty if they are valid.
std::string NumberFault(const Quantization& quant, double lowest, double highest, bool has_list) {
  if (!(lowest <= quant.min && quant.min < quant.max && quant.max <= highest)) {
    return fmt::format("the stored values are between {} and {}, and must be a range within {}:{}",
                       quant.min, quant.max, lowest, highest);
  }
  if (has_list != (quant.axis >= 0)) return "a list of scales needs an axis, and an axis a list";
  for (size_t i = 0; i < quant.scales.size(); ++i) {
    if (quant.scales[i] <= 0) return fmt::format("illegal scale: {}", quant.scales[i]);
    const auto zero = static_cast<double>(quant.zero_points[i]);
    if (zero < quant.min || zero > quant.max) {
      return fmt::format("the zero point {} is no stored value", zero);
    }
  }
  return {};
}

}  // namespace

std::string AxisFault(const Quantization& quant, std::span<const int64_t> dims) {
  if (quant.axis < 0) return {};
  const auto axis = static_cast<size_t>(quant.axis);
  if (axis >= dims.size()) {
    return fmt::format("the axis {} of a quantised type is no dimension of the tensor", axis);
  }
  const auto scales = static_cast<int64_t>(quant.scales.size());
  if (dims[axis] < 0 || dims[axis] == scales) return {};
  return fmt::format("there are {} scales for the {} indices of dimension {}", scales, dims[axis],
                     axis);
}

std::optional<Quantization> ReadQuantization(std::string_view text, std::string* problem) {
  Cursor in(text);
  Quantization out;
  const auto storage = ReadType(in);
  if (!storage || !IsIntegral(*storage) || BitsOf(*storage) > 32) return std::nullopt;
  out.storage = *storage;
  const int bits = BitsOf(*storage) - IsSigned(*storage);
  out.max = std::ldexp(1.0, bits) - 1;
  out.min = IsSigned(*storage) ? -std::ldexp(1.0, bits) : 0;
  const double lowest = out.min, highest = out.max;
  if (in.Take("<")) {
    if (!ReadNumber(in, &out.min) || !in.Take(":") || !ReadNumber(in, &out.max) || !in.Take(">")) {
      return std::nullopt;
    }
  }
  if (!in.Take(":")) return std::nullopt;
  const auto expressed = ReadType(in);
  if (!expressed || !IsFloat(*expressed)) return std::nullopt;
  out.expressed = *expressed;
  if (in.Take(":")) {
    double axis = 0;
    if (!ReadNumber(in, &axis) || axis < 0 || axis > 31) return std::nullopt;
    out.axis = static_cast<int64_t>(axis);
  }
  if (!in.Take(",")) return std::nullopt;
  const bool has_list = in.Take("{");
  do {
    if (!ReadScale(in, out)) return std::nullopt;
  } while (has_list && in.Take(","));
  if (has_list && !in.Take("}")) return std::nullopt;
  in.SkipSpace();
  if (!in.AtEnd()) return std::nullopt;
  *problem = NumberFault(out, lowest, highest, has_list);
  return problem->empty() ? std::optional(std::move(out)) : std::nullopt;
}

// ---- Arithmetic ---------------------------------------------------------------------------------

// Scales or zero points as an array of the shape of `like` with element type `type`: one for all
// elements, or one per index along the axis.
Instruction* OpImport::Spread(const std::vector<double>& numbers, int64_t axis, ElementType type,
                              const Instruction* like) {
  const bool is_one = axis < 0;
  Dims dims, map;
  if (!is_one) {
    dims.push_back(static_cast<int64_t>(numbers.size()));
    map.push_back(axis);
  }
  Tensor tensor(type, dims, nullptr);
  ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(numbers.data()), type,
                  tensor.mutable_bytes(), tensor.element_count());
  const Shape shape = Shape::Array(type, like->shape().dims());
  return Emit(Opcode::kBroadcast, {Constant(std::move(tensor))}, {{"dimensions", map}}, &shape);
}

Instruction* OpImport::Dequantize(Instruction* value, const Quantization& quant) {
  if (!value || !value->shape().IsArray()) return nullptr;
  const Shape wide = Shape::Array(ElementType::kS32, value->shape().dims());
  const Shape real = Shape::Array(quant.expressed, value->shape().dims());
  const std::vector<double> zeros(quant.zero_points.begin(), quant.zero_points.end());
  Instruction* centred =
      Emit(Opcode::kSubtract, {Emit(Opcode::kConvert, {value}, {}, &wide),
                               Spread(zeros, quant.axis, ElementType::kS32, value)});
  return Emit(Opcode::kMultiply, {Emit(Opcode::kConvert, {centred}, {}, &real),
                                  Spread(quant.scales, quant.axis, quant.expressed, value)});
}

Instruction* OpImport::Quantize(Instruction* value, const Quantization& quant) {
  if (!value || !value->shape().IsArray()) return nullptr;
  const Shape stored = Shape::Array(quant.storage, value->shape().dims());
  const std::vector<double> zeros(quant.zero_points.begin(), quant.zero_points.end());
  Instruction* scaled =
      Emit(Opcode::kDivide, {value, Spread(quant.scales, quant.axis, quant.expressed, value)});
  Instruction* moved =
      Emit(Opcode::kAdd, {scaled, Spread(zeros, quant.axis, quant.expressed, value)});
  Instruction* clamped =
      Emit(Opcode::kClamp, {Spread({quant.min}, -1, quant.expressed, value), moved,
                            Spread({quant.max}, -1, quant.expressed, value)});
  Instruction* rounded = Emit(Opcode::kRoundNearestEven, {clamped});
  return Emit(Opcode::kConvert, {rounded}, {}, &stored);
}

void OpImport::DequantizeOperands() {
  const std::vector<const Type*>& types = op_.operand_types;
  const auto is_quantized = [](const Type* type) { return type->kind == Type::Kind::kQuantized; };
  is_quantized_ = std::any_of(types.begin(), types.end(), is_quantized) ||
                  std::any_of(op_.result_types.begin(), op_.result_types.end(), is_quantized);
  if (row_->quantized == Quantized::kStored) is_quantized_ = false;
  if (is_quantized_ && !HasAllowedAxes()) return;
  // A region takes stored values, and so the op does.
  if (is_quantized_ && HasQuantizedRegion()) is_quantized_ = false;
  if (!is_quantized_ || types.empty() || !HasValidQuantization()) return;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Type& type = *types[std::min(i, types.size() - 1)];
    if (type.quantization) operands[i] = Dequantize(operands[i], *type.quantization);
  }
}

}  // namespace hlo::mlir
