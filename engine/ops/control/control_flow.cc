// Ops that run other computations: while, conditional, call, fusion.
#include <fmt/format.h>

#include <utility>

#include "engine/ops/control/aliases.h"
#include "engine/ops/control/branch.h"
#include "engine/ops/control/region_signatures.h"
#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

std::vector<Value> TakeAll(std::span<Value> args) {
  return {std::make_move_iterator(args.begin()), std::make_move_iterator(args.end())};
}

ControlStep CallStep(const Region* region, std::vector<Value> args) {
  ControlStep step;
  step.kind = ControlStep::Kind::kCall;
  step.region = region;
  step.args = std::move(args);
  return step;
}

ControlStep DoneStep(Value result) {
  ControlStep step;
  step.result = std::move(result);
  return step;
}

/// One parameter per operand, of its shape.
void CheckArguments(const OpCall& call, std::string_view attr, const Region& region,
                    Diagnostics& out) {
  if (!CheckParameterCount(call, attr, region, call.operand_count(), out)) return;
  for (int i = 0; i < call.operand_count(); ++i) {
    CheckArgument(call, attr, region, i, i, out);
  }
}

// ---- while --------------------------------------------------------------------------------------

constexpr std::string_view kInit[] = {"init"};
constexpr AttrDef kWhileAttrs[] = {
    {"condition", AttrKind::kRegion, AttrUse::kRequired,
     "Takes the state and returns pred[]: whether to run the body once more."},
    {"body", AttrKind::kRegion, AttrUse::kRequired, "Takes the state and returns the next one."},
};

std::optional<Shape> InferWhile(const OpCall& call, Diagnostics& out) {
  const Region* condition = call.GetRegion("condition");
  const Region* body = call.GetRegion("body");
  if (!condition || !body) return std::nullopt;
  if (CheckParameterCount(call, "body", *body, 1, out)) {
    CheckArgument(call, "body", *body, 0, 0, out);
  }
  if (CheckParameterCount(call, "condition", *condition, 1, out)) {
    CheckArgument(call, "condition", *condition, 0, 0, out);
  }
  if (!condition->result_shape().IsScalarOf(ElementType::kPred)) {
    ReportAttr(call, "condition", DiagCode::kComputationSignature,
               fmt::format("Conditional computation shape does not lead to a scalar predicate "
                           "shape: {}",
                           ShapeName(condition->result_shape())),
               out);
  }
  const Shape& state = call.operand(0);
  if (!Shape::Compatible(body->result_shape(), state)) {
    ReportAttr(call, "body", DiagCode::kComputationSignature,
               fmt::format("The parameter of condition and body, the result of the body, and init "
                           "must all have the same shape; got body: {}, init: {}",
                           ShapeName(body->result_shape()), ShapeName(state)),
               out);
  }
  // XLA's verifier compares a written shape with that of the body, shape_inference.cc gives that of
  // the state to a result whose shape is left out.
  return call.written() ? body->result_shape() : state;
}

/// The state is moved into the body, so that the body may update it in place.
ControlStep EnterWhile(const OpCall& call, std::span<Value> args, ControlState& state,
                       EvalContext&) {
  enum { kStart, kTested, kLooped };
  if (state.step == kStart) state.values.push_back(std::move(args[0]));
  if (state.step == kTested) {
    bool again = *state.returned.tensor().data<bool>();
    if (!again) return DoneStep(std::move(state.values[0]));
    state.returned = Value();
    state.step = kLooped;
    std::vector<Value> values;
    values.push_back(std::exchange(state.values[0], Value()));
    return CallStep(call.GetRegion("body"), std::move(values));
  }
  if (state.step == kLooped) state.values[0] = std::exchange(state.returned, Value());
  state.step = kTested;
  return CallStep(call.GetRegion("condition"), {state.values[0]});
}

// ---- conditional --------------------------------------------------------------------------------

