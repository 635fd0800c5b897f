#include "engine/views/plan_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/codegen/code_text.h"
#include "engine/codegen/region_module.h"
#include "engine/codegen/segment.h"
#include "engine/plan/plan.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

enum class StepKind { kLoop, kScalars, kInstruction, kConstant };

constexpr std::string_view kKindNames[] = {"loop", "scalars", "instruction", "constant"};

StepKind KindOf(const PlannedInstruction& planned) {
  if (planned.loop) return StepKind::kLoop;
  if (planned.scalar_loop) return StepKind::kScalars;
  return planned.fold == Fold::kNone ? StepKind::kInstruction : StepKind::kConstant;
}

std::string NameOf(const ComputationPlan& plan, int32_t position) {
  return std::string(plan.instructions[static_cast<size_t>(position)].instruction->name());
}

std::vector<std::string> NamesOf(const ComputationPlan& plan,
                                 const std::vector<int32_t>& positions) {
  std::vector<std::string> names;
  names.reserve(positions.size());
  for (int32_t position : positions) names.push_back(NameOf(plan, position));
  return names;
}

// The computations that a run enters, each once.
std::vector<const ComputationPlan*> EnteredBy(Plan& plan) {
  const Computation& entry = *plan.module().entry();
  std::vector<const ComputationPlan*> entered = {&plan.For(entry)};
  std::vector<bool> is_known(plan.module().computations().size());
  is_known[static_cast<size_t>(entry.index())] = true;
  for (size_t next = 0; next < entered.size(); ++next) {
    for (const PlannedInstruction& planned : entered[next]->instructions) {
      if (!planned.def->enter || planned.is_joined || planned.scalar_loop) continue;
      for (const Attr& attr : planned.instruction->attrs()) {
        ForEachRegion(attr.value, [&](const Region* region) {
          const auto index = static_cast<size_t>(AsComputation(region)->index());
          if (!is_known[index]) entered.push_back(&plan.For(*region));
          is_known[index] = true;
        });
      }
    }
  }
  return entered;
}

std::string ReasonOf(const ComputationPlan& plan, const Unjoined& unjoined) {
  switch (unjoined.why) {
    case Apart::kCount:
      return "it has another number of elements";
    case Apart::kOrder:
      return "it reads the elements in another order";
    case Apart::kNeeded:
      return fmt::format("{}, between the two, needs values of that loop",
                         NameOf(plan, unjoined.needed_by));
    case Apart::kFull:
      break;
  }
  return "that loop has as many instructions as a loop may have";
}

// ---- As text ------------------------------------------------------------------------------------

std::string InputsText(const ComputationPlan& plan, const JoinedLoop& loop) {
  std::string text;
  for (const LoopInput& input : loop.inputs) {
    const bool is_one = input.view && input.view->is_uniform();
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", NameOf(plan, input.value),
                        is_one       ? " (one element)"
                        : input.view ? " (a view)"
                                     : "");
  }
  return text.empty() ? "nothing" : text;
}

std::string StepText(const ComputationPlan& plan, const PlannedInstruction& planned) {
  const Instruction& instruction = *planned.instruction;
  switch (KindOf(planned)) {
    case StepKind::kLoop:
      return fmt::format("  loop over {} elements: {}\n    reads {}\n    writes {}\n",
                         planned.loop->count, fmt::join(NamesOf(plan, planned.loop->members), ", "),
                         InputsText(plan, *planned.loop),
                         fmt::join(NamesOf(plan, planned.loop->outputs), ", "));
    case StepKind::kScalars:
      return fmt::format("  {} = {}, over scalars: one program of {} operations\n",
                         instruction.name(), Text(instruction.opcode()),
                         planned.scalar_loop->steps.size());
    case StepKind::kConstant:
      return fmt::format("  {} = {}, computed once: it follows from constants\n",
                         instruction.name(), Text(instruction.opcode()));
    case StepKind::kInstruction:
      break;
  }
  return fmt::format("  {} = {}\n", instruction.name(), Text(instruction.opcode()));
}

bool IsStep(const PlannedInstruction& planned) { return !planned.is_joined; }

int64_t StepsOf(const ComputationPlan& plan) {
  return std::count_if(plan.instructions.begin(), plan.instructions.end(), IsStep);
}

std::string ComputationText(const ComputationPlan& plan) {
  std::string text = fmt::format("{}: {} instructions in {} steps\n", plan.computation->name(),
                                 plan.instructions.size(), StepsOf(plan));
  for (const PlannedInstruction& planned : plan.instructions) {
    if (IsStep(planned)) text += StepText(plan, planned);
  }
  for (const Unjoined& unjoined : plan.unjoined) {
    fmt::format_to(std::back_inserter(text), "  not joined: {} with {}: {}\n",
                   NameOf(plan, unjoined.instruction), NameOf(plan, unjoined.operand),
                   ReasonOf(plan, unjoined));
  }
  return text;
}

