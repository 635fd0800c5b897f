// Which values of a computation are the same whatever its arguments are.
#ifndef HLO_ENGINE_PLAN_FOLDING_H_
#define HLO_ENGINE_PLAN_FOLDING_H_

#include <vector>

#include "engine/plan/plan.h"

namespace hlo {

/// The largest value that a run keeps from one execution to the next, in bytes.
inline constexpr int64_t kMostFoldedBytes = int64_t{8} << 20;

/// By position: whether the value follows from constants alone. Never of joined loops.
std::vector<bool> FindConstants(const ComputationPlan& plan);

/// Sets `fold` of every instruction: what follows from constants alone (and not from parameters,
/// random numbers, the device or the host) need not be computed again when the computation runs
/// again, as the body of a loop does. At least one instruction is left to execute.
void MarkFolds(ComputationPlan& plan);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_FOLDING_H_
