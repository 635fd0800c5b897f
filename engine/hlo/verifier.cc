#include "engine/hlo/verifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "engine/base/promotion.h"
#include "engine/base/work_limit.h"
#include "engine/hlo/layout_rules.h"
#include "engine/hlo/verifier_rules.h"
#include "engine/ops/named_attrs.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {

// ---- What rules share ---------------------------------------------------------------------------

Users::Users(const Computation& computation) {
  size_t count = computation.instructions().size();
  starts_.assign(count + 1, 0);
  for (const Instruction& user : computation.instructions()) {
    for (const Instruction* operand : user.operands()) {
      ++starts_[static_cast<size_t>(operand->index()) + 1];
    }
  }
  for (size_t i = 0; i < count; ++i) starts_[i + 1] += starts_[i];
  users_.resize(starts_[count]);
  std::vector<uint32_t> next = starts_;
  for (const Instruction& user : computation.instructions()) {
    for (const Instruction* operand : user.operands()) {
      users_[next[static_cast<size_t>(operand->index())]++] = &user;
    }
  }
}

std::span<const Instruction* const> Users::Of(const Instruction& instruction) const {
  size_t i = static_cast<size_t>(instruction.index());
  return {users_.data() + starts_[i], users_.data() + starts_[i + 1]};
}

void ReportAt(const Instruction& instruction, DiagCode code, std::string_view message,
              Diagnostics& out) {
  out.Report(code, instruction.places().opcode, fmt::format("{}: {}", instruction.name(), message));
}

const Computation* CalledBy(const Instruction& instruction, std::string_view attr) {
  return AsComputation(instruction.attrs().GetRegion(attr));
}

// ---- One instruction ----------------------------------------------------------------------------

