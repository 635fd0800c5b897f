#include "engine/views/flow_text.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <vector>

#include "engine/codegen/code_text.h"
#include "engine/codegen/flow_code.h"
#include "engine/plan/flow.h"

namespace hlo {
namespace {

struct FoundFlow {
  std::unique_ptr<const Flow> flow;
  FlowObstacle obstacle;
  std::optional<FlowModule> module;
};

/// Nothing if the instruction is no loop of an island.
std::optional<FoundFlow> FindFlow(const ComputationPlan& plan, const PlannedInstruction& planned,
                                  Islands* islands) {
  if (!planned.def->loops || planned.scalar_loop) return std::nullopt;
  const Island* const island = islands->OfInstruction(plan, planned);
  if (!island || island->steps.size() != 1) return std::nullopt;
  const IslandStep& loop = island->steps[0];
  if (loop.kind != IslandStep::Kind::kWhile) return std::nullopt;
  FoundFlow found;
  found.flow = FlowOf(*island, loop, islands, &found.obstacle);
  if (found.flow) found.module = ModuleOf(*found.flow);
  return found;
}

std::string WhyNot(const FlowObstacle& obstacle) {
  const std::string name = obstacle.instruction ? std::string(obstacle.instruction->name()) : "";
  switch (obstacle.why) {
    case FlowObstacle::Why::kStep:
      return fmt::format("{} = {} is no pass over elements, move, sum of products, loop or branch",
                         name, Text(obstacle.instruction->opcode()));
    case FlowObstacle::Why::kSize:
      return name.empty()
                 ? "a constant is empty or large"
                 : fmt::format("{} has an empty array, or goes through too many elements", name);
    case FlowObstacle::Why::kShape:
      return fmt::format("the loop of {} takes rows", name);
    case FlowObstacle::Why::kLarge:
      return "it has too many operations";
    case FlowObstacle::Why::kNone:
      break;
  }
  return "what it needs is not computed in it";
}

/// What is in a flow, blocks within blocks.
struct Parts {
  size_t passes = 0, operations = 0, moves = 0, sums = 0, loops = 0, branches = 0;

  void Add(const FlowBlock& block) {
    for (const FlowStep& step : block.steps) {
      passes += step.kind == FlowStep::Kind::kPass;
      moves += step.kind == FlowStep::Kind::kMove;
      sums += step.kind == FlowStep::Kind::kSums;
      loops += step.kind == FlowStep::Kind::kWhile;
      branches += step.kind == FlowStep::Kind::kConditional;
      if (step.program) operations += step.program->steps.size();
      for (const FlowBlock& inner : step.blocks) Add(inner);
    }
  }
};

std::string StateText(const Flow& flow) {
  size_t scalars = 0;
  std::vector<std::string> arrays;
  for (int32_t value : flow.loop.outputs) {
    const FlowValue& state = flow.values[static_cast<size_t>(value)];
    if (state.is_scalar()) {
      ++scalars;
    } else {
      arrays.push_back(fmt::format("{}[{}]", Text(state.type), state.count));
    }
  }
  return fmt::format("{} scalar{} in locals{}", scalars, scalars == 1 ? "" : "s",
                     arrays.empty() ? "" : fmt::format(", arrays {}", fmt::join(arrays, ", ")));
}

}  // namespace

std::string FlowText(const ComputationPlan& plan, const PlannedInstruction& planned,
                     Islands* islands) {
  const std::optional<FoundFlow> found = FindFlow(plan, planned, islands);
  if (!found) return "";
  if (!found->flow) return "    not one function: " + WhyNot(found->obstacle);
  if (!found->module) return "    not one function: there is no code for one of its operations";
  Parts parts;
  for (const FlowBlock& block : found->flow->loop.blocks) parts.Add(block);
  return fmt::format(
      "    one function: {} passes of {} operations, {} moves, {} sums of products, {} loops, {} "
      "branches inside\n"
      "    state: {}\n    buffers of {} bytes",
      parts.passes, parts.operations, parts.moves, parts.sums, parts.loops, parts.branches,
      StateText(*found->flow),
      found->module->buffers.empty() ? "0"
                                     : fmt::format("{}", fmt::join(found->module->buffers, ", ")));
}

std::string FlowCodeText(const ComputationPlan& plan, const PlannedInstruction& planned,
                         Islands* islands) {
  const std::optional<FoundFlow> found = FindFlow(plan, planned, islands);
  if (!found || !found->module) return "";
  return fmt::format(";; {}: the whole loop {}\n{}", plan.computation->name(),
                     planned.instruction->name(), ModuleText(found->module->module));
}

}  // namespace hlo
