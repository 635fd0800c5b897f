// Client HLO: functions that are custom calls of HLO, ops that stretch their operands, and what HLO
// has an op for.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/mlir/op_rows.h"
#include "engine/ops/custom_call_targets.h"

namespace hlo::mlir {
namespace {

// A function on operands of one type: the custom call of its name, which has the rule.
void EmitFunction(OpImport& op, std::string_view target) {
  const BuiltInTarget* row = FindBuiltIn(target);
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

// Of a real number: itself.
void EmitConj(OpImport& op) {
  if (!op.Expect(1)) return;
  if (IsComplex(op.operands[0]->shape().element_type())) return EmitChlo(op);
  op.Result(op.operands[0]);
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
  EmitFunction(op, fmt::format("chlo.{}", name));
}

void EmitConstantLike(OpImport& op) {
  const Attr* value = op.Find({"value"});
  if (!op.Expect(1) || !value) {
    if (!value) op.Fail(DiagCode::kAttributeMissing, "the value is missing");
    return;
  }
  const Shape like = op.operands[0]->shape();
  // A number without a type is of 64 bits.
  const Shape scalar =
      Shape::Scalar(value->kind == Attr::Kind::kInt ? ElementType::kS64 : ElementType::kF64);
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