constexpr std::string_view kBranches = "branch_computations";
constexpr std::string_view kTrue = "true_computation";
constexpr std::string_view kFalse = "false_computation";
constexpr std::string_view kConditionalOperands[] = {"selector", "argument"};
constexpr AttrDef kConditionalAttrs[] = {
    {kTrue, AttrKind::kRegion, AttrUse::kOptional,
     "Runs on the first argument when a pred selector is true."},
    {kFalse, AttrKind::kRegion, AttrUse::kOptional,
     "Runs on the second argument when a pred selector is false."},
    {kBranches, AttrKind::kRegions, AttrUse::kOptional,
     "For an s32 selector: branch number i runs on argument i. A selector out of range takes the "
     "last branch."},
};

/// The attribute and the computation of each branch, in order.
struct Branch {
  std::string_view attr;
  const Region* region;
};
std::vector<Branch> BranchesOf(const OpCall& call) {
  std::vector<Branch> branches;
  for (std::string_view attr : {kTrue, kFalse}) {
    if (const Region* region = call.GetRegion(attr)) branches.push_back({attr, region});
  }
  for (const Region* region : call.Regions(kBranches)) branches.push_back({kBranches, region});
  return branches;
}

/// Which attributes are required depends on the selector's type.
bool CheckSelector(const OpCall& call, Diagnostics& out) {
  const Shape& selector = call.operand(0);
  const auto fail = [&](std::string_view message) {
    ReportOperand(call, 0, DiagCode::kOperandInvalid, message, out);
    return false;
  };
  if (!selector.IsScalar()) {
    return fail(
        fmt::format("The first operand must be a scalar. The first operand of conditional "
                    "must be a scalar. Got {}",
                    ShapeName(selector)));
  }
  const bool is_pred = selector.element_type() == ElementType::kPred;
  if (!is_pred && selector.element_type() != ElementType::kS32) {
    return fail(
        fmt::format("The first operand must be a scalar of PRED or S32. The first operand of "
                    "indexed conditional must be a scalar of S32. Got type "
                    "{}.",
                    TypeName(selector)));
  }
  bool ok = true;
  for (std::string_view attr : {kTrue, kFalse, kBranches}) {
    bool wanted = (attr != kBranches) == is_pred;
    if (call.Has(attr) == wanted) continue;
    ok = false;
    if (wanted) {
      ReportOp(call, DiagCode::kAttributeMissing,
               fmt::format("attribute {} is expected but not seen: the selector is {}", attr,
                           ShapeName(selector)),
               out);
    } else {
      ReportAttr(
          call, attr, DiagCode::kAttributeUnknown,
          fmt::format("unexpected attribute \"{}\" with a selector {}", attr, ShapeName(selector)),
          out);
    }
  }
  return ok;
}

/// The result that the branches agree on. If it is written: the first branch's result that differs
/// from it, for the verifier to compare; otherwise a dimension that is dynamic in one branch is
/// dynamic.
Shape BranchResult(const OpCall& call, const std::vector<Branch>& branches) {
  Shape result = branches[0].region->result_shape();
  for (const Branch& branch : branches) {
    const Shape& shape = branch.region->result_shape();
    if (call.written()) {
      if (!call.SameShapes(*call.written(), shape)) return shape;
      continue;
    }
    if (!result.IsArray() || !Shape::Compatible(shape, result)) continue;
    for (int d = 0; d < result.rank(); ++d) {
      if (shape.is_dynamic(d)) result.set_dynamic(d, true);
    }
  }
  return result;
}

std::optional<Shape> InferConditional(const OpCall& call, Diagnostics& out) {
  if (!CheckSelector(call, out)) return std::nullopt;
  const std::vector<Branch> branches = BranchesOf(call);
  const int count = static_cast<int>(branches.size());
  if (count == 0) {
    ReportAttr(call, kBranches, DiagCode::kAttributeValue, "expects one branch or more", out);
    return std::nullopt;
  }
  if (call.operand_count() != count + 1) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("Expected {} operands for conditional instruction: the selector and one "
                         "for each of {} branches, found {}",
                         count + 1, count, call.operand_count()),
             out);
    return std::nullopt;
  }
  for (int i = 0; i < count; ++i) {
    const Branch& branch = branches[static_cast<size_t>(i)];
    if (CheckParameterCount(call, branch.attr, *branch.region, 1, out)) {
      CheckArgument(call, branch.attr, *branch.region, 0, i + 1, out);
    }
  }
  return BranchResult(call, branches);
}

