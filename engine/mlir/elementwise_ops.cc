// Ops that compute element by element, constants, and bit casts.
#include <fmt/format.h>

#include <cstdlib>

#include "engine/mlir/op_rows.h"
#include "engine/ops/op_def.h"
#include "engine/types/convert.h"

namespace hlo::mlir {

Tensor NumberOf(ElementType type, double number) {
  Tensor tensor(type, Dims{}, nullptr);
  ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(&number), type,
                  tensor.mutable_bytes(), 1);
  return tensor;
}

namespace {

// How exact a function has to be: HLO says it in braces, `{mode=highest}` or
// `{tolerance={atol=1e-5,rtol=0,ulps=2}}`.
void AddAccuracy(OpImport& op, Attrs* attrs) {
  const Attr* accuracy = op.Find({"result_accuracy"});
  const Attr* mode = accuracy ? accuracy->Find("mode") : nullptr;
  if (!mode || mode->text == "DEFAULT") return;
  if (mode->text == "HIGHEST") {
    return attrs->Add({"result_accuracy", KeyValues{{"mode", "highest", true}}});
  }
  std::string limits;
  for (std::string_view name : {"atol", "rtol", "ulps"}) {
    const Attr* field = accuracy->Find(name);
    const double limit = !field                            ? 0
                         : field->kind == Attr::Kind::kInt ? static_cast<double>(field->integer)
                                                           : field->number;
    if (!(limit >= 0)) {
      op.Fail(DiagCode::kAttributeValue,
              fmt::format("Invalid tolerance: {} is {}, but must not be negative", name, limit),
              field->range);
      return;
    }
    limits += fmt::format("{}{}={}", limits.empty() ? "" : ",", name, limit);
  }
  attrs->Add({"result_accuracy", KeyValues{{"tolerance", "{" + limits + "}", true}}});
}

}  // namespace

void EmitPlain(OpImport& op) {
  const Shape* written =
      GetOpDef(op.row().opcode).result_shape == ResultShape::kWritten ? op.ResultShape() : nullptr;
  Attrs attrs;
  AddAccuracy(op, &attrs);
  op.SplitResult(op.Emit(op.row().opcode, op.operands, std::move(attrs), written));
}

void EmitCompare(OpImport& op) {
  std::string direction(op.Word({"comparison_direction"}));
  std::string order(op.Word({"compare_type", "comparison_type"}));
  const auto& words = op.op().words;
  if (direction.empty() && !words.empty()) direction = words[0];
  if (order.empty() && words.size() > 1) order = words[1];
  Attrs attrs = {{"direction", direction}};
  if (!order.empty() && order != "NOTYPE") attrs.Add({"type", order});
  op.Result(op.Emit(Opcode::kCompare, op.operands, std::move(attrs)));
}

// `format = e5m10`, or two attributes.
void EmitReducePrecision(OpImport& op) {
  int64_t exponent = op.Int({"exponent_bits"}), mantissa = op.Int({"mantissa_bits"});
  const std::string_view format = op.Word({"format"});
  if (const size_t m = format.find('m'); m != std::string_view::npos && format[0] == 'e') {
    exponent = std::atoi(std::string(format.substr(1, m - 1)).c_str());
    mantissa = std::atoi(std::string(format.substr(m + 1)).c_str());
  }
  op.Result(op.Emit(Opcode::kReducePrecision, op.operands,
                    {{"exponent_bits", exponent}, {"mantissa_bits", mantissa}}));
}

// Real numbers are complex ones without an imaginary part: that of NaN is 0 too.
void EmitRealOrImag(OpImport& op) {
  if (!op.Expect(1)) return;
  const bool is_real = IsFloat(op.operands[0]->shape().element_type());
  if (is_real && op.row().opcode == Opcode::kReal) return op.Result(op.operands[0]);
  EmitPlain(op);
}

// Quantised operands and results are converted around every op: nothing is left to do.
void EmitConversion(OpImport& op) {
  if (op.Expect(1)) op.Result(op.operands[0]);
}

// Complex numbers become real ones by their real part.
void EmitConvert(OpImport& op) {
  if (!op.Expect(1)) return;
  const Shape* result = op.ResultShape();
  if (result && IsComplex(op.operands[0]->shape().element_type()) &&
      !IsComplex(result->element_type())) {
    op.operands[0] = op.Emit(Opcode::kReal, op.operands);
  }
  EmitPlain(op);
}

