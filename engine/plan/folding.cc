#include "engine/plan/folding.h"

#include <algorithm>
#include <vector>

namespace hlo {
namespace {

bool DependsOnConstantsAlone(const PlannedInstruction& planned, const std::vector<bool>& constant) {
  if (planned.loop || planned.is_joined || planned.def->eval == nullptr || planned.def->varies ||
      planned.parameter >= 0)
    return false;
  return std::all_of(planned.operands.begin(), planned.operands.end(), [&](const OperandUse& use) {
    return constant[static_cast<size_t>(use.value)];
  });
}

}  // namespace

std::vector<bool> FindConstants(const ComputationPlan& plan) {
  const size_t count = plan.instructions.size();
  std::vector<bool> constant(count, false);
  for (size_t i = 0; i < count; ++i) {
    constant[i] = DependsOnConstantsAlone(plan.instructions[i], constant);
  }
  return constant;
}

void MarkFolds(ComputationPlan& plan) {
  const size_t count = plan.instructions.size();
  std::vector<bool> constant = FindConstants(plan);
  // The root is what a step of the executor ends on.
  constant[static_cast<size_t>(plan.root)] = false;
  // From the last to the first: who needs a value is known when it is met.
  std::vector<bool> needed(count, false);
  for (size_t i = count; i-- > 0;) {
    PlannedInstruction& planned = plan.instructions[i];
    const bool fits = planned.call.shape().stored_bytes() <= kMostFoldedBytes;
    if (constant[i] && (fits || !needed[i])) {
      planned.fold = needed[i] ? Fold::kKept : Fold::kSkipped;
      continue;
    }
    planned.fold = Fold::kNone;
    for (const OperandUse& use : planned.operands) needed[static_cast<size_t>(use.value)] = true;
  }
}

}  // namespace hlo
