// custom-call: an operation that only some backend knows.
#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/control/aliases.h"
#include "engine/ops/control/region_signatures.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/products/precision.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kTarget = "custom_call_target";
constexpr std::string_view kConstraints = "operand_layout_constraints";
constexpr std::string_view kSchedules[] = {"SCHEDULE_NONE", "SCHEDULE_LATEST", "SCHEDULE_EARLIEST"};
constexpr std::string_view kPaddings[] = {"PADDING_INVALID", "PADDING_VALID", "PADDING_SAME"};
constexpr std::string_view kVersions[] = {"API_VERSION_ORIGINAL", "API_VERSION_STATUS_RETURNING",
                                          "API_VERSION_STATUS_RETURNING_UNIFIED",
                                          "API_VERSION_TYPED_FFI"};

constexpr AttrDef kCustomCallAttrs[] = {
    {.name = "window",
     .kind = AttrKind::kWindow,
     .use = AttrUse::kOptional,
     .doc = "For targets that slide a window.",
     .always_printed = true},
    {"dim_labels", AttrKind::kDimLabels, AttrUse::kOptional, "For targets that convolve."},
    {.name = "feature_group_count",
     .kind = AttrKind::kInt,
     .use = AttrUse::kOptional,
     .doc = "For targets that convolve.",
     .default_text = "1"},
    {.name = "batch_group_count",
     .kind = AttrKind::kInt,
     .use = AttrUse::kOptional,
     .doc = "For targets that convolve.",
     .default_text = "1"},
    kOperandPrecisionAttr,
    {.name = "padding_type",
     .kind = AttrKind::kWord,
     .use = AttrUse::kOptional,
     .doc = "How a target that convolves pads its input.",
     .words = kPaddings,
     .noun = "padding type",
     .default_text = "PADDING_INVALID"},
    {.name = kTarget,
     .kind = AttrKind::kString,
     .use = AttrUse::kRequired,
     .doc = "The name of the operation.",
     .always_printed = true},
    {.name = kConstraints,
     .kind = AttrKind::kShapes,
     .use = AttrUse::kOptional,
     .doc = "The shape, with the layout, that each operand must have.",
     .always_printed = true},
    {"custom_call_has_side_effect", AttrKind::kBool, AttrUse::kOptional,
     "The call must not be removed, repeated or reordered."},
    {"literal", AttrKind::kLiteral, AttrUse::kOptional, "A value that goes with the call."},
    kAliasingAttr,
    {.name = "schedule",
     .kind = AttrKind::kWord,
     .use = AttrUse::kOptional,
     .doc = "When the call runs, relative to what it does not depend on.",
     .words = kSchedules,
     .noun = "custom-call schedule",
     .ignore_case = true,
     .default_text = "SCHEDULE_NONE"},
    {.name = "api_version",
     .kind = AttrKind::kWord,
     .use = AttrUse::kOptional,
     .doc = "The calling convention of the target.",
     .words = kVersions,
     .noun = "custom-call API version",
     .ignore_case = true,
     .default_text = "API_VERSION_ORIGINAL"},
    {.name = "to_apply",
     .kind = AttrKind::kRegion,
     .use = AttrUse::kOptional,
     .doc = "A computation that the target calls.",
     .printed_name = "called_computations"},
    {"called_computations", AttrKind::kRegions, AttrUse::kOptional,
     "Computations that the target calls."},
};

/// Targets that take operands of any layout whatever constraints they carry.
bool IgnoresConstraints(const OpCall& call) {
  const std::string& target = call.String(kTarget);
  return target == "LayoutConstraint" || target == "control_dep";
}

std::optional<Shape> InferCustomCall(const OpCall& call, Diagnostics& out) {
  if (!call.written()) return std::nullopt;
  const auto& constraints = call.Shapes(kConstraints);
  if (IgnoresConstraints(call)) return *call.written();
  if (call.Has(kConstraints) && static_cast<int>(constraints.size()) != call.operand_count()) {
    ReportAttr(call, kConstraints, DiagCode::kAttributeValue,
               fmt::format("Expected {} operand layout constraints, {} given", call.operand_count(),
                           constraints.size()),
               out);
  }
  for (int i = 0; i < call.operand_count() && i < static_cast<int>(constraints.size()); ++i) {
    const Shape& wanted = constraints[static_cast<size_t>(i)];
    if (Shape::Compatible(wanted, call.operand(i))) continue;
    ReportAttr(call, kConstraints, DiagCode::kAttributeValue,
               fmt::format("Operand layout constraint shape {} for operand {} is not compatible "
                           "with operand shape {}",
                           ShapeName(wanted), i, ShapeName(call.operand(i))),
               out);
  }
  if (call.Has("to_apply") && call.Has("called_computations")) {
    ReportAttr(call, "to_apply", DiagCode::kAttributeDuplicate,
               "A single instruction can't have both to_apply and calls field", out);
  }
  return *call.written();
}

