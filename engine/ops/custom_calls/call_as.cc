#include "engine/ops/custom_calls/call_as.h"

#include <fmt/format.h>

#include "engine/ops/evaluate.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

[[noreturn]] void Refuse(const OpCall& call, Opcode opcode, std::string_view why) {
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("custom-call to {} runs as {}: {}",
                             call.attrs().String("custom_call_target"), Text(opcode), why));
}

AttrList ListOf(Opcode opcode, const NamedAttrs& attrs, const OpCall& call) {
  Diagnostics faults;
  std::optional<AttrList> list = ToAttrList(opcode, attrs, faults);
  if (!list) Refuse(call, opcode, faults.empty() ? "without a region" : faults.list()[0].message);
  return std::move(*list);
}

/// Checks that the parser and the verifier make for ordinary instructions.
void Check(const OpCall& op, const OpCall& call, const Shape& result) {
  if (!TakesOperands(op.opcode(), static_cast<size_t>(op.operand_count()))) {
    Refuse(call, op.opcode(), fmt::format("it does not take {} operands", op.operand_count()));
  }
  Diagnostics faults;
  const std::optional<Shape> inferred = InferShape(op, faults);
  if (faults.has_errors()) Refuse(call, op.opcode(), faults.list()[0].message);
  if (inferred && !Shape::Compatible(*inferred, result)) {
    Refuse(call, op.opcode(),
           fmt::format("the result is {}, not {}", ShapeName(*inferred), ShapeName(result)));
  }
}

}  // namespace

Value CallOp(Opcode opcode, const NamedAttrs& attrs, const OpCall& call,
             std::span<const Shape* const> shapes, std::span<Value> args, const Shape& result,
             EvalContext& context) {
  const OpDef& def = GetOpDef(opcode);
  const AttrList list = ListOf(opcode, attrs, call);
  OpCall::Parts parts;
  parts.opcode = opcode;
  parts.name = call.name();
  for (const Shape* shape : shapes) parts.operands.push_back(shape);
  parts.attrs = &list;
  parts.written = &result;
  parts.range = call.range();
  parts.shape_range = call.shape_range();
  const OpCall op(std::move(parts));
  Check(op, call, result);
  if (!def.eval) Refuse(call, opcode, "which runs only as an instruction");
  Value value = EvaluateOp(op, MixedCall::Of(op).get(), args, context);
  CheckValue(value, result);
  return value;
}

Value CallAs(Opcode opcode, const NamedAttrs& attrs, const OpCall& call, std::span<Value> args,
             const Shape& result, EvalContext& context) {
  std::vector<const Shape*> shapes;
  shapes.reserve(static_cast<size_t>(call.operand_count()));
  for (int i = 0; i < call.operand_count(); ++i) shapes.push_back(&call.operand(i));
  return CallOp(opcode, attrs, call, shapes, args, result, context);
}

}  // namespace hlo
