// async-start, async-update, async-done: an asynchronous computation. Here it runs synchronously,
// at the first op of the chain that has all it needs.
#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "engine/ops/control/aliases.h"
#include "engine/ops/devices/channels.h"
#include "engine/ops/devices/peers.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kStateAndArguments[] = {"state", "argument"};

constexpr AttrDef kThreadAttr{.name = "async_execution_thread",
                              .kind = AttrKind::kString,
                              .use = AttrUse::kOptional,
                              .doc = "The thread the computation runs on; \"main\" when not given.",
                              .default_text = "\"main\""};
// What only the start of a chain specifies.
constexpr AttrDef kThreadOfStartAttr{.name = "async_execution_thread",
                                     .kind = AttrKind::kString,
                                     .use = AttrUse::kOptional,
                                     .doc = "The thread that the start named.",
                                     .never_printed = true};
constexpr AttrDef kCallsOfStartAttr{.name = kCalls,
                                    .kind = AttrKind::kRegion,
                                    .use = AttrUse::kOptional,
                                    .doc = "The computation that the start named.",
                                    .never_printed = true};
constexpr AttrDef kStartAttrs[] = {
    kThreadAttr,
    kAliasingAttr,
    {kCalls, AttrKind::kRegion, AttrUse::kRequired, "The computation that runs."},
};
constexpr AttrDef kUpdateAttrs[] = {kThreadOfStartAttr, kAliasingAttr, kCallsOfStartAttr};
constexpr AttrDef kDoneAttrs[] = {kThreadOfStartAttr, kCallsOfStartAttr};

/// `((operand shapes), output shape, context shapes...)`.
bool IsStateShape(const Shape& shape) {
  return shape.IsTuple() && shape.elements().size() >= 2 && shape.elements()[0].IsTuple();
}

/// The written shape if it has the form of a state.
std::optional<Shape> InferAsyncState(const OpCall& call, Diagnostics& out) {
  if (!call.written()) return std::nullopt;
  if (IsStateShape(*call.written())) return *call.written();
  out.Report(DiagCode::kShapeInvalid, call.shape_range(),
             fmt::format("{} (opcode: {}) expects the async shape to be in the form of "
                         "((op0_shape, op1_shape, ...), output_shape, ...), found {}.",
                         call.name(), call.opcode_text(), ShapeText(*call.written())));
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
  return InferAsyncState(call, out);
}

/// A state may leave its output open; the verifier compares it with the computation if the start is
/// known.
std::optional<Shape> InferDone(const OpCall& call, Diagnostics& out) {
  if (!CheckStateOperand(call, out) || !call.written()) return std::nullopt;
  return *call.written();
}

/// An alias between the state and the buffer it contains.
constexpr AliasRule kStateAlias{.equal = {.buffer = false}};

/// The final state as determined by the computation: its parameters and its result, in full.
Shape WholeState(const Shape& state, const Region& region) {
  std::vector<Shape> parameters;
  parameters.reserve(static_cast<size_t>(region.parameter_count()));
  for (int i = 0; i < region.parameter_count(); ++i)
    parameters.push_back(region.parameter_shape(i));
  std::vector<Shape> parts = state.elements();
  parts[0] = Shape::Tuple(std::move(parameters));
  parts[1] = region.result_shape();
  return Shape::Tuple(std::move(parts));
}

/// XLA, hlo_verifier.cc, CheckAsyncStartAliasConfig.
void VerifyStart(const OpCall& call, Diagnostics& out) {
  const Region* region = call.GetRegion(kCalls);
  const std::vector<Alias>& aliases = call.Aliases(kAliasingAttr.name);
  if (!region || !call.written() || aliases.empty()) return;
  for (const Alias& alias : aliases) {
    if (!alias.output_index.empty()) continue;
    ReportAttr(call, kAliasingAttr.name, DiagCode::kAttributeValue,
               "Output index should not be empty.", out);
    return;
  }
  std::vector<const Shape*> operands;
  operands.reserve(static_cast<size_t>(region->parameter_count()));
  for (int i = 0; i < region->parameter_count(); ++i) {
    operands.push_back(&region->parameter_shape(i));
  }
  CheckAliases(call, WholeState(*call.written(), *region), operands, kStateAlias, out);
}

