#include "engine/hlo/layout_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/work_limit.h"
#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

// XLA, layout.h: kDefaultMemorySpace, kGenericFastMemorySpace, kHostMemorySpace.
constexpr int64_t kDevice = 0;
constexpr int64_t kFast = 1;
constexpr int64_t kHost = 5;

int64_t MemoryOf(const Shape& shape) { return shape.layout().extras().memory_space; }

/// Whether the result may have elements of another size than this operand, in which case the
/// layouts say so. The predicate of a select does not become part of its result.
bool ChangesElementSize(const Instruction& i, const Shape& operand) {
  const bool chooses =
      i.opcode() == Opcode::kSelect && operand.element_type() == ElementType::kPred;
  return i.def().changes_element_size || chooses;
}

void CheckMove(const Instruction& slice, const Shape& operand, Diagnostics& out) {
  const int64_t from = MemoryOf(operand);
  const int64_t to = MemoryOf(slice.shape());
  const auto report = [&](std::string_view message) {
    ReportAt(slice, DiagCode::kLayoutInvalid,
             fmt::format("{}: {} to {}", message, ShapeText(operand), ShapeText(slice.shape())),
             out);
  };
  if (from == kFast && to != kFast) {
    report(
        "Instruction shouldn't change layout memory space between generic fast memory space and "
        "others for instruction");
  }
  if (slice.opcode() == Opcode::kDynamicSlice && from == kDevice && to == kHost) {
    report("DynamicSlice instruction shouldn't change layout memory space from device to host");
  }
  if (slice.opcode() == Opcode::kDynamicUpdateSlice && from == kHost && to == kDevice) {
    report(
        "DynamicUpdateSlice instruction shouldn't change layout memory space from host to device");
  }
}

void CheckUnchanged(const Instruction& instruction, Diagnostics& out) {
  const Shape& result = instruction.shape();
  for (const Instruction* operand : instruction.operands()) {
    const Shape& shape = operand->shape();
    if (!shape.IsArray() || shape.rank() != result.rank()) continue;
    if (instruction.opcode() == Opcode::kDynamicSlice ||
        instruction.opcode() == Opcode::kDynamicUpdateSlice) {
      CheckMove(instruction, shape, out);
    }
    const LayoutParts parts{.tiles = false,
                            .element_bits = !ChangesElementSize(instruction, shape),
                            .memory_space = false};
    if (Layout::Equal(result.layout(), shape.layout(), parts)) continue;
    ReportAt(instruction, DiagCode::kLayoutInvalid,
             fmt::format("Instruction shouldn't change layouts: {} of {} to {}", ShapeText(shape),
                         operand->name(), ShapeText(result)),
             out);
    return;
  }
}

/// A constant, or copies of one: it can be placed in any memory space.
bool IsConstant(const Instruction& i) {
  const Instruction* at = &i;
  while (at->opcode() == Opcode::kCopy) at = at->operand(0);
  return at->opcode() == Opcode::kConstant;
}

/// A bitcast stays in the memory of the host, or of the device. XLA, hlo_verifier.cc,
/// HandleBitcast.
void CheckBitcast(const Instruction& bitcast, Diagnostics& out) {
  const Shape& operand = bitcast.operand(0)->shape();
  const Shape& result = bitcast.shape();
  if (!operand.IsArray() || !result.IsArray() || IsConstant(*bitcast.operand(0)) ||
      (MemoryOf(operand) == kHost) == (MemoryOf(result) == kHost)) {
    return;
  }
  ReportAt(
      bitcast, DiagCode::kLayoutInvalid,
      fmt::format("Bitcast cannot have different memory spaces of output ({}) and operand ({}) "
                  "({}) ({})",
                  MemoryOf(result), MemoryOf(operand), ShapeText(result), ShapeText(operand)),
      out);
}

bool IsOnHost(const Shape& shape) {
  if (!shape.IsTuple()) return shape.IsArray() && MemoryOf(shape) == kHost;
  CountWork(shape.elements().size());
  return std::any_of(shape.elements().begin(), shape.elements().end(), IsOnHost);
}

}  // namespace

bool IsHostCopy(const Instruction& copy) {
  const Shape& from = copy.operand(0)->shape();
  const Shape& to = copy.shape();
  if (!from.IsArray() || !to.IsArray() || MemoryOf(from) == MemoryOf(to)) return false;
  return MemoryOf(from) == kHost || MemoryOf(to) == kHost;
}

bool KeepsHostCopy(const Instruction& copy) {
  const Shape& from = copy.operand(0)->shape();
  const Shape& to = copy.shape();
  if (MemoryOf(to) == kHost) return Shape::Compatible(from, to);
  return Shape::Equal(from, to, {.layout_parts = {.memory_space = false}});
}

void CheckLayouts(const Instruction& instruction, const VerifyMode& mode, Diagnostics& out) {
  if (mode.strict && IsOnHost(instruction.shape())) {
    // XLA checks it only on request, for programs that do not offload.
    out.Report(DiagCode::kLayoutInvalid, Severity::kWarning, instruction.places().shape,
               fmt::format("{}: Instruction shouldn't have the layout of host memory space: {}",
                           instruction.name(), ShapeText(instruction.shape())));
  }
  if (mode.layout_sensitive && instruction.opcode() == Opcode::kBitcast) {
    CheckBitcast(instruction, out);
  }
  const OpDef& def = instruction.def();
  const bool keeps = (def.elementwise && instruction.opcode() != Opcode::kCopy) || def.keeps_layout;
  if (mode.layout_sensitive && keeps && instruction.shape().IsArray()) {
    CheckUnchanged(instruction, out);
  }
}

}  // namespace hlo
