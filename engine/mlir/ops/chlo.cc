// The CHLO dialect: functions that become custom calls, and ops with implicit broadcasting.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/mlir/ops/families.h"
#include "engine/ops/custom_calls/custom_call_targets.h"

namespace hlo::mlir {
namespace {

// A function whose operands have one type: a custom call of that name, whose target has the rule.
void EmitFunction(OpImport& op, std::string_view target) {
  const BuiltInTarget* row = FindTarget(MathTargets(), target);
  if (op.operands.empty() || !row || !row->loop) {
    if (op.operands.empty()) op.Expect(1);
    return;
  }
  const Shape& first = op.operands[0]->shape();
  const ElementLoop loop = first.IsArray() ? row->loop(first.element_type()) : ElementLoop();
  if (!loop) {
    op.Fail(DiagCode::kOperandInvalid,
            fmt::format("takes {}, not {}", row->operands, ShapeName(first)));
    return;
  }
  if (!op.Expect(static_cast<size_t>(loop.operand_count))) return;
  for (const Instruction* operand : op.operands) {
    if (Shape::Compatible(operand->shape(), first)) continue;
    op.Fail(DiagCode::kShapeMismatch, fmt::format("takes operands of one type, not {} and {}",
                                                  ShapeName(first), ShapeName(operand->shape())));
    return;
  }
  Shape result = first;
  result.set_element_type(loop.result);
  op.Result(op.Emit(Opcode::kCustomCall, op.operands, {{"custom_call_target", std::string(target)}},
                    &result));
}

}  // namespace

void EmitChlo(OpImport& op) { EmitFunction(op, op.row().name); }

namespace {

// The identity on real numbers.
void EmitConj(OpImport& op) {
  if (!op.Expect(1)) return;
  if (IsComplex(op.operands[0]->shape().element_type())) return EmitChlo(op);
  op.Result(op.operands[0]);
}

// What asin and acos have in common, w: asin(z) is atan2(re z, re w) and im w with the sign of im
// z. In W. Kahan's form, which does not overflow: re w = re(sqrt(1 - z) sqrt(1 + z)).
void EmitAsinAcosKernel(OpImport& op) {
  if (!op.Expect(1)) return;
  Instruction* z = op.operands[0];
  const ElementType type = z->shape().element_type();
  if (!IsComplex(type)) {
    op.Fail(DiagCode::kOperandInvalid,
            fmt::format("takes complex numbers, not {}", ShapeName(z->shape())));
    return;
  }
  Instruction* one = op.Emit(Opcode::kBroadcast, {op.Constant(NumberOf(type, 1))},
                             {{"dimensions", Dims{}}}, &z->shape());
  const auto root_of = [&](Opcode opcode) {
    return op.Emit(Opcode::kSqrt, {op.Emit(opcode, {one, z})});
  };
  Instruction* product =
      op.Emit(Opcode::kMultiply, {root_of(Opcode::kSubtract), root_of(Opcode::kAdd)});
  Instruction* imag = op.Emit(Opcode::kImag, {op.Emit(Opcode::kAsin, {z})});
  op.Result(op.Emit(Opcode::kComplex,
                    {op.Emit(Opcode::kReal, {product}), op.Emit(Opcode::kAbs, {imag})}));
}

// Broadcasts the operands against each other: dimensions of size 1 are stretched, and missing ones
// are the leading ones, or those that broadcast_dimensions leaves out.
bool StretchOperands(OpImport& op) {
  int rank = 0;
  for (const Instruction* operand : op.operands) {
    if (!operand->shape().IsArray()) return op.Fail(DiagCode::kOperandInvalid, "takes arrays");
    rank = std::max(rank, operand->shape().rank());
  }
  const Dims given = op.Ints({"broadcast_dimensions"});
  std::vector<Dims> maps;
  Dims sizes(static_cast<size_t>(rank), 1);
  for (const Instruction* operand : op.operands) {
    const Shape& shape = operand->shape();
    Dims map;
    if (shape.rank() < rank && !given.empty()) {
      map = given;
    } else {
      for (int i = 0; i < shape.rank(); ++i) map.push_back(i + rank - shape.rank());
    }
    bool fits = static_cast<int>(map.size()) == shape.rank();
    for (int i = 0; fits && i < shape.rank(); ++i) {
      const int64_t to = map[static_cast<size_t>(i)];
      fits = to >= 0 && to < rank;
      if (!fits) break;
      int64_t& size = sizes[static_cast<size_t>(to)];
      fits = size == shape.dim(i) || size == 1 || shape.dim(i) == 1;
      if (shape.dim(i) != 1) size = shape.dim(i);
    }
    if (!fits) {
      return op.Fail(
          DiagCode::kDimensionNumbers,
          fmt::format("{} cannot be stretched to the shape of the others", ShapeName(shape)));
    }
    maps.push_back(std::move(map));
  }
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const Shape& from = op.operands[i]->shape();
    const Shape whole = Shape::Array(from.element_type(), sizes);
    if (from.dims() == sizes) continue;
    op.operands[i] = Stretch(op, op.operands[i], maps[i], whole);
    if (!op.operands[i]) return false;
  }
  return true;
}

// "chlo.broadcast_NAME": the op NAME on broadcast operands.
void EmitBroadcasting(OpImport& op) {
  const std::string_view name = op.row().name.substr(std::string_view("chlo.broadcast_").size());
  const OpRow* row = FindRow(name);
  if (!op.Expect(name == "select" ? 3 : 2) || !StretchOperands(op)) return;
  if (name == "compare") return EmitCompare(op);
  if (row && row->opcode) return op.EmitAs(*row);
  EmitFunction(op, fmt::format("chlo.{}", name));
}

}  // namespace

