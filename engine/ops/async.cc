// Ops in two halves, a start and a done, with other work in between: async-*, copy-*.
// Here the work is done at the start; the done gives the result.
#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "engine/ops/aliases.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kCalls = "calls";
constexpr std::string_view kArguments[] = {"argument"};
constexpr std::string_view kStateAndArguments[] = {"state", "argument"};
constexpr std::string_view kState[] = {"state"};
constexpr std::string_view kOperand[] = {"operand"};

constexpr AttrDef kThreadAttr{"async_execution_thread", AttrKind::kString, AttrUse::kOptional,
                              "The thread the computation runs on; \"main\" when not given."};
constexpr AttrDef kStartAttrs[] = {
    kThreadAttr,
    kAliasingAttr,
    {kCalls, AttrKind::kRegion, AttrUse::kRequired, "The computation that runs."},
};
constexpr AttrDef kUpdateAttrs[] = {
    kThreadAttr,
    kAliasingAttr,
    {kCalls, AttrKind::kRegion, AttrUse::kOptional, "The computation that the start named."},
};
constexpr AttrDef kDoneAttrs[] = {
    kThreadAttr,
    {kCalls, AttrKind::kRegion, AttrUse::kOptional, "The computation that the start named."},
};

/// `((operand shapes), output shape, context shapes...)`.
bool IsStateShape(const Shape& shape) {
  return shape.IsTuple() && shape.elements().size() >= 2 && shape.elements()[0].IsTuple();
}

/// The written shape where it has the form of a state.
std::optional<Shape> InferState(const OpCall& call, Diagnostics& out) {
  if (!call.written()) return std::nullopt;
  if (IsStateShape(*call.written())) return *call.written();
  out.Report(DiagCode::kShapeInvalid, call.shape_range(),
             fmt::format("{} (opcode: {}) expects the async shape to be in the form of "
                         "((op0_shape, op1_shape, ...), output_shape, ...), but it is {}",
                         call.name(), call.opcode_text(), ShapeName(*call.written())));
  return std::nullopt;
}

bool CheckStateOperand(const OpCall& call, Diagnostics& out) {
  if (IsStateShape(call.operand(0))) return true;
  ReportOperand(call, 0, DiagCode::kOperandInvalid,
                fmt::format("expects the state of an async op, in the form of ((op0_shape, ...), "
                            "output_shape, ...), but {} is {}",
                            OperandName(call, 0), ShapeName(call.operand(0))),
                out);
  return false;
}

std::optional<Shape> InferUpdate(const OpCall& call, Diagnostics& out) {
  CheckStateOperand(call, out);
  return InferState(call, out);
}

/// A state may leave its output open; the verifier compares with the computation where the start is
/// in sight.
std::optional<Shape> InferDone(const OpCall& call, Diagnostics& out) {
  if (!CheckStateOperand(call, out) || !call.written()) return std::nullopt;
  return *call.written();
}

/// The index counts from the output, as in the short form `custom-call-start`, where the alias is
/// the wrapped op's.
bool IsAliasOfOutput(const OpCall& call, const Alias& alias) {
  if (alias.operand < 0 || alias.operand >= call.operand_count()) return false;
  const Shape* operand =
      SubShape(call.operand(static_cast<int>(alias.operand)), alias.operand_index);
  return operand && Shape::Compatible(*operand, call.shape().elements()[1]);
}

void VerifyStart(const OpCall& call, Diagnostics& out) {
  for (const Alias& alias : call.Aliases(kAliasingAttr.name)) {
    if (!alias.output_index.empty()) continue;
    if (IsAliasOfOutput(call, alias)) return;
    ReportAttr(call, kAliasingAttr.name, DiagCode::kAttributeValue,
               "Output index should not be empty.", out);
    return;
  }
  CheckAliases(call, call.GetRegion(kCalls), out);
}

/// Between two states only contexts, the parts from 2 on, can be one buffer.
void VerifyUpdate(const OpCall& call, Diagnostics& out) {
  auto is_context = [](const Shape& state, const Dims& index) {
    return !index.empty() && index[0] >= 2 && SubShape(state, index) != nullptr;
  };
  auto report = [&](std::string_view what) {
    ReportAttr(call, kAliasingAttr.name, DiagCode::kAttributeValue,
               fmt::format("Invalid {} in async-update aliasing config", what), out);
  };
  for (const Alias& alias : call.Aliases(kAliasingAttr.name)) {
    if (alias.operand != 0) report("operand number");
    if (!is_context(call.operand(0), alias.operand_index)) report("operand shape index");
    if (call.written() && !is_context(*call.written(), alias.output_index)) {
      report("output shape index");
    }
  }
}