// ---- Targets with rules of their own ------------------------------------------------------------

void ReportTarget(const OpCall& call, std::string_view message, Diagnostics& out) {
  ReportAttr(call, kTarget, DiagCode::kVerifierRule,
             fmt::format("custom-call to {} {}", call.String(kTarget), message), out);
}

/// Pin makes a buffer of an array, Unpin an array of a buffer: the same bytes.
/// XLA, hlo_verifier.cc, VerifyPin and VerifyUnpin.
void CheckPinning(const OpCall& call, bool to_buffer, Diagnostics& out) {
  if (call.operand_count() != 1 || call.operand(0).IsBuffer() == to_buffer ||
      (to_buffer && !call.operand(0).IsArray())) {
    ReportTarget(
        call, to_buffer ? "must have one array non-buffer operand" : "must have one buffer operand",
        out);
    return;
  }
  if (to_buffer ? !call.shape().IsBuffer() : !call.shape().IsArray()) {
    ReportTarget(
        call, to_buffer ? "must have one buffer result" : "must have one array non-buffer result",
        out);
    return;
  }
  const Shape::EqualOptions options{.layout = call.layout_sensitive(), .buffer = false};
  if (!Shape::Equal(call.operand(0), call.shape(), options)) {
    ReportTarget(call, "must have the same shape as the operand", out);
  }
  if (call.Aliases(kAliasingAttr.name).size() != 1) {
    ReportTarget(call, "must have one output-to-operand aliasing", out);
  }
}

void VerifyPin(const OpCall& call, Diagnostics& out) { CheckPinning(call, true, out); }
void VerifyUnpin(const OpCall& call, Diagnostics& out) { CheckPinning(call, false, out); }

void VerifyCreateBuffer(const OpCall& call, Diagnostics& out) {
  if (call.operand_count() != 0) ReportTarget(call, "can't have an operand", out);
  if (!call.shape().IsBuffer()) ReportTarget(call, "must have one buffer result", out);
}

void VerifyGetRngSeed(const OpCall& call, Diagnostics& out) {
  const auto report = [&](std::string_view message) {
    ReportAttr(call, kTarget, DiagCode::kVerifierRule,
               fmt::format("GetRngSeed custom call must {}", message), out);
  };
  if (call.operand_count() != 0) {
    report(fmt::format("have 0 operands, but has {}", call.operand_count()));
  }
  if (!call.shape().IsArray() || call.shape().element_type() != ElementType::kU64) {
    report(fmt::format("return U64 type, but got {}", ShapeName(call.shape())));
  } else if (!call.shape().IsScalar()) {
    report(fmt::format("return a scalar, but got {}", ShapeName(call.shape())));
  }
}

struct TargetRule {
  std::string_view target;
  void (*verify)(const OpCall& call, Diagnostics& out);
};
constexpr TargetRule kTargetRules[] = {
    {"CreateBuffer", VerifyCreateBuffer},
    {"GetRngSeed", VerifyGetRngSeed},
    {"Pin", VerifyPin},
    {"Unpin", VerifyUnpin},
};

bool HasKey(const OpCall& call, std::string_view key) {
  const KeyValues& attributes = call.Keys("frontend_attributes");
  return std::any_of(attributes.begin(), attributes.end(),
                     [&](const KeyValue& entry) { return entry.key == key; });
}

void VerifyCustomCall(const OpCall& call, Diagnostics& out) {
  const std::string& name = call.String(kTarget);
  const bool is_pin = name == "Pin" || name == "Unpin";
  CheckAliases(call,
               {.equal = {.buffer = !is_pin},
                .scalars_move = true,
                .any_shapes = HasKey(call, "xla_skip_custom_call_alias_shape_check")},
               out);
  for (const TargetRule& rule : kTargetRules) {
    if (name == rule.target) rule.verify(call, out);
  }
}

