#include "engine/standalone/refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/ops/op_def.h"
#include "engine/plan/region_compiler.h"

namespace hlo {
namespace {

/// "f32, s32": each type once.
std::string TypesIn(const std::vector<Shape>& shapes) {
  std::vector<std::string_view> types;
  for (const Shape& shape : shapes) {
    ForEachArray(shape, [&](const Shape& array) {
      const std::string_view type = Text(array.element_type());
      if (std::find(types.begin(), types.end(), type) == types.end()) types.push_back(type);
    });
  }
  return fmt::format("{}", fmt::join(types, ", "));
}

/// "add of f32", "convert of f32 to bf16".
std::string Described(const Instruction& instruction) {
  std::vector<Shape> operands;
  for (const Instruction* operand : instruction.operands()) operands.push_back(operand->shape());
  const std::string from = TypesIn(operands), to = TypesIn({instruction.shape()});
  const std::string_view opcode = Text(instruction.opcode());
  if (from.empty() || from == to) {
    return to.empty() ? std::string(opcode) : fmt::format("{} of {}", opcode, to);
  }
  return to.empty() ? fmt::format("{} of {}", opcode, from)
                    : fmt::format("{} of {} to {}", opcode, from, to);
}

// ---- Why a computation is no island -------------------------------------------------------------

constexpr std::string_view kRunsAlone = "and a stand-alone program runs alone";

std::string NoCodeForCalls(const OpCall& call) {
  return fmt::format("no code is written for calls of {}", call.String("custom_call_target"));
}

/// A call whose target is not computed element by element.
std::string WhyNotCall(const OpCall& call) {
  if (call.def().loop(call)) return "";
  const CustomCallTargets* const targets = call.custom_calls();
  const CustomCallTarget* const target = targets ? targets->Find(call) : nullptr;
  if (!target) return "a custom call runs code from outside of the program";
  return NoCodeForCalls(call);
}

std::string WhyNot(const PlannedInstruction& planned) {
  const OpDef& def = *planned.def;
  const Opcode opcode = planned.call.opcode();
  if (!planned.instruction->shape().has_known_sizes()) {
    return "its sizes are known only when it runs, and a module has a fixed place for each array";
  }
  if (opcode == Opcode::kCustomCall) return WhyNotCall(planned.call);
  if (def.is_drawn) {
    return fmt::format(
        "{} draws random numbers, other ones in each run; rng-bit-generator, whose "
        "state is given, can be compiled",
        Text(opcode));
  }
  if (def.is_collective) {
    return fmt::format("{} exchanges data with other devices, {}", Text(opcode), kRunsAlone);
  }
  if (def.has_effect) {
    return fmt::format("{} is seen outside of the program, {}", Text(opcode), kRunsAlone);
  }
  if (def.varies) {
    return fmt::format("{} depends on the device, {}", Text(opcode), kRunsAlone);
  }
  return "";
}

class ObstacleFinder {
 public:
  ObstacleFinder(Plan* plan, Islands* islands, Refusals* refusals)
      : plan_(*plan), islands_(*islands), refusals_(*refusals) {}

  /// Searches a computation and what it calls.
  void Find(const Region& region, int levels) {
    if (islands_.Of(region) || levels == 0 || !seen_.insert(&region).second) return;
    for (const PlannedInstruction& planned : plan_.For(region).instructions) {
      if (refusals_.is_full()) return;
      std::string why = WhyNot(planned);
      if (why.empty() && planned.def->enter) {
        const bool was_found = FindInCalled(planned, levels);
        if (!was_found && planned.def->runs == Runs::kOtherwise) {
          why = fmt::format(
              "{} is not a plain call, branch or loop: it is only executed step by "
              "step",
              Text(planned.instruction->opcode()));
        }
      }
      if (!why.empty()) refusals_.Add(*planned.instruction, why);
    }
  }

 private:
  bool FindInCalled(const PlannedInstruction& planned, int levels) {
    bool is_found = false;
    for (const Attr& attr : planned.instruction->attrs()) {
      ForEachRegion(attr.value, [&](const Region* called) {
        is_found = is_found || !islands_.Of(*called);
        Find(*called, levels - 1);
      });
    }
    return is_found && !refusals_.empty();
  }

  Plan& plan_;
  Islands& islands_;
  Refusals& refusals_;
  std::set<const Region*> seen_;
};

// ---- Computations that are not on scalars -------------------------------------------------------

/// An instruction of a computation that loops over elements cannot apply, or null.
const Instruction* FindArray(const Computation& computation) {
  for (const auto& instruction : computation.instructions()) {
    const Shape& shape = instruction.shape();
    bool is_scalar = !shape.IsToken();
    ForEachArray(shape, [&](const Shape& array) { is_scalar = is_scalar && array.rank() == 0; });
    if (!is_scalar) return &instruction;
  }
  return nullptr;
}

}  // namespace

void Refusals::Add(const Instruction& instruction, const std::string& why) {
  if (is_full() || !known_.insert(&instruction).second) return;
  diagnostics_.Report(DiagCode::kNotExecutable, instruction.places().whole,
                      fmt::format("{} ({}) cannot be compiled: {}", instruction.name(),
                                  Described(instruction), why));
}

void FindObstacles(Plan* plan, Islands* islands, const Computation& entry, Refusals* refusals) {
  constexpr int kLevels = 32;
  ObstacleFinder(plan, islands, refusals).Find(entry, kLevels);
  if (!refusals->empty()) return;
  const ComputationPlan& computation = plan->For(entry);
  const PlannedInstruction& root = computation.instructions[static_cast<size_t>(computation.root)];
  refusals->Add(*root.instruction,
                "the program is nested too deeply, or passes too many arrays around");
}

std::string ReasonFor(const PlannedInstruction& planned) {
  const Instruction& instruction = *planned.instruction;
  const CustomCallTargets* const targets = planned.call.custom_calls();
  const Opcode opcode = instruction.opcode();
  if (opcode == Opcode::kConstant && instruction.Call().GetLiteral("literal")->literal.elided) {
    return "its value is left out in the text";
  }
  if (planned.call.opcode() == Opcode::kCustomCall) return NoCodeForCalls(planned.call);
  if (opcode == Opcode::kSetDimensionSize) {
    return "the size of its result is known only when it runs, and a module has a fixed place for "
           "each array";
  }
  std::unique_ptr<const MixedCall> mixed;
  if (instruction.def().loop && !LoopOf(instruction, targets, &mixed).run && !mixed) {
    return "it has no meaning, and a run fails there, too";
  }
  for (const Attr& attr : instruction.attrs()) {
    std::string why;
    ForEachRegion(attr.value, [&](const Region* region) {
      const Computation& computation = *AsComputation(region);
      if (!why.empty() || CompileSteps(computation, targets)) return;
      const Instruction* const array = FindArray(computation);
      why = array ? fmt::format(
                        "its computation is applied to elements, and {} in it ({}) is not a "
                        "scalar",
                        array->name(), Described(*array))
                  : "its computation does not become code: it calls what is executed step by step, "
                    "or is too large";
    });
    if (!why.empty()) return why;
  }
  return "no code is written for it with these types and attributes";
}

}  // namespace hlo