// ---- Evaluation ---------------------------------------------------------------------------------

/// What stands for a context, which carries no data: zeros.
Value Zeros(const Shape& shape, Budget* budget) {
  if (shape.IsTuple()) {
    Value::Elements elements;
    for (const Shape& element : shape.elements()) elements.push_back(Zeros(element, budget));
    return Value::Tuple(std::move(elements));
  }
  if (!shape.IsArray()) return Value();
  Tensor tensor(shape, budget);
  std::memset(tensor.mutable_bytes(), 0, static_cast<size_t>(tensor.byte_size()));
  return tensor;
}

ControlStep EnterStart(const OpCall& call, std::span<Value> args, ControlState& state,
                       EvalContext&) {
  const Region* region = call.GetRegion(kCalls);
  ControlStep step;
  if (state.step++ == 0) {
    bool complete = region->parameter_count() == call.operand_count() &&
                    Shape::Compatible(call.shape().elements()[1], region->result_shape());
    if (!complete) {
      throw RunError(DiagCode::kNotExecutable,
                     fmt::format("{} leaves operands or results to later async-updates; only a "
                                 "complete start can be run",
                                 call.name()));
    }
    state.values.assign(args.begin(), args.end());
    step.kind = ControlStep::Kind::kCall;
    step.region = region;
    step.args = state.values;
    return step;
  }
  Value::Elements parts;
  parts.push_back(Value::Tuple(std::move(state.values)));
  parts.push_back(std::move(state.returned));
  for (size_t i = 2; i < call.shape().elements().size(); ++i) {
    parts.push_back(Zeros(call.shape().elements()[i], nullptr));
  }
  step.result = Value::Tuple(std::move(parts));
  return step;
}

/// Part i of a state, moved out when nobody else holds the state.
template <size_t kPart>
Value EvalPart(const OpCall&, std::span<Value> args, EvalContext&) {
  if (args[0].unique_elements()) return std::move(args[0].mutable_elements()[kPart]);
  return args[0].elements()[kPart];
}

Value EvalState(const OpCall&, std::span<Value> args, EvalContext&) { return std::move(args[0]); }

// ---- copy-start, copy-done ----------------------------------------------------------------------

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

Value EvalCopyStart(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Value::Elements parts;
  parts.push_back(args[0]);
  parts.push_back(std::move(args[0]));
  parts.push_back(Zeros(call.shape().elements()[2], context.budget()));
  return Value::Tuple(std::move(parts));
}

}  // namespace

namespace ops {

const OpDef kAsyncStart{
    .doc =
        "Starts a computation whose result async-done gives. The state is (operands, output, "
        "contexts).",
    .source = "reference 4.5 and 11.6, async-start",
    .differs =
        "The computation runs at once; a start that leaves operands to a later async-update "
        "is checked but not run.",
    .operands = kArguments,
    .types = "any shapes",
    .attrs = kStartAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferState,
    .verify = VerifyStart,
    .enter = EnterStart,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kAsyncUpdate{
    .doc = "A point between async-start and async-done; it may bind further operands.",
    .source = "reference 4.5 and 11.6, async-update",
    .operands = kStateAndArguments,
    .types = "the state of an async op",
    .attrs = kUpdateAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferUpdate,
    .verify = VerifyUpdate,
    .eval = EvalState,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kAsyncDone{
    .doc = "The result of the computation that async-start started.",
    .source = "reference 4.5 and 11.6, async-done",
    .operands = kState,
    .types = "the state of an async op",
    .attrs = kDoneAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferDone,
    .eval = EvalPart<1>,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kCopyStart{
    .doc =
        "Starts a copy, usually between memory spaces; copy-done gives the copy. The state is "
        "(destination, source, context).",
    .source = "reference 11.2, copy-start",
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
    .source = "reference 11.2, copy-done",
    .operands = kState,
    .types = "the result of copy-start",
    .result_shape = ResultShape::kWritten,
    .infer = InferCopyDone,
    .eval = EvalPart<0>,
    .any_precision = true,
    .keeps_data = true,
};

}  // namespace ops
}  // namespace hlo
