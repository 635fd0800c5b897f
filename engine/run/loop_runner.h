// Runs joined loops (plan/joined_loop.h).
#ifndef HLO_ENGINE_RUN_LOOP_RUNNER_H_
#define HLO_ENGINE_RUN_LOOP_RUNNER_H_

#include <memory>
#include <span>
#include <vector>

#include "engine/base/budget.h"
#include "engine/ops/eval.h"
#include "engine/plan/plan.h"

namespace hlo {

/// The loops of a run, with their programs.
class LoopRunner {
 public:
  /// The values of the outputs of a planned instruction's loop. `inputs` may be moved from: an
  /// array that nobody else holds may become an output. Throws RunError. `plan` is the computation.
  std::vector<Value> Run(const PlannedInstruction& planned, const ComputationPlan& plan,
                         std::span<Value> inputs, EvalContext& context);

  /// The value of a `while` over scalars, with this initial state.
  Value RunScalars(const PlannedInstruction& planned, const Value& state, Budget* budget);

 private:
  RegionFunction& ProgramOf(const PlannedInstruction& planned, Budget* budget);

  std::vector<std::unique_ptr<RegionFunction>> programs_;  // by number; null: not made, or let go
  size_t made_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_LOOP_RUNNER_H_
