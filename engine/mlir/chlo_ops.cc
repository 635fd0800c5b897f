// Client HLO: functions as formulas, ops that stretch their operands, and what HLO has an op for.
#include <fmt/format.h>

#include <algorithm>

#include "engine/mlir/formula.h"
#include "engine/mlir/op_rows.h"

namespace hlo::mlir {
namespace {

// "chlo.name" or "mhlo.name".
std::string_view BareName(std::string_view name) { return name.substr(name.find('.') + 1); }

bool AreFloats(OpImport& op, const Values& operands) {
  const auto is_float = [](const Instruction* value) {
    const Shape& shape = value->shape();
    return shape.IsArray() && IsFloat(shape.element_type());
  };
  if (std::all_of(operands.begin(), operands.end(), is_float)) return true;
  return op.Fail(DiagCode::kOperandInvalid, "takes arrays of floats");
}

// The formula of this name on operands of one shape; null after a fault.
Instruction* Apply(OpImport& op, std::string_view name, const Values& operands) {
  const ElementType type = operands[0]->shape().element_type();
  const Formula* formula =
      FindFormula(fmt::format("{}{}", name, type == ElementType::kF64 ? 64 : 32));
  if (!formula) formula = FindFormula(name);
  if (!formula || formula->parameters.size() != operands.size()) {
    op.Fail(DiagCode::kOperandCount, fmt::format("does not take {} operands", operands.size()));
    return nullptr;
  }
  return EmitFormula(op, *formula, operands);
}

}  // namespace

void EmitChlo(OpImport& op) {
  if (op.operands.empty() || !AreFloats(op, op.operands)) {
    if (op.operands.empty()) op.Expect(1);
    return;
  }
  for (const Instruction* operand : op.operands) {
    if (Shape::Compatible(operand->shape(), op.operands[0]->shape())) continue;
    op.Fail(DiagCode::kShapeMismatch,
            fmt::format("takes operands of one type, not {} and {}",
                        ShapeName(op.operands[0]->shape()), ShapeName(operand->shape())));
    return;
  }
  op.Result(Apply(op, BareName(op.row().name), op.operands));
}

// Of a real number: itself.
void EmitConj(OpImport& op) {
  if (!op.Expect(1)) return;
  const bool is_complex = IsComplex(op.operands[0]->shape().element_type());
  op.Result(is_complex ? Apply(op, "conj", op.operands) : op.operands[0]);
}

// ---- Stretched operands -------------------------------------------------------------------------

namespace {

// Makes the operands as large as the largest of each dimension: dimensions of size 1 are stretched,
// and missing ones are the first, or those that broadcast_dimensions leaves out.
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

}  // namespace

// "chlo.broadcast_NAME": the op of that name on stretched operands.
void EmitBroadcasting(OpImport& op) {
  const std::string_view name = op.row().name.substr(std::string_view("chlo.broadcast_").size());
  const OpRow* row = FindRow(name);
  if (!op.Expect(name == "select" ? 3 : 2) || !StretchOperands(op)) return;
  if (name == "compare") return EmitCompare(op);
  if (row) return op.Result(op.Emit(row->opcode, op.operands));
  if (AreFloats(op, op.operands)) op.Result(Apply(op, name, op.operands));
}

void EmitConstantLike(OpImport& op) {
  const Attr* value = op.Find({"value"});
  if (!op.Expect(1) || !value) {
    if (!value) op.Fail(DiagCode::kAttributeMissing, "the value is missing");
    return;
  }
  const Shape* written = op.ResultShape();
  const Shape like = op.operands[0]->shape();
  const Shape scalar = Shape::Scalar((written ? *written : like).element_type());
  auto number = op.Dense(*value, &scalar);
  if (!number) return;
  const Shape shape = Shape::Array(number->element_type(), like.dims());
  op.Result(op.Emit(Opcode::kBroadcast, {op.Constant(std::move(*number))}, {{"dimensions", Dims{}}},
                    &shape));
}

// ---- Ops of HLO ---------------------------------------------------------------------------------

void EmitTopK(OpImport& op) {
  op.SplitResult(op.Emit(Opcode::kTopk, op.operands,
                         {{"k", op.Int({"k"})}, {"largest", op.Bool({"largest"}, true)}}));
}

}  // namespace hlo::mlir