void EmitTopK(OpImport& op) {
  op.SplitResult(op.Emit(Opcode::kTopk, op.operands,
                         {{"k", op.Int({"k"})}, {"largest", op.Bool({"largest"}, true)}}));
}

namespace {

void WriteTopk(OpExport& op) {
  if (!op.call().Bool("largest", true)) return op.NoCounterpart("the smallest elements");
  op.Set(op.Write({"chlo.top_k", op.Filled("k = @k : i64")}, op.Operands()));
}

constexpr OpForm kTest = {
    .layout = "%0", .types = TypeForm::kArrow, .sample = " `%operand` : tensor<f32> -> tensor<i1>"};

// Two operands, whose sizes may differ.
constexpr OpForm kBroadcasting = {
    .layout = "%*", .sample = " `%lhs`, `%rhs` : (tensor<f32>, tensor<f32>) -> tensor<f32>"};

constexpr OpRow kChloRows[] = {
    {.name = "chlo._asin_acos_kernel",
     .form = {.layout = "%0",
              .types = TypeForm::kArrow,
              .sample = " `%operand` : tensor<complex<f32>> -> tensor<complex<f32>>"},
     .emit = EmitAsinAcosKernel,
     .is_like_operand = true},
    {.name = "chlo.bessel_i1e", .form = kUnaryArrow, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.broadcast_add",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_and",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_atan2",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_compare",
     .form = {.layout = "%*",
              .sample = " `%lhs`, `%rhs` {comparison_direction = #chlo<comparison_direction "
                        "`LT`>} : (tensor<f32>, tensor<f32>) -> tensor<i1>"},
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_complex",
     .form = {.layout = "%*",
              .sample = " `%real`, `%imag` : (tensor<f32>, tensor<f32>) -> tensor<complex<f32>>"},
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_divide",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_maximum",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_minimum",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_multiply",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_next_after",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_or",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_polygamma",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_power",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_remainder",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_select",
     .form = {.layout = "%*",
              .sample = " `%pred`, `%on_true`, `%on_false` : (tensor<i1>, tensor<f32>, "
                        "tensor<f32>) -> tensor<f32>"},
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_shift_left",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_shift_right_arithmetic",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_shift_right_logical",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_subtract",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_xor",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.broadcast_zeta",
     .form = kBroadcasting,
     .emit = EmitBroadcasting,
     .is_like_operand = true},
    {.name = "chlo.conj", .form = kUnaryArrow, .emit = EmitConj, .is_like_operand = true},
    {.name = "chlo.digamma", .form = kUnaryArrow, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.erf_inv", .form = kUnaryArrow, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.erfc", .form = kUnaryArrow, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.is_inf", .form = kTest, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.is_neg_inf", .form = kTest, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.is_pos_inf", .form = kTest, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.lgamma", .form = kUnaryArrow, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.next_after", .form = kBinaryArrow, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.polygamma", .form = kBinaryArrow, .emit = EmitChlo, .is_like_operand = true},
    {.name = "chlo.top_k",
     .opcode = Opcode::kTopk,
     .form = {.layout = "(%0, k = @k)",
              .types = TypeForm::kPair,
              .defaults = "largest=true;is_stable=true",
              .names = {"values,indices", ""},
              .sample = "(`%operand`, k = `2`) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)"},
     .emit = EmitTopK,
     .write = WriteTopk,
     .is_like_operand = true},
    {.name = "chlo.zeta", .form = kBinaryArrow, .emit = EmitChlo, .is_like_operand = true},
    {.name = "mhlo.topk",
     .opcode = Opcode::kTopk,
     .form = {.types = TypeForm::kNone,
              .sample = "(`%operand`) {k = `2` : i64} : (tensor<4xf32>) -> (tensor<2xf32>, "
                        "tensor<2xi32>)"},
     .emit = EmitTopK,
     .write = nullptr},
};

}  // namespace

std::span<const OpRow> ChloRows() { return kChloRows; }

}  // namespace hlo::mlir