ControlStep EnterConditional(const OpCall& call, std::span<Value> args, ControlState& state,
                             EvalContext&) {
  if (state.step++ > 0) return DoneStep(std::move(state.returned));
  std::vector<Branch> branches = BranchesOf(call);
  const Tensor& selector = args[0].tensor();
  const size_t taken = ChosenBranch(selector.element_type(), selector.bytes(), branches.size());
  std::vector<Value> values;
  values.push_back(std::move(args[taken + 1]));
  return CallStep(branches[taken].region, std::move(values));
}

// ---- call ---------------------------------------------------------------------------------------

constexpr std::string_view kToApply = "to_apply";
constexpr AttrDef kCallAttrs[] = {
    {kToApply, AttrKind::kRegion, AttrUse::kRequired, "The computation to run."},
    {"is_composite", AttrKind::kBool, AttrUse::kOptional,
     "The call stands for an operation named by the frontend attribute composite.name; the "
     "computation is what it decomposes into."},
};

std::optional<Shape> InferCall(const OpCall& call, Diagnostics& out) {
  const Region* region = call.GetRegion(kToApply);
  if (!region) return std::nullopt;
  CheckArguments(call, kToApply, *region, out);
  return region->result_shape();
}

ControlStep EnterCall(const OpCall& call, std::span<Value> args, ControlState& state,
                      EvalContext&) {
  if (state.step++ > 0) return DoneStep(std::move(state.returned));
  return CallStep(CalledComputation(call), TakeAll(args));
}

const std::string* FrontendAttribute(const OpCall& call, std::string_view key) {
  for (const KeyValue& entry : call.Keys("frontend_attributes")) {
    if (entry.key == key) return &entry.value;
  }
  return nullptr;
}

bool IsNonNegativeInteger(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

/// XLA's requirements on the frontend attributes that identify the operation of a composite call.
void CheckComposite(const OpCall& call, Diagnostics& out) {
  auto report = [&](std::string_view message) {
    ReportAttr(call, "frontend_attributes", DiagCode::kVerifierRule, message, out);
  };
  if (call.Keys("frontend_attributes").empty()) {
    report("A composite call op must have frontend attributes");
    return;
  }
  const std::string* name = FrontendAttribute(call, "composite.name");
  if (!name || name->empty()) {
    report(
        "A composite call op must have frontend attributes with key composite.name whose value "
        "is non-empty");
  }
  const std::string* attributes = FrontendAttribute(call, "composite.attributes");
  if (attributes && attributes->empty()) {
    report(
        "A composite call op must have frontend attributes with key composite.attributes whose "
        "value is default: {} or non-empty");
  }
  const std::string* version = FrontendAttribute(call, "composite.version");
  if (version && !IsNonNegativeInteger(*version)) {
    report(fmt::format(
        "A composite call op must have frontend attributes with a composite.version whose value "
        "is a non-negative integer but got: {}",
        *version));
  }
}

void VerifyCall(const OpCall& call, Diagnostics& out) {
  if (call.Bool("is_composite")) CheckComposite(call, out);
}

// ---- fusion -------------------------------------------------------------------------------------

constexpr std::string_view kFusionKinds[] = {"kLoop", "kInput", "kOutput", "kCustom"};
constexpr AttrDef kFusionAttrs[] = {
    {.name = "kind",
     .kind = AttrKind::kWord,
     .use = AttrUse::kRequired,
     .doc = "How a backend fuses it; the value does not depend on it.",
     .words = kFusionKinds,
     .noun = "fusion kind",
     .always_printed = true},
    kAliasingAttr,
    {kCalls, AttrKind::kRegion, AttrUse::kRequired, "The computation that is fused."},
};

/// XLA accepts more operands than parameters.
std::optional<Shape> InferFusion(const OpCall& call, Diagnostics& out) {
  const Region* region = call.GetRegion(kCalls);
  if (!region) return std::nullopt;
  const int parameters = region->parameter_count();
  if (parameters > call.operand_count()) {
    ReportAttr(call, kCalls, DiagCode::kComputationSignature,
               fmt::format("Fused parameter count ({}) is greater than the number of operands ({}) "
                           "passed to the fusion instruction in: {}",
                           parameters, call.operand_count(), call.name()),
               out);
  }
  for (int i = 0; i < parameters && i < call.operand_count(); ++i) {
    const Shape& parameter = region->parameter_shape(i);
    if (call.SameShapes(parameter, call.operand(i))) continue;
    ReportAttr(call, kCalls, DiagCode::kComputationSignature,
               fmt::format("Shape mismatch between parameter number {} and its operand in {}. ({} "
                           "!= {})",
                           i, call.name(), ShapeText(parameter), ShapeText(call.operand(i))),
               out);
  }
  if (call.written() && !call.SameShapes(*call.written(), region->result_shape())) {
    ReportOp(call, DiagCode::kShapeMismatch,
             fmt::format("Fused computation shape ({}) is not equal to the fusion shape ({})",
                         ShapeText(region->result_shape()), ShapeText(*call.written())),
             out);
    return std::nullopt;
  }
  return region->result_shape();
}

void VerifyFusion(const OpCall& call, Diagnostics& out) {
  // A nested fusion has no buffer of its own.
  const bool is_loose = call.mode().in_fusion || call.mode().in_unused;
  const LayoutParts parts =
      is_loose ? LayoutParts{.tiles = false, .memory_space = false} : LayoutParts{};
  CheckAliases(call, {.equal = {.layout_parts = parts}}, out);
}

ControlStep EnterFusion(const OpCall& call, std::span<Value> args, ControlState& state,
                        EvalContext&) {
  if (state.step++ > 0) return DoneStep(std::move(state.returned));
  const Region* region = call.GetRegion(kCalls);
  return CallStep(region, TakeAll(args.first(static_cast<size_t>(region->parameter_count()))));
}

int64_t LargestBranch(const OpCall& call, int operand) {
  return operand == 0 ? call.operand_count() - 2 : -1;
}

}  // namespace

