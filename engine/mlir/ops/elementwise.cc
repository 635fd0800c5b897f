// Element-wise ops.
#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "engine/mlir/ops/families.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/elementwise/compare.h"
#include "engine/types/convert.h"
#include "engine/types/number_text.h"

namespace hlo::mlir {

Tensor NumberOf(ElementType type, double number) {
  Tensor tensor(type, Dims{}, nullptr);
  ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(&number), type,
                  tensor.mutable_bytes(), 1);
  return tensor;
}

namespace {

bool IsOrder(std::string_view direction) { return direction != "EQ" && direction != "NE"; }

// Compares complex operands lexicographically: by real part, then by imaginary part. HLO has no
// order of them.
Instruction* CompareComplex(OpImport& op, const std::string& direction) {
  const auto compare = [&](Opcode part, const std::string& wanted) {
    return op.Emit(Opcode::kCompare,
                   {op.Emit(part, {op.operands[0]}), op.Emit(part, {op.operands[1]})},
                   {{"direction", wanted}});
  };
  Instruction* tie =
      op.Emit(Opcode::kAnd, {compare(Opcode::kReal, "EQ"), compare(Opcode::kImag, direction)});
  return op.Emit(Opcode::kOr, {compare(Opcode::kReal, direction.substr(0, 1) + "T"), tie});
}

}  // namespace

// A comparison type that HLO writes as an order.
constexpr std::string_view kWeakOrder = "WEAKORDER";

void EmitCompare(OpImport& op) {
  std::string direction(op.Word({"comparison_direction"}));
  std::string order(op.Word({"compare_type", "comparison_type"}));
  const auto& words = op.op().words;
  if (direction.empty() && !words.empty()) direction = words[0];
  if (order.empty() && words.size() > 1) order = words[1];
  if (direction.size() == 2 && IsOrder(direction) && op.operands.size() == 2 &&
      IsComplex(op.operands[0]->shape().element_type()) &&
      Shape::Compatible(op.operands[0]->shape(), op.operands[1]->shape())) {
    return op.Result(CompareComplex(op, direction));
  }
  Attrs attrs = {{"direction", direction}};
  const Shape compared = op.operands.empty() ? Shape() : op.operands[0]->shape();
  const bool is_of_floats = order == "FLOAT" || order == "TOTALORDER";
  const bool has_integers = compared.IsArray() && !IsFloat(compared.element_type());
  if (order == kWeakOrder) {
    attrs.Add({"order", std::string("WEAK")});
  } else if (is_of_floats && has_integers) {
    // StableHLO does not check this (CompareOp has no verifier); integers have one order.
    op.Warn(DiagCode::kAttributeValue,
            fmt::format("{} is an order of floats: integers are compared as such", order));
  } else if (!order.empty() && order != "NOTYPE") {
    attrs.Add({"type", order});
  }
  op.Result(op.Emit(Opcode::kCompare, op.operands, std::move(attrs)));
}

std::string CompareAttrs(std::string_view direction, std::string_view order) {
  return fmt::format(
      "comparison_direction = #stablehlo<comparison_direction {}>, compare_type = "
      "#stablehlo<comparison_type {}>",
      direction, order);
}

