// What a program uses values for, as far as it says which values make sense.
#ifndef HLO_ENGINE_PLAN_VALUE_USES_H_
#define HLO_ENGINE_PLAN_VALUE_USES_H_

#include <cstdint>
#include <unordered_map>
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

  struct Use {
    const Instruction* user;
    int operand;
  };
  /// What there is of one value.
  struct Uses {
    std::unordered_multimap<int64_t, const Instruction*> elements;  ///< taken of it, by number
    std::vector<Use> others;
    std::vector<const Instruction*> parameters;  ///< of computations, which get it
  };
  std::unordered_map<const Instruction*, Uses> uses_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_VALUE_USES_H_