// ---- As code ------------------------------------------------------------------------------------

std::string CodeOf(const RegionSteps& steps) {
  const std::vector<Segment> segments = FindSegments(steps);
  if (segments.empty()) return ";; no code: its operations run one after the other\n";
  std::string text;
  for (size_t i = 0; i < segments.size(); ++i) {
    text += fmt::format(";; {}: operations {} to {} of {}{}\n", i, segments[i].begin + 1,
                        segments[i].end, steps.steps.size(),
                        segments[i].is_loop ? ", a loop" : ", four lanes at a time");
  }
  const std::optional<CodeBytes> module = RegionModule(steps, segments);
  return module ? text + ModuleText(*module) : ";; no code: it is too large\n";
}

std::string ComputationCode(const ComputationPlan& plan) {
  std::string text;
  for (const PlannedInstruction& planned : plan.instructions) {
    if (planned.loop) {
      text += fmt::format(";; {}: {}\n", plan.computation->name(),
                          fmt::join(NamesOf(plan, planned.loop->members), ", "));
      text += CodeOf(planned.loop->steps);
    } else if (planned.scalar_loop) {
      text += fmt::format(";; {}: {}\n", plan.computation->name(), planned.instruction->name());
      text += CodeOf(*planned.scalar_loop);
    }
  }
  return text;
}

// ---- As JSON ------------------------------------------------------------------------------------

Json LoopJson(const ComputationPlan& plan, const JoinedLoop& loop) {
  Json inputs = Json::array();
  for (const LoopInput& input : loop.inputs) {
    inputs.push_back(
        ObjectJson({{"name", NameOf(plan, input.value)}, {"isView", input.view.has_value()}}));
  }
  return ObjectJson({{"elements", loop.count},
                     {"instructions", NamesOf(plan, loop.members)},
                     {"inputs", std::move(inputs)},
                     {"outputs", NamesOf(plan, loop.outputs)},
                     {"operations", loop.steps.steps.size()}});
}

Json StepJson(const ComputationPlan& plan, const PlannedInstruction& planned) {
  const StepKind kind = KindOf(planned);
  Json step = ObjectJson({{"kind", std::string(kKindNames[static_cast<size_t>(kind)])},
                          {"name", std::string(planned.instruction->name())},
                          {"opcode", std::string(Text(planned.instruction->opcode()))}});
  if (planned.loop) step.update(LoopJson(plan, *planned.loop));
  if (planned.scalar_loop) step["operations"] = planned.scalar_loop->steps.size();
  return step;
}

Json ComputationJson(const ComputationPlan& plan) {
  Json steps = Json::array(), unjoined = Json::array();
  for (const PlannedInstruction& planned : plan.instructions) {
    if (IsStep(planned)) steps.push_back(StepJson(plan, planned));
  }
  for (const Unjoined& apart : plan.unjoined) {
    unjoined.push_back(ObjectJson({{"instruction", NameOf(plan, apart.instruction)},
                                   {"operand", NameOf(plan, apart.operand)},
                                   {"why", ReasonOf(plan, apart)}}));
  }
  return ObjectJson({{"name", std::string(plan.computation->name())},
                     {"instructions", plan.instructions.size()},
                     {"steps", std::move(steps)},
                     {"unjoined", std::move(unjoined)}});
}

}  // namespace

std::string PlanText(const Document& document) {
  Plan plan(*document.module(), nullptr, /*joins_loops=*/true);
  std::string text;
  for (const ComputationPlan* computation : EnteredBy(plan)) text += ComputationText(*computation);
  return text;
}

std::string PlanJson(const Document& document) {
  Plan plan(*document.module(), nullptr, /*joins_loops=*/true);
  Json computations = Json::array();
  for (const ComputationPlan* computation : EnteredBy(plan)) {
    computations.push_back(ComputationJson(*computation));
  }
  return JsonText(ObjectJson({{"computations", std::move(computations)}}));
}

std::string PlanCode(const Document& document) {
  Plan plan(*document.module(), nullptr, /*joins_loops=*/true);
  std::string text;
  for (const ComputationPlan* computation : EnteredBy(plan)) text += ComputationCode(*computation);
  return text.empty() ? ";; no loops of element-wise instructions, and none over scalars\n" : text;
}

}  // namespace hlo