namespace {

void WriteCompare(OpExport& op) {
  const ElementType type = op.In(0).type->element_type();
  std::string_view order = ComparisonTypeText(op.call());
  if (order.empty()) order = kWeakOrder;
  const std::string direction = op.AttrText("direction");
  if (IsComplex(type) && IsOrder(direction)) {
    return op.NoCounterpart("complex numbers have no order in HLO");
  }
  op.Set(op.Write({"stablehlo.compare", CompareAttrs(direction, order)}, op.Operands()));
}

// The number after `letter` at the front of *text, which is cut off; nothing if there is none.
std::optional<int64_t> TakeBits(char letter, std::string_view* text) {
  if (text->empty() || text->front() != letter) return std::nullopt;
  text->remove_prefix(1);
  const char* const begin = text->data();
  const IntegerToken token = ScanInteger(begin, begin + text->size());
  const bool is_number = token.end != begin && !token.is_negative && token.fits;
  if (!is_number || token.magnitude > INT32_MAX) return std::nullopt;
  text->remove_prefix(static_cast<size_t>(token.end - begin));
  return static_cast<int64_t>(token.magnitude);
}

// `format = e5m10`, or two attributes.
void EmitReducePrecision(OpImport& op) {
  const Attr* const format = op.Find({"format"});
  int64_t exponent = format ? 0 : op.NeededInt({"exponent_bits"});
  int64_t mantissa = format ? 0 : op.NeededInt({"mantissa_bits"});
  if (format) {
    std::string_view text = format->kind == Attr::Kind::kWord ? format->text : std::string_view();
    const auto e = TakeBits('e', &text), m = TakeBits('m', &text);
    if (!e || !m || !text.empty()) {
      op.Fail(DiagCode::kAttributeValue,
              fmt::format("expected exponent mantissa in format e#m#, saw {}", op.TextOf(*format)),
              format->range);
      return;
    }
    exponent = *e;
    mantissa = *m;
  }
  op.Result(op.Emit(Opcode::kReducePrecision, op.operands,
                    {{"exponent_bits", exponent}, {"mantissa_bits", mantissa}}));
}

// Real operands become complex ones with a zero imaginary part.
void EmitReal(OpImport& op) {
  if (!op.Expect(1)) return;
  if (IsFloat(op.operands[0]->shape().element_type())) return op.Result(op.operands[0]);
  EmitPlain(op);
}

// Quantised operands and results are converted around every op, so nothing is left to do here.
void EmitConversion(OpImport& op) {
  if (!op.Expect(1)) return;
  const bool is_to_real = op.row().name == "uniform_dequantize";
  const Type* type =
      is_to_real && !op.op().operand_types.empty() ? op.op().operand_types[0] : op.ResultType(0);
  if (type && !type->quantization) {
    op.Fail(DiagCode::kElementType,
            fmt::format("{} #0 must be of a quantized type, but got '{}'",
                        is_to_real ? "operand" : "result", op.TextOf(*type)));
    return;
  }
  op.Result(op.operands[0]);
}

// Complex to real: the real part.
void EmitConvert(OpImport& op) {
  if (!op.Expect(1)) return;
  const Shape* result = op.ResultShape();
  if (result && IsComplex(op.operands[0]->shape().element_type()) &&
      !IsComplex(result->element_type())) {
    op.operands[0] = op.Emit(Opcode::kReal, op.operands);
  }
  EmitPlain(op);
}

// HLO's convert to pred is true if either part of a complex number is nonzero; StableHLO's looks at
// the real part alone.
void WriteConvert(OpExport& op) {
  const Ssa value = op.In(0);
  if (!IsComplex(value.type->element_type()) || op.shape().element_type() != ElementType::kPred) {
    return WritePlain(op);
  }
  Shape part = *value.type;
  part.set_element_type(ComponentType(value.type->element_type()));
  Leaves parts;
  for (const std::string_view name : {"stablehlo.real", "stablehlo.imag"}) {
    parts.push_back(op.Convert(op.Make(name, {value}, part), ElementType::kPred));
  }
  op.Set(op.Write({"stablehlo.or", ""}, parts));
}

void EmitMaxOrMin(OpImport& op) {
  if (!op.Expect(2)) return;
  if (!IsComplex(op.operands[0]->shape().element_type())) return EmitPlain(op);
  Instruction* is_lhs = CompareComplex(op, op.opcode() == Opcode::kMaximum ? "GT" : "LT");
  op.Result(op.Emit(Opcode::kSelect, {is_lhs, op.operands[0], op.operands[1]}));
}

// For real numbers a product; for complex ones a custom call.
void EmitSquare(OpImport& op) {
  if (!op.Expect(1)) return;
  if (IsComplex(op.operands[0]->shape().element_type())) return EmitChlo(op);
  op.Result(op.Emit(Opcode::kMultiply, {op.operands[0], op.operands[0]}));
}

constexpr OpRow kElementwiseRows[] = {
    {"abs", Opcode::kAbs, kUnary},
    {.name = "add", .opcode = Opcode::kAdd, .form = kBinary, .quantized = Quantized::kPerAxis},
    {"and", Opcode::kAnd, kBinary},
    {"atan2", Opcode::kAtan2, kBinary},
    {"cbrt", Opcode::kCbrt, kUnary},
    {"ceil", Opcode::kCeil, kUnary},
    {"chlo.acos", Opcode::kAcos, kUnaryArrow},
    {"chlo.acosh", Opcode::kAcosh, kUnaryArrow},
    {"chlo.asin", Opcode::kAsin, kUnaryArrow},
    {"chlo.asinh", Opcode::kAsinh, kUnaryArrow},
    {"chlo.atan", Opcode::kAtan, kUnaryArrow},
    {.name = "chlo.atan2", .opcode = Opcode::kAtan2, .form = kBinaryArrow, .write = nullptr},
    {"chlo.atanh", Opcode::kAtanh, kUnaryArrow},
    {"chlo.cosh", Opcode::kCosh, kUnaryArrow},
    {"chlo.erf", Opcode::kErf, kUnaryArrow},
    {.name = "chlo.mulhi",
     .opcode = Opcode::kMulhi,
     .form = kBinaryArrow,
     .elements = Elements::kIntegers},
    {"chlo.sinh", Opcode::kSinh, kUnaryArrow},
    {.name = "chlo.square", .form = kUnaryArrow, .emit = EmitSquare, .is_like_operand = true},
    {.name = "chlo.tan", .opcode = Opcode::kTan, .form = kUnaryArrow, .write = nullptr},
    {"clamp", Opcode::kClamp, {.layout = "%*", .types = TypeForm::kSame}},
    {.name = "compare",
     .opcode = Opcode::kCompare,
     .form = {.sample = " `LT`, `%lhs`, `%rhs` : (tensor<f32>, tensor<f32>) -> tensor<i1>",
              .print = PrintCompare},
     .emit = EmitCompare,
     .write = WriteCompare},
    {.name = "complex",
     .opcode = Opcode::kComplex,
     .form = {.layout = "%*", .types = TypeForm::kComplex},
     .quantized = Quantized::kNone},
    {.name = "convert",
     .opcode = Opcode::kConvert,
     .form = kUnary,
     .emit = EmitConvert,
     .write = WriteConvert,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kNone},
    {"cosine", Opcode::kCosine, kUnary},
    {"count_leading_zeros", Opcode::kCountLeadingZeros, kUnary},
    {"divide", Opcode::kDivide, kBinary},
    {.name = "erf", .opcode = Opcode::kErf, .write = nullptr},
    {"exponential", Opcode::kExponential, kUnary},
    {"exponential_minus_one", Opcode::kExponentialMinusOne, kUnary},
    {"floor", Opcode::kFloor, kUnary},
    {.name = "imag", .opcode = Opcode::kImag, .form = kUnary, .quantized = Quantized::kNone},
    {"is_finite", Opcode::kIsFinite, kListed},
    {"log", Opcode::kLog, kUnary},
    {"log_plus_one", Opcode::kLogPlusOne, kUnary},
    {"logistic", Opcode::kLogistic, kUnary},
    {.name = "maximum", .opcode = Opcode::kMaximum, .form = kBinary, .emit = EmitMaxOrMin},
    {.name = "mhlo.stochastic_convert",
     .opcode = Opcode::kStochasticConvert,
     .write = WriteNone,
     .mixing = Mixing::kAny},
    {.name = "minimum", .opcode = Opcode::kMinimum, .form = kBinary, .emit = EmitMaxOrMin},
    {"multiply", Opcode::kMultiply, kBinary},
    {"negate", Opcode::kNegate, kUnary},
    {"not", Opcode::kNot, kUnary},
    {"or", Opcode::kOr, kBinary},
    {"popcnt", Opcode::kPopcnt, kUnary},
    {.name = "power", .opcode = Opcode::kPower, .form = kBinary, .elements = Elements::kNumbers},
    {.name = "real",
     .opcode = Opcode::kReal,
     .form = kUnary,
     .emit = EmitReal,
     .quantized = Quantized::kNone},
    {.name = "reduce_precision",
     .opcode = Opcode::kReducePrecision,
     .form = {.types = TypeForm::kSame,
              .items = "format",
              .sample = " `%operand`, format = `e5m10` : tensor<f32>",
              .print = PrintReducePrecision},
     .attrs = {{"exponent_bits", Spelling::kInt32}, {"mantissa_bits", Spelling::kInt32}},
     .emit = EmitReducePrecision},
    {"remainder", Opcode::kRemainder, kBinary},
    {"round_nearest_afz", Opcode::kRoundNearestAfz, kUnary},
    {"round_nearest_even", Opcode::kRoundNearestEven, kUnary},
    {"rsqrt", Opcode::kRsqrt, kUnary},
    {"select", Opcode::kSelect, {.layout = "%*", .types = TypeForm::kSelect}},
    {.name = "shift_left",
     .opcode = Opcode::kShiftLeft,
     .form = kBinary,
     .elements = Elements::kIntegers},
    {.name = "shift_right_arithmetic",
     .opcode = Opcode::kShiftRightArithmetic,
     .form = kBinary,
     .elements = Elements::kIntegers},
    {.name = "shift_right_logical",
     .opcode = Opcode::kShiftRightLogical,
     .form = kBinary,
     .elements = Elements::kIntegers},
    {"sign", Opcode::kSign, kUnary},
    {"sine", Opcode::kSine, kUnary},
    {"sqrt", Opcode::kSqrt, kUnary},
    {"subtract", Opcode::kSubtract, kBinary},
    {"tan", Opcode::kTan, kUnary},
    {"tanh", Opcode::kTanh, kUnary},
    {.name = "uniform_dequantize",
     .form = kUnary,
     .emit = EmitConversion,
     .quantized = Quantized::kPerAxis,
     .is_like_operand = true},
    {.name = "uniform_quantize",
     .form = kUnary,
     .emit = EmitConversion,
     .quantized = Quantized::kPerAxis,
     .is_like_operand = true},
    {"xor", Opcode::kXor, kBinary},
};

}  // namespace

std::span<const OpRow> ElementwiseRows() { return kElementwiseRows; }

}  // namespace hlo::mlir
