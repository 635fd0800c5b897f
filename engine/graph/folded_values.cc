#include "engine/graph/folded_values.h"

namespace hlo {
namespace {

bool IsBroadcastOfScalar(const Instruction& instruction) {
  if (instruction.opcode() != Opcode::kBroadcast || instruction.operand_count() != 1) return false;
  const Instruction& operand = *instruction.operand(0);
  // One behind another would make a chain of them.
  return operand.shape().IsArray() && operand.shape().dims().empty() &&
         operand.opcode() != Opcode::kBroadcast;
}

}  // namespace

bool FoldedValues::IsFolded(const Instruction& instruction) const {
  if (!folds_ || &instruction == focus_ || instruction.is_root()) return false;
  if (instruction.opcode() != Opcode::kConstant && !IsBroadcastOfScalar(instruction)) return false;
  return !graph_.UsersOf(instruction).empty();
}

const Instruction& FoldedValues::Behind(const Instruction& operand) const {
  const bool is_seen_through = operand.opcode() != Opcode::kConstant && IsFolded(operand);
  return is_seen_through ? *operand.operand(0) : operand;
}

}  // namespace hlo