// ---- Evaluation ---------------------------------------------------------------------------------

[[noreturn]] void ThrowUnknown(const OpCall& call) {
  throw RunError(
      DiagCode::kNotExecutable,
      fmt::format("no function is known for the custom-call target \"{}\": register one, "
                  "in C++ with CustomCallTargets::Add, in JavaScript with "
                  "engine.registerCustomCall",
                  call.String(kTarget)));
}

/// An exception from a target becomes a failure of the instruction.
template <typename F>
auto Guarded(const OpCall& call, F&& function) {
  try {
    return function();
  } catch (const RunError&) {
    throw;
  } catch (const std::exception& error) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("custom-call to {} failed: {}", call.String(kTarget), error.what()));
  }
}

const CustomCallTarget* TargetOf(const OpCall& call) {
  const CustomCallTargets* const targets = call.custom_calls();
  return targets ? targets->Find(call) : nullptr;
}

/// The loop of a target that computes element by element, where it has a meaning for the call.
ElementLoop LoopOf(const OpCall& call) {
  const CustomCallTarget* target = TargetOf(call);
  if (!target || !target->loop || call.operand_count() == 0) return {};
  const Shape& first = call.operand(0);
  if (!first.IsArray()) return {};
  const ElementLoop loop = target->loop(first.element_type());
  bool fits = loop && loop.operand_count == call.operand_count() && call.shape().IsArray() &&
              call.shape().element_type() == loop.result && call.shape().dims() == first.dims();
  for (int i = 1; fits && i < call.operand_count(); ++i) {
    fits = Shape::Compatible(call.operand(i), first);
  }
  return fits ? loop : ElementLoop();
}

[[noreturn]] void ThrowNoLoop(const OpCall& call, const BuiltInTarget& row) {
  std::string operands;
  for (int i = 0; i < call.operand_count(); ++i) {
    operands += (i == 0 ? "" : ", ") + ShapeName(call.operand(i));
  }
  RefuseCall(call, fmt::format("takes arrays of one shape ({}) and gives {}; not {} of {}",
                               row.operands, row.result, ShapeName(call.shape()), operands));
}

/// What a target refuses may be made up, as what nobody knows.
Value EvalTarget(const CustomCallTarget& target, const OpCall& call, std::span<Value> args,
                 EvalContext& context) {
  try {
    return Guarded(call, [&] { return target.eval(call, args, context); });
  } catch (const RunError& error) {
    const Value* other = nullptr;
    if (error.code() == DiagCode::kRuntimeError) other = context.StandIn(call.shape(), false);
    if (!other) throw;
    return *other;
  }
}

ControlStep EnterCustomCall(const OpCall& call, std::span<Value> args, ControlState& state,
                            EvalContext& context) {
  const CustomCallTarget* target = TargetOf(call);
  ControlStep step;
  if (!target) {
    const Value* other = context.StandIn(call.shape(), /*is_awaited=*/false);
    if (!other) ThrowUnknown(call);
    step.result = *other;
  } else if (target->enter) {
    step = Guarded(call, [&] { return target->enter(call, args, state, context); });
  } else if (target->loop) {
    if (!LoopOf(call)) ThrowNoLoop(call, *target->row);
    step.result = EvalElementwise(call, args, context);
  } else {
    step.result = EvalTarget(*target, call, args, context);
  }
  if (step.kind == ControlStep::Kind::kDone) {
    CheckValueFits(step.result, call.shape(),
                   fmt::format("custom-call to {}", call.String(kTarget)));
  }
  return step;
}

}  // namespace

namespace ops {

const OpDef kCustomCall{
    .doc = "Calls an operation that only some backend knows, by name.",
    .source = "operation semantics, CustomCall",
    .differs =
        "Which targets there are is the backend's choice. Built in are those that XLA itself "
        "defines, expands or ignores (`hlo ops --markdown` lists them); others can be registered, "
        "and a call to an unknown one fails when it runs. C functions get their operands "
        "in the order of their layouts.",
    .operands = kArgument,
    .types = "any shapes",
    .attrs = kCustomCallAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferCustomCall,
    .verify = VerifyCustomCall,
    .enter = EnterCustomCall,
    .any_precision = true,
    .keeps_data = true,
    .loop = LoopOf,
    .signature = CalledSignature,
    .plain = PlainOpOf,
};

}  // namespace ops
}  // namespace hlo
