// copy-start and copy-done: a copy with other work in between. Here it is done at the start.
#include <fmt/format.h>

#include <utility>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/tensor_moves.h"

namespace hlo {
namespace {

constexpr std::string_view kState[] = {"state"};
constexpr std::string_view kOperand[] = {"operand"};

constexpr AttrDef kCopyStartAttrs[] = {
    {"cross_program_prefetch_index", AttrKind::kInt, AttrUse::kOptional,
     "Which of the copies that are fetched before the program starts this is."},
};

/// (destination, source, context): destination and source differ at most in memory space.
std::optional<Shape> InferCopyStart(const OpCall& call, Diagnostics&) {
  Shape destination = call.operand(0);
  const Shape* written = call.written();
  if (written && written->IsTuple() && !written->elements().empty()) {
    const Shape& to = written->elements()[0];
    if (to.IsArray() && SameDims(to, destination) &&
        to.layout().minor_to_major() == destination.layout().minor_to_major()) {
      destination.set_layout(to.layout());
    }
  }
  return Shape::Tuple({destination, call.operand(0), Shape::Scalar(ElementType::kU32)});
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
  if (!Shape::Compatible(state.elements()[0], state.elements()[1])) {
    ReportOperand(call, 0, DiagCode::kOperandInvalid,
                  fmt::format("source and destination need one shape, but are {} and {}",
                              ShapeName(state.elements()[1]), ShapeName(state.elements()[0])),
                  out);
  }
  return state.elements()[0];
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
    .types = "all array types",
    .attrs = kCopyStartAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferCopyStart,
    .eval = EvalCopyStart,
    .keeps_data = true,
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
};

}  // namespace ops
}  // namespace hlo