namespace ops {

const OpDef kWhile{
    .doc =
        "Runs the body on a state for as long as the condition holds. The condition is tested "
        "first, so the body may not run at all; the result is the last state.",
    .source = "operation semantics, While",
    .operands = kInit,
    .types = "any shape",
    .attrs = kWhileAttrs,
    .infer = InferWhile,
    .enter = EnterWhile,
    .any_precision = true,
    .keeps_data = true,
    .buffers = ResultBuffers::kUpdated,
    .runs = Runs::kWhile,
    .control_flow = true,
    .loops = true,
    .signature = WhileSignature,
};

const OpDef kConditional{
    .doc =
        "Runs one of several computations on its argument: by a pred (true, false) or by an s32 "
        "number.",
    .source = "operation semantics, Conditional",
    .operands = kConditionalOperands,
    .types = "pred[] or s32[] and one argument of any shape per branch",
    .attrs = kConditionalAttrs,
    .infer = InferConditional,
    .enter = EnterConditional,
    .any_precision = true,
    .keeps_data = true,
    .runs = Runs::kChosen,
    .control_flow = true,
    .signature = BranchSignature,
    .largest = LargestBranch,
};

const OpDef kCall{
    .doc = "Runs a computation on the operands.",
    .source = "operation semantics, Call and CompositeCall",
    .operands = kArgument,
    .types = "any shapes",
    .attrs = kCallAttrs,
    .infer = InferCall,
    .verify = VerifyCall,
    .enter = EnterCall,
    .any_precision = true,
    .keeps_data = true,
    .runs = Runs::kOne,
    .applies_region = true,
    .control_flow = true,
    .signature = CalledSignature,
};

const OpDef kFusion{
    .doc = "Runs a computation on the operands; a backend compiles it into one kernel.",
    .source = "XLA, hlo_verifier.cc, HandleFusion",
    .differs =
        "Operands beyond the computation's parameters are accepted, as XLA does, and "
        "ignored.",
    .operands = kArgument,
    .types = "any shapes",
    .attrs = kFusionAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferFusion,
    .verify = VerifyFusion,
    .enter = EnterFusion,
    .any_precision = true,
    .runs = Runs::kOne,
    .applies_region = true,
    .signature = CalledSignature,
};

}  // namespace ops
}  // namespace hlo
