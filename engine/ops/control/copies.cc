// copy-start and copy-done: an asynchronous copy. Here it is done at the start.
#include <fmt/format.h>

#include <utility>

#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr AttrDef kCopyStartAttrs[] = {
    {"cross_program_prefetch_index", AttrKind::kInt32, AttrUse::kOptional,
     "Which of the copies that are fetched before the program starts this is."},
};

/// (destination, source, context); if layouts are checked, with the same dimension order.
std::optional<Shape> InferCopyStart(const OpCall& call, Diagnostics&) {
  return Shape::Tuple({call.operand(0), call.operand(0), Shape::Scalar(ElementType::kU32)});
}

std::optional<Shape> InferCopyDone(const OpCall& call, Diagnostics& out) {
  const Shape& state = call.operand(0);
  if (!state.IsTuple() || state.elements().size() != 3) {
    ReportOperand(call, 0, DiagCode::kOperandInvalid,
                  fmt::format("expects the result of copy-start, a tuple of 3, but {} is {}",
                              OperandName(call, 0), ShapeName(state)),
                  out);
    return std::nullopt;
  }
  const Shape& destination = state.elements()[0];
  const Shape& source = state.elements()[1];
  if (!call.SameShapes(destination, source, {.memory_space = false, .splits = false})) {
    ReportOperand(call, 0, DiagCode::kOperandInvalid,
                  fmt::format("Source and destination buffers in CopyDone arguments need to be the "
                              "same shape found {} and {}",
                              ShapeText(destination), ShapeText(source)),
                  out);
  }
  return destination;
}

Value EvalCopyDone(const OpCall&, std::span<Value> args, EvalContext&) {
  if (args[0].unique_elements()) return std::move(args[0].mutable_elements()[0]);
  return args[0].elements()[0];
}

Value EvalCopyStart(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Value::Elements parts;
  parts.push_back(args[0]);
  parts.push_back(std::move(args[0]));
  parts.push_back(ZeroValue(call.shape().elements()[2], context.budget()));
  return Value::Tuple(std::move(parts));
}

}  // namespace

namespace ops {

const OpDef kCopyStart{
    .doc =
        "Starts a copy, usually between memory spaces; copy-done gives the copy. The state is "
        "(destination, source, context).",
    .source = "XLA, hlo_verifier.cc, HandleCopyStart",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kCopyStartAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferCopyStart,
    .eval = EvalCopyStart,
    .any_precision = true,
    .keeps_data = true,
    .keeps_order_only = true,
    .buffers = ResultBuffers::kTarget,
    .done = Opcode::kCopyDone,
};

const OpDef kCopyDone{
    .doc = "The copy that copy-start started.",
    .source = "XLA, hlo_verifier.cc, HandleCopyDone",
    .operands = kState,
    .types = "the result of copy-start",
    .result_shape = ResultShape::kWritten,
    .infer = InferCopyDone,
    .eval = EvalCopyDone,
    .any_precision = true,
    .keeps_data = true,
    .buffers = ResultBuffers::kOperand,
};

}  // namespace ops
}  // namespace hlo