/// Between two states only the first context, part 2, can share a buffer.
/// XLA, hlo_verifier.cc, CheckAsyncUpdateAliasConfig.
void VerifyUpdate(const OpCall& call, Diagnostics& out) {
  const auto is_context = [](const Dims& index) { return !index.empty() && index[0] == 2; };
  const auto report = [&](std::string_view message) {
    ReportAttr(call, kAliasingAttr.name, DiagCode::kAttributeValue, message, out);
  };
  if (!call.written()) return;
  for (const Alias& alias : call.Aliases(kAliasingAttr.name)) {
    if (alias.operand != 0) {
      report(
          "Invalid operand number in async-update aliasing config, can only alias to operand 0 "
          "(previous async op).");
      continue;
    }
    const Shape* from = SubShape(call.operand(0), alias.operand_index);
    if (!from || !is_context(alias.operand_index)) {
      report(
          "Invalid operand shape index in async-update aliasing config, can only alias context of "
          "previous async op.");
      continue;
    }
    if (!is_context(alias.output_index)) {
      report(
          "Invalid output shape index in async-update aliasing config, can only alias to "
          "context.");
      continue;
    }
    const Shape* to = SubShape(*call.written(), alias.output_index);
    if (!to) {
      report("Out of bounds output index in async-update aliasing config.");
      continue;
    }
    CheckAliasedShapes(call, *from, *to, kStateAlias, out);
  }
}

// ---- Evaluation ---------------------------------------------------------------------------------

/// Part i of a state, moved out if the state is not shared.
Value TakePart(Value& state, size_t part) {
  if (state.unique_elements()) return std::move(state.mutable_elements()[part]);
  return state.elements()[part];
}

/// The computation of the chain.
const Region& Wrapped(const OpCall& call, EvalContext& context) {
  const Region* region = call.GetRegion(kCalls);
  if (!region) region = context.async_computation();
  if (region) return *region;
  throw RunError(DiagCode::kNotExecutable,
                 fmt::format("{} does not name its computation, and neither does what its state "
                             "comes from",
                             call.name()));
}

/// Whether an op of the chain with this state has all operands of the computation and a place for
/// its result. The first such op runs it, otherwise the done.
bool IsComplete(const Shape& state, const Region& region) {
  return state.elements()[0].elements().size() == static_cast<size_t>(region.parameter_count()) &&
         Shape::Compatible(state.elements()[1], region.result_shape());
}

/// (operands, output, contexts) of the written shape.
ControlStep StateStep(const OpCall& call, std::vector<Value> operands, Value output,
                      EvalContext& context) {
  Value::Elements parts;
  parts.push_back(Value::Tuple(std::move(operands)));
  parts.push_back(std::move(output));
  for (size_t i = 2; i < call.shape().elements().size(); ++i) {
    parts.push_back(ZeroValue(call.shape().elements()[i], context.budget()));
  }
  ControlStep step;
  step.result = Value::Tuple(std::move(parts));
  return step;
}

/// Runs the computation and enters its result into the state, or leaves both to a later op of the
/// chain.
ControlStep EnterLink(const OpCall& call, const Region& region, ControlState& state,
                      EvalContext& context) {
  if (!IsComplete(call.shape(), region)) {
    Value open = ZeroValue(call.shape().elements()[1], context.budget());
    return StateStep(call, std::move(state.values), std::move(open), context);
  }
  if (state.step++ > 0) {
    return StateStep(call, std::move(state.values), std::move(state.returned), context);
  }
  ControlStep step;
  step.kind = ControlStep::Kind::kCall;
  step.region = &region;
  step.args = state.values;
  return step;
}

ControlStep EnterStart(const OpCall& call, std::span<Value> args, ControlState& state,
                       EvalContext& context) {
  if (state.step == 0) state.values.assign(args.begin(), args.end());
  return EnterLink(call, Wrapped(call, context), state, context);
}

/// The operands in the state, then those of this op.
ControlStep EnterUpdate(const OpCall& call, std::span<Value> args, ControlState& state,
                        EvalContext& context) {
  bool passes_on = call.operand_count() == 1 && Shape::Compatible(call.operand(0), call.shape());
  if (passes_on) {
    ControlStep same;
    same.result = std::move(args[0]);
    return same;
  }
  const Region& region = Wrapped(call, context);
  if (state.step == 0) {
    state.values = args[0].elements()[0].elements();
    state.values.insert(state.values.end(), args.begin() + 1, args.end());
    if (IsComplete(call.operand(0), region)) {
      return StateStep(call, std::move(state.values), args[0].elements()[1], context);
    }
  }
  return EnterLink(call, region, state, context);
}

// A recv inside the computation may still be pending when the computation has finished; the done
// waits for its data and enters it, since others may read it without a recv-done of their own.

/// The state of a transfer, (data, context, token).
bool IsTransfer(const Shape& shape) {
  return shape.IsTuple() && shape.elements().size() == 3 &&
         shape.elements()[1].IsScalarOf(ElementType::kU32) && shape.elements()[2].IsToken();
}