namespace {

/// For programs that did not come from text; the parser checks the same.
bool CheckForm(const Instruction& instruction, Diagnostics& out) {
  const OpcodeInfo& info = GetOpcodeInfo(instruction.opcode());
  int count = instruction.operand_count();
  if (!TakesOperands(instruction.opcode(), static_cast<size_t>(count))) {
    ReportAt(instruction, DiagCode::kOperandCount,
             fmt::format("{} expects {} operands, found {}", info.text, info.min_operands, count),
             out);
    return false;
  }
  bool ok = true;
  for (const AttrDef& def : instruction.def().attrs) {
    if (def.use == AttrUse::kOptional || instruction.attrs().Find(def.name)) continue;
    ReportAt(instruction, DiagCode::kAttributeMissing,
             fmt::format("attribute {} is expected but not seen", def.name), out);
    ok = false;
  }
  return ok;
}

/// In what respects the written shape must equal the inferred one. Computed floats may be of
/// another width where mixed precision is allowed; data that is only passed on keeps its type and,
/// where layouts count, its layout. Source: XLA, hlo_verifier.cc, CheckShape.
Shape::EqualOptions WhatCounts(const Instruction& instruction, const VerifyMode& mode) {
  const OpDef& def = instruction.def();
  Shape::EqualOptions options;
  options.layout = options.dynamic = def.keeps_data && mode.layout_sensitive;
  options.float_width = def.keeps_data || !mode.allow_mixed_precision;
  if (def.keeps_order_only) {
    options.layout_parts = LayoutParts::None();
  } else if (instruction.opcode() == Opcode::kDynamicUpdateSlice && mode.in_fusion) {
    options.layout_parts = {.tiles = false, .memory_space = false};
  }
  return options;
}

void ReportShape(const Instruction& instruction, const Shape& inferred, const VerifyMode& mode,
                 Diagnostics& out) {
  const Shape& written = instruction.shape();
  auto text = [&](const Shape& shape) {
    return mode.layout_sensitive ? ShapeSummary(shape) : ShapeName(shape);
  };
  Range range = instruction.places().shape;
  if (range.begin == range.end) range = instruction.places().opcode;
  Diagnostic& diagnostic = out.Report(
      DiagCode::kShapeMismatch, range,
      fmt::format("Expected instruction to have shape equal to {}, actual shape is {}: "
                  "{} = {}",
                  text(inferred), text(written), instruction.name(), Text(instruction.opcode())));
  if (range != instruction.places().shape) return;
  // A layout that was chosen stays where it can: sizes do not decide over it.
  Shape corrected = inferred;
  bool with_layout = mode.layout_sensitive;
  if (!with_layout && written.IsArray() && inferred.IsArray() &&
      written.rank() == inferred.rank() && written.layout() != Layout::Descending(written.rank())) {
    corrected.set_layout(written.layout());
    with_layout = true;
  }
  diagnostic.AddFix("write the shape that follows from the operands", range,
                    ShapeText(corrected, {.layout = with_layout}));
}

void CheckShape(const Instruction& instruction, const Shape& inferred, const VerifyMode& mode,
                Diagnostics& out) {
  const bool is_host_copy =
      mode.layout_sensitive && instruction.opcode() == Opcode::kCopy && IsHostCopy(instruction);
  const bool same =
      is_host_copy ? KeepsHostCopy(instruction)
                   : Shape::Equal(instruction.shape(), inferred, WhatCounts(instruction, mode));
  if (!same) ReportShape(instruction, inferred, mode, out);
}

/// The first float in a shape whose type is not `*type`; an empty one is set by the first float.
const Shape* OtherFloat(const Shape& shape, std::optional<ElementType>* type) {
  if (shape.IsTuple()) {
    CountWork(shape.elements().size());
    for (const Shape& element : shape.elements()) {
      if (const Shape* other = OtherFloat(element, type)) return other;
    }
    return nullptr;
  }
  if (!(shape.IsArray() || shape.IsBuffer()) || !IsFloat(shape.element_type())) return nullptr;
  if (!*type) *type = shape.element_type();
  return shape.element_type() == **type ? nullptr : &shape;
}

/// All floats in the operands have one type. Source: XLA, hlo_verifier.cc,
/// CheckMixedPrecisionOperands.
void CheckPrecision(const Instruction& instruction, Diagnostics& out) {
  std::optional<ElementType> first;
  for (const Instruction* operand : instruction.operands()) {
    const Shape* other = OtherFloat(operand->shape(), &first);
    if (!other) continue;
    ReportAt(
        instruction, DiagCode::kMixedPrecision,
        fmt::format("Seen floating point types of different precisions in {}, but mixed "
                    "precision is disallowed.: {} and {} of {}",
                    Text(instruction.opcode()), Text(*first), ShapeName(*other), operand->name()),
        out);
    return;
  }
}

/// XLA rejects `?` by default; the parser and the shape rules accept it. A `?` that follows from a
/// parameter's is not reported again.
void CheckUnbounded(const Instruction& instruction, LeafSearch& unbounded, Diagnostics& out) {
  if (!unbounded.IsIn(instruction.shape())) return;
  for (const Instruction* operand : instruction.operands()) {
    if (unbounded.IsIn(operand->shape())) return;
  }
  Range range = instruction.places().shape;
  if (range.begin == range.end) range = instruction.places().opcode;
  out.Report(DiagCode::kVerifierRule, Severity::kWarning, range,
             fmt::format("Unbounded dynamism is disabled for instruction: {} = {}",
                         instruction.name(), ShapeName(instruction.shape())));
}

void VerifyInstruction(const Instruction& instruction, const VerifyMode& mode,
                       LeafSearch& unbounded, Diagnostics& out) {
  if (!CheckForm(instruction, out)) return;
  const OpDef& def = instruction.def();
  CheckUnbounded(instruction, unbounded, out);
  if (!mode.allow_mixed_precision && !def.any_precision) CheckPrecision(instruction, out);
  OpCall call = instruction.Call();
  call.set_mode(mode);
  std::optional<Shape> inferred = InferShape(call, out);
  if (!inferred) return;
  CheckShape(instruction, *inferred, mode, out);
  if (def.verify) def.verify(call, out);
  CheckLayouts(instruction, mode, out);
}

void VerifyInstructions(VerifierScope& scope) {
  VerifyMode mode;
  LeafSearch unbounded(
      [](const Shape& s) { return s.IsArray() && Contains(s.dims(), Shape::kUnbounded); });
  mode.layout_sensitive = scope.options.layout_sensitive;
  mode.allow_mixed_precision = scope.options.allow_mixed_precision;
  mode.strict = scope.options.strict;
  for (const Computation& computation : scope.module.computations()) {
    mode.in_fusion = scope.calls.IsCalledBy(computation, Opcode::kFusion);
    mode.in_unused =
        scope.calls.CallersOf(computation).empty() && &computation != scope.module.entry();
    for (const Instruction& instruction : computation.instructions()) {
      scope.opcodes.set(static_cast<size_t>(instruction.opcode()));
      VerifyInstruction(instruction, mode, unbounded, scope.out);
    }
  }
}

void Verify(const Module& module, const VerifierOptions& options, Diagnostics& out) {
  const CallGraph calls(module);
  AsyncTrace trace(module, calls);
  VerifierScope scope{module, calls, options, out, {}};
  VerifyInstructions(scope);
  VerifyComputations(scope);
  VerifyAsyncPairs(scope, trace);
  VerifyAsyncShapes(scope, trace);
  VerifyTransfers(scope, trace);
  VerifyTransferOrder(scope);
  VerifyInfeedOrder(scope);
  VerifySchedule(scope);
  VerifyBuffers(scope);
  VerifyShardings(scope);
  VerifyHeader(scope);
  VerifyModuleRules(scope);
}

}  // namespace

void VerifyModule(const Module& module, Diagnostics& diagnostics, const VerifierOptions& options) {
  if (!options.strict) {
    Verify(module, options, diagnostics);
    return;
  }
  Diagnostics found;
  Verify(module, options, found);
  ReportAsErrors(found, diagnostics);
}

}  // namespace hlo
