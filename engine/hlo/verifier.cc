#include "engine/hlo/verifier.h"

#include <fmt/format.h>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

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
  const Attr* found = FindAttr(instruction.attrs(), attr);
  const Region* const* region = found ? std::get_if<const Region*>(&found->value) : nullptr;
  return region ? static_cast<const Computation*>(*region) : nullptr;
}

// ---- One instruction ----------------------------------------------------------------------------

namespace {

/// For programs that did not come from text; the parser checks the same.
bool CheckForm(const Instruction& instruction, Diagnostics& out) {
  const OpcodeInfo& info = GetOpcodeInfo(instruction.opcode());
  int count = instruction.operand_count();
  if (count < info.min_operands || count > info.max_operands) {
    ReportAt(instruction, DiagCode::kOperandCount,
             fmt::format("{} expects {} operands, found {}", info.text, info.min_operands, count),
             out);
    return false;
  }
  bool ok = true;
  for (const AttrDef& def : instruction.def().attrs) {
    if (def.use == AttrUse::kOptional || FindAttr(instruction.attrs(), def.name)) continue;
    ReportAt(instruction, DiagCode::kAttributeMissing,
             fmt::format("attribute {} is expected but not seen", def.name), out);
    ok = false;
  }
  return ok;
}

/// The written shape is the inferred one. Computed floats may be narrower than inferred where mixed
/// precision is allowed; data that is only passed on keeps its type.
bool HasInferredShape(const Shape& written, const Shape& inferred, const OpDef& def,
                      const VerifierOptions& options) {
  bool exact = def.keeps_data || !options.allow_mixed_precision;
  return Shape::Equal(written, inferred, {.layout = false, .dynamic = false, .float_width = exact});
}

/// Order of dimensions and memory, in all arrays of the shape.
bool SameLayouts(const Shape& a, const Shape& b) {
  if (a.IsTuple()) {
    for (size_t i = 0; i < a.elements().size(); ++i) {
      if (!SameLayouts(a.elements()[i], b.elements()[i])) return false;
    }
    return true;
  }
  return a.layout().minor_to_major() == b.layout().minor_to_major();
}

void ReportShape(const Instruction& instruction, const Shape& inferred, bool layouts,
                 Diagnostics& out) {
  const Shape& written = instruction.shape();
  auto text = [&](const Shape& shape) { return layouts ? ShapeText(shape) : ShapeName(shape); };
  Range range = instruction.places().shape;
  if (range.begin == range.end) range = instruction.places().opcode;
  Diagnostic& diagnostic = out.Report(
      DiagCode::kShapeMismatch, range,
      fmt::format("Expected instruction to have shape equal to {}, actual shape is {}: "
                  "{} = {}",
                  text(inferred), text(written), instruction.name(), Text(instruction.opcode())));
  if (range == instruction.places().shape) {
    diagnostic.fixes.push_back(
        {"write the shape that follows from the operands", range, text(inferred)});
  }
}

void CheckShape(const Instruction& instruction, const Shape& inferred,
                const VerifierOptions& options, Diagnostics& out) {
  const Shape& written = instruction.shape();
  const OpDef& def = instruction.def();
  bool same = HasInferredShape(written, inferred, def, options);
  bool layouts = same && def.keeps_data && options.layout_sensitive;
  if (same && !(layouts && !SameLayouts(written, inferred))) return;
  ReportShape(instruction, inferred, layouts, out);
}

/// All float operands have one type.
void CheckPrecision(const Instruction& instruction, Diagnostics& out) {
  const Instruction* first = nullptr;
  for (const Instruction* operand : instruction.operands()) {
    if (!operand->shape().IsArray() || !IsFloat(operand->shape().element_type())) continue;
    if (!first) first = operand;
    if (operand->shape().element_type() == first->shape().element_type()) continue;
    ReportAt(instruction, DiagCode::kMixedPrecision,
             fmt::format("Seen floating point types of different precisions in its operands ({} "
                         "and {}), but mixed precision is disallowed",
                         ShapeName(first->shape()), ShapeName(operand->shape())),
             out);
    return;
  }
}

/// A copy may change the order of dimensions, but not on its way from or to the host.
void CheckHostCopy(const Instruction& copy, const VerifierOptions& options, Diagnostics& out) {
  constexpr int64_t kHost = 5;
  const Shape& from = copy.operand(0)->shape();
  const Shape& to = copy.shape();
  if (!from.IsArray() || !to.IsArray() || SameLayouts(from, to)) return;
  bool from_host = from.layout().extras().memory_space == kHost;
  bool to_host = to.layout().extras().memory_space == kHost;
  if (from_host != to_host) ReportShape(copy, from, options.layout_sensitive, out);
}

/// Ops that work position by position leave the order of dimensions as it is.
void CheckLayouts(const Instruction& instruction, const VerifierOptions& options,
                  Diagnostics& out) {
  const OpDef& def = instruction.def();
  const Shape& result = instruction.shape();
  if (instruction.opcode() == Opcode::kCopy) {
    CheckHostCopy(instruction, options, out);
    return;
  }
  if (!(def.elementwise || def.keeps_layout) || !result.IsArray()) return;
  for (const Instruction* operand : instruction.operands()) {
    const Shape& shape = operand->shape();
    if (!shape.IsArray() || shape.rank() != result.rank() ||
        shape.layout().minor_to_major() == result.layout().minor_to_major()) {
      continue;
    }
    ReportAt(instruction, DiagCode::kLayoutInvalid,
             fmt::format("Instruction shouldn't change layouts: {} of {} to {}", ShapeText(shape),
                         operand->name(), ShapeText(result)),
             out);
    return;
  }
}

void VerifyInstruction(const Instruction& instruction, const VerifierOptions& options,
                       Diagnostics& out) {
  if (!CheckForm(instruction, out)) return;
  const OpDef& def = instruction.def();
  if (!options.allow_mixed_precision && !def.any_precision) CheckPrecision(instruction, out);
  OpCall call = instruction.Call();
  call.set_strictness(options.layout_sensitive, options.allow_mixed_precision);
  std::optional<Shape> inferred = def.infer(call, out);
  if (!inferred) return;
  CheckShape(instruction, *inferred, options, out);
  if (def.verify) def.verify(call, out);
  if (options.layout_sensitive) CheckLayouts(instruction, options, out);
}

void Verify(const Module& module, const VerifierOptions& options, Diagnostics& out) {
  VerifierScope scope{module, options, out, {}};
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      scope.opcodes.set(static_cast<size_t>(instruction.opcode()));
      VerifyInstruction(instruction, options, out);
    }
  }
  VerifyComputations(scope);
  VerifyAsyncChains(scope);
  VerifyTransfers(scope);
  VerifySchedule(scope);
  VerifyBuffers(scope);
  VerifyShardings(scope);
  VerifyHeader(scope);
}

}  // namespace

void VerifyModule(const Module& module, Diagnostics& diagnostics, const VerifierOptions& options) {
  if (!options.strict) {
    Verify(module, options, diagnostics);
    return;
  }
  Diagnostics found;
  Verify(module, options, found);
  for (const Diagnostic& d : found.list()) {
    Severity severity = d.severity == Severity::kWarning ? Severity::kError : d.severity;
    Diagnostic& copy = diagnostics.Report(d.code, severity, d.range, d.message);
    copy.notes = d.notes;
    copy.fixes = d.fixes;
  }
}

}  // namespace hlo