/// The transfer with its data; nothing while the data has not arrived.
std::optional<Value> WithData(const Value& transfer, const Shape& shape, EvalContext& context) {
  const uint32_t receipt = *transfer.elements()[1].tensor().data<uint32_t>();
  if (receipt == 0 || !context.peers().IsAwaited(receipt)) return transfer;
  std::optional<Value> message = Collected(receipt, shape.elements()[0], context);
  if (!message) return std::nullopt;
  Value::Elements parts;
  parts.push_back(std::move(*message));
  parts.emplace_back(Tensor::Scalar<uint32_t>(0, context.budget()));
  parts.emplace_back();
  return Value::Tuple(std::move(parts));
}

/// The result, kept in `state`, once the transfers in it have their data.
ControlStep FinishDone(const OpCall& call, ControlState& state, EvalContext& context) {
  Value& result = state.values[0];
  ControlStep step;
  step.kind = ControlStep::Kind::kWait;
  const Shape& shape = call.shape();
  const bool is_transfer = IsTransfer(shape);
  const size_t count = is_transfer ? 1 : shape.IsTuple() ? shape.elements().size() : 0;
  for (size_t i = 0; i < count; ++i) {
    const Shape& part = is_transfer ? shape : shape.elements()[i];
    if (!IsTransfer(part)) continue;
    std::optional<Value> whole =
        WithData(is_transfer ? result : result.elements()[i], part, context);
    if (!whole) return step;
    if (is_transfer) {
      result = std::move(*whole);
    } else {
      if (!result.unique_elements()) result = Value::Tuple(result.elements());
      result.mutable_elements()[i] = std::move(*whole);
    }
  }
  step.kind = ControlStep::Kind::kDone;
  step.result = std::move(result);
  return step;
}

ControlStep EnterDone(const OpCall& call, std::span<Value> args, ControlState& state,
                      EvalContext& context) {
  enum { kEntered, kCalled, kFinishing };
  if (state.step == kCalled) state.values.push_back(std::move(state.returned));
  if (state.step != kEntered) {
    state.step = kFinishing;
    return FinishDone(call, state, context);
  }
  ControlStep step;
  const Region* region = call.GetRegion(kCalls);
  if (!region) region = context.async_computation();
  // If the chain's computation is not known, it has been run if the output has its shape.
  bool was_run = region ? IsComplete(call.operand(0), *region)
                        : Shape::Compatible(call.operand(0).elements()[1], call.shape());
  if (was_run) {
    state.step = kFinishing;
    state.values.push_back(TakePart(args[0], 1));
    return FinishDone(call, state, context);
  }
  step.args = args[0].elements()[0].elements();
  step.region = &Wrapped(call, context);
  if (step.args.size() != static_cast<size_t>(step.region->parameter_count())) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("{} of the {} operands of {} are bound", step.args.size(),
                               step.region->parameter_count(), step.region->region_name()));
  }
  state.step = kCalled;
  step.kind = ControlStep::Kind::kCall;
  return step;
}

}  // namespace

namespace ops {

const OpDef kAsyncStart{
    .doc =
        "Starts a computation whose result async-done gives. The state is (operands, output, "
        "contexts).",
    .source = "XLA, hlo_verifier.cc, HandleAsyncStart",
    .differs =
        "The computation runs at the first async op of the chain that has all operands and a place "
        "for the whole result.",
    .operands = kArgument,
    .types = "any shapes",
    .attrs = kStartAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferAsyncState,
    .verify = VerifyStart,
    .enter = EnterStart,
    .any_precision = true,
    .keeps_data = true,
    .control_flow = true,
};

const OpDef kAsyncUpdate{
    .doc = "A point between async-start and async-done; it may bind further operands.",
    .source = "XLA, hlo_verifier.cc, HandleAsyncUpdate",
    .operands = kStateAndArguments,
    .types = "the state of an async op",
    .attrs = kUpdateAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferUpdate,
    .verify = VerifyUpdate,
    .enter = EnterUpdate,
    .any_precision = true,
    .keeps_data = true,
    .buffers = ResultBuffers::kStarted,
};

const OpDef kAsyncDone{
    .doc = "The result of the computation that async-start started.",
    .source = "XLA, hlo_verifier.cc, HandleAsyncDone",
    .operands = kState,
    .types = "the state of an async op",
    .attrs = kDoneAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferDone,
    .enter = EnterDone,
    .any_precision = true,
    .keeps_data = true,
    .buffers = ResultBuffers::kStarted,
};

}  // namespace ops
}  // namespace hlo