// Complex numbers in the order of their real parts, and then of their imaginary ones.
void EmitMaxOrMin(OpImport& op) {
  if (!op.Expect(2)) return;
  if (!IsComplex(op.operands[0]->shape().element_type())) return EmitPlain(op);
  auto compare = [&](Opcode part, const char* direction) {
    return op.Emit(Opcode::kCompare,
                   {op.Emit(part, {op.operands[0]}), op.Emit(part, {op.operands[1]})},
                   {{"direction", std::string(direction)}});
  };
  const char* wanted = op.row().opcode == Opcode::kMaximum ? "GT" : "LT";
  Instruction* tie =
      op.Emit(Opcode::kAnd, {compare(Opcode::kReal, "EQ"), compare(Opcode::kImag, wanted)});
  Instruction* is_lhs = op.Emit(Opcode::kOr, {compare(Opcode::kReal, wanted), tie});
  op.Result(op.Emit(Opcode::kSelect, {is_lhs, op.operands[0], op.operands[1]}));
}

void EmitConstant(OpImport& op) {
  if (!op.Expect(0)) return;
  const Attr* value = op.Find({"value"});
  if (!value) {
    op.Fail(DiagCode::kAttributeMissing, "the value is missing");
    return;
  }
  auto tensor = op.Dense(*value, op.ResultShape());
  if (tensor) op.Result(op.Constant(std::move(*tensor)));
}

// Of a real number a product; of a complex one a function of its own.
void EmitSquare(OpImport& op) {
  if (!op.Expect(1)) return;
  if (IsComplex(op.operands[0]->shape().element_type())) return EmitChlo(op);
  op.Result(op.Emit(Opcode::kMultiply, {op.operands[0], op.operands[0]}));
}

// An i1 is one bit here, and eight to HLO: bits are put together and taken apart by shifts.
void EmitBitcast(OpImport& op) {
  const Shape* result = op.ResultShape();
  if (!result || !op.Expect(1)) return;
  const Shape from = op.operands[0]->shape();
  const bool is_joined = from.element_type() == ElementType::kPred;
  const bool is_split = result->IsArray() && result->element_type() == ElementType::kPred;
  const Shape& bits = is_joined ? from : *result;
  const Shape& whole = is_joined ? *result : from;
  const int width = BitsOf(whole.element_type());
  // Floats go through an integer of their width.
  const auto number = ElementTypeFromText(fmt::format("u{}", width));
  if (is_joined == is_split || !number || bits.rank() == 0 || bits.dim(bits.rank() - 1) != width) {
    return EmitPlain(op);
  }
  const int64_t last = bits.rank() - 1;
  const Shape wide = Shape::Array(*number, bits.dims());
  Instruction* place = op.Emit(Opcode::kIota, {}, {{"iota_dimension", last}}, &wide);
  if (is_joined) {
    Instruction* shifted =
        op.Emit(Opcode::kShiftLeft, {op.Emit(Opcode::kConvert, op.operands, {}, &wide), place});
    Instruction* joined = op.Emit(
        Opcode::kReduce, {shifted, op.Constant(NumberOf(*number, 0))},
        {{"dimensions", Dims{last}}, {"to_apply", op.AppliedRegion("or", Shape::Scalar(*number))}});
    return op.Result(op.Emit(Opcode::kBitcastConvert, {joined}, {}, result));
  }
  Dims map;
  for (int64_t i = 0; i < last; ++i) map.push_back(i);
  const Shape integers = Shape::Array(*number, whole.dims());
  Instruction* integer = op.Emit(Opcode::kBitcastConvert, op.operands, {}, &integers);
  Instruction* spread = op.Emit(Opcode::kBroadcast, {integer}, {{"dimensions", map}}, &wide);
  // The bit goes to the bottom, then to the top, alone: a number that is 0 or not.
  Instruction* low = op.Emit(Opcode::kShiftRightLogical, {spread, place});
  Instruction* distance = op.Emit(Opcode::kBroadcast, {op.Constant(NumberOf(*number, width - 1))},
                                  {{"dimensions", Dims{}}}, &wide);
  op.Result(op.Emit(Opcode::kConvert, {op.Emit(Opcode::kShiftLeft, {low, distance})}, {}, result));
}

}  // namespace hlo::mlir
