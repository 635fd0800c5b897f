// What a program uses values for, as far as it says which values make sense.
#ifndef HLO_ENGINE_PLAN_VALUE_USES_H_
#define HLO_ENGINE_PLAN_VALUE_USES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// Who uses which instruction of a module. Valid as long as the module does not change.
class ValueUses {
 public:
  explicit ValueUses(const Module& module);

  /// For each array in the value of an instruction, in order: the largest integer that means
  /// something everywhere it is used, also in other places or through calls and loops: as an index,
  /// as a size, as the number of a branch (OpDef::largest). -1: any.
  std::vector<int64_t> LargestOf(const Instruction& value) const;

 private:
  int64_t LargestAt(const Instruction& value, std::vector<int64_t> path) const;

  /// A value, or its element of this number (-1: all of it), goes to operand `operand` of an
  /// instruction, or becomes a parameter (-1) of a computation.
  struct Use {
    const Instruction* value;
    int64_t element;
    const Instruction* to;
    int operand;
  };
  /// Positions in `uses_` of what uses the value, or its element of that number.
  std::span<const uint32_t> UsesOf(const Instruction* value, int64_t element) const;

  std::vector<Use> uses_;
  std::vector<uint32_t> order_;  // of the uses, by value and element
};

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_VALUE_USES_H_
