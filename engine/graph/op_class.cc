#include "engine/graph/op_class.h"

#include <algorithm>

#include "engine/ops/op_def.h"

namespace hlo {
namespace {

constexpr std::string_view kTexts[] = {
    "parameter", "constant",      "elementwise", "movement", "product", "reduction", "fusion",
    "control",   "communication", "random",      "custom",   "tuple",   "other"};

bool TakesAttr(const OpDef& def, std::string_view name) {
  return std::any_of(def.attrs.begin(), def.attrs.end(),
                     [&](const AttrDef& attr) { return attr.name == name; });
}

bool TakesRegion(const OpDef& def) {
  return std::any_of(def.attrs.begin(), def.attrs.end(), [](const AttrDef& attr) {
    return attr.kind == AttrKind::kRegion || attr.kind == AttrKind::kRegions;
  });
}

OpClass ClassByDefinition(const OpDef& def) {
  if (TakesAttr(def, "custom_call_target")) return OpClass::kCustom;
  if (def.control_flow) return OpClass::kControl;
  if (def.runs != Runs::kOtherwise) return OpClass::kFusion;
  if (def.is_collective || TakesAttr(def, "channel_id")) return OpClass::kCommunication;
  if (TakesAttr(def, "operand_precision")) return OpClass::kProduct;
  if (TakesRegion(def)) return OpClass::kReduction;
  if (def.is_drawn) return OpClass::kRandom;
  if (def.keeps_data || def.view || def.carries != 0 || def.passes_on == PassesOn::kAll) {
    return OpClass::kMovement;
  }
  if (def.elementwise) return OpClass::kElementwise;
  return def.varies || def.has_effect ? OpClass::kCommunication : OpClass::kOther;
}

}  // namespace

OpClass ClassOf(const Instruction& instruction) {
  const Opcode opcode = instruction.opcode();
  if (opcode == Opcode::kParameter) return OpClass::kParameter;
  if (opcode == Opcode::kConstant) return OpClass::kConstant;
  if (opcode == Opcode::kTuple || opcode == Opcode::kGetTupleElement) return OpClass::kTuple;
  // The end of something is what its beginning is; chains end at an op that starts one.
  const Instruction* at = &instruction;
  while (at->def().buffers == ResultBuffers::kStarted && at->operand_count() > 0) {
    at = at->operand(0);
  }
  return ClassByDefinition(at->def());
}

std::string_view Text(OpClass op_class) { return kTexts[static_cast<size_t>(op_class)]; }

}  // namespace hlo
