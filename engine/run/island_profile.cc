// How an island is run where it is measured.
#include "engine/run/island_frame.h"
#include "engine/run/island_runner.h"

namespace hlo {

// What a step calls is measured by itself.
void IslandRunner::ExecuteMeasured(Frame& frame, const IslandStep& step, StepState& state,
                                   Context& context) {
  using Kind = IslandStep::Kind;
  const bool is_loop = step.kind == Kind::kLoop || step.kind == Kind::kScalars;
  if (!is_loop && step.kind != Kind::kOperation && step.kind != Kind::kElements) {
    return Execute(frame, step, state, context);
  }
  if (!state.profile) {
    state.profile = profile_->Add(*frame.island.plan, *step.planned);
    state.profile->is_in_island = true;
  }
  if (state.ran_in) state.profile->ran_in = state.ran_in;
  const ProfileTimer timer(state.profile,
                           is_loop ? &loops_.ProgramOf(*step.planned, &budget_) : nullptr);
  Execute(frame, step, state, context);
}

void IslandRunner::RunMeasured(Frame& frame, Context& context, const Instruction* called) {
  if (!frame.profile) frame.profile = profile_->Add(frame.island, called);
  const ProfileTimer timer(frame.profile, nullptr);
  const uint64_t begin = budget_.steps_used();
  RunSteps(frame, context);
  frame.profile->steps += budget_.steps_used() - begin;
}

}  // namespace hlo
