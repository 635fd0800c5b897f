#include "engine/plan/plan.h"

#include <set>
#include <utility>

#include "engine/plan/folding.h"
#include "engine/plan/narrow_iota.h"
#include "engine/plan/region_compiler.h"

namespace hlo {
namespace {

PlannedInstruction PlanInstruction(const Instruction& instruction,
                                   const CustomCallTargets* custom_calls) {
  OpCall call = PlainCall(instruction, custom_calls);
  const OpDef& def = call.def();
  PlannedInstruction planned{.instruction = &instruction,
                             .def = &def,
                             .call = std::move(call),
                             .mixed = nullptr,
                             .operands = {}};
  if (def.eval) planned.mixed = MixedCall::Of(planned.call);
  for (const Instruction* operand : instruction.operands()) {
    planned.operands.push_back({.value = operand->index(), .last = false});
  }
  if (instruction.opcode() == Opcode::kParameter) {
    planned.parameter = instruction.attrs().Int("number");
  }
  return planned;
}

bool IsElementAccess(const PlannedInstruction& planned) {
  return planned.instruction->opcode() == Opcode::kGetTupleElement;
}

// Walks backwards: the first use met of a value is its last one.
void MarkLastUses(ComputationPlan& plan) {
  std::vector<bool> used(plan.instructions.size(), false);
  std::vector<bool> only_elements(plan.instructions.size(), true);
  used[static_cast<size_t>(plan.root)] = true;
  only_elements[static_cast<size_t>(plan.root)] = false;
  for (size_t i = plan.instructions.size(); i-- > 0;) {
    PlannedInstruction& planned = plan.instructions[i];
    planned.unused = !used[i];
    for (size_t o = planned.operands.size(); o-- > 0;) {
      OperandUse& use = planned.operands[o];
      const size_t value = static_cast<size_t>(use.value);
      use.last = !used[value];
      used[value] = true;
      if (!IsElementAccess(planned)) only_elements[value] = false;
    }
  }
  std::set<std::pair<int32_t, int64_t>> taken;
  for (size_t i = plan.instructions.size(); i-- > 0;) {
    PlannedInstruction& planned = plan.instructions[i];
    if (!IsElementAccess(planned) || planned.operands.empty()) continue;
    const int32_t tuple = planned.operands[0].value;
    const int64_t element = planned.call.Int("index");
    if (!only_elements[static_cast<size_t>(tuple)]) continue;
    if (taken.emplace(tuple, element).second) planned.taken_element = element;
  }
}

void CompileScalarLoops(ComputationPlan& plan, const CustomCallTargets* custom_calls) {
  for (PlannedInstruction& planned : plan.instructions) {
    std::optional<RegionSteps> steps = CompileScalarLoop(*planned.instruction, custom_calls);
    if (steps) planned.scalar_loop = std::make_unique<const RegionSteps>(std::move(*steps));
  }
}

std::unique_ptr<ComputationPlan> PlanComputation(const Computation& computation,
                                                 const CustomCallTargets* custom_calls,
                                                 bool joins_loops) {
  auto plan = std::make_unique<ComputationPlan>();
  plan->computation = &computation;
  plan->instructions.reserve(computation.instructions().size());
  for (const Instruction& instruction : computation.instructions()) {
    plan->instructions.push_back(PlanInstruction(instruction, custom_calls));
  }
  plan->root = computation.root()->index();
  if (joins_loops) {
    JoinLoops(*plan, custom_calls);
    CompileScalarLoops(*plan, custom_calls);
    NarrowIotas(*plan);
  }
  MarkLastUses(*plan);
  MarkFolds(*plan);
  return plan;
}

}  // namespace

Plan::Plan(const Module& module, const CustomCallTargets* custom_calls, bool joins_loops)
    : module_(module),
      custom_calls_(custom_calls),
      joins_loops_(joins_loops),
      plans_(module.computations().size()) {}

const ComputationPlan& Plan::For(const Region& region) {
  // Computation is the only Region there is; ops see the base class so that they need not know it.
  const auto& computation = *AsComputation(&region);
  std::unique_ptr<ComputationPlan>& plan = plans_[static_cast<size_t>(computation.index())];
  if (plan) return *plan;
  plan = PlanComputation(computation, custom_calls_, joins_loops_);
  for (PlannedInstruction& planned : plan->instructions) {
    if (planned.loop || planned.scalar_loop) planned.program = program_count_++;
  }
  return *plan;
}

}  // namespace hlo
