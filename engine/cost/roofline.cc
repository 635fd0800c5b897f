#include "engine/cost/roofline.h"

#include <algorithm>

#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"

namespace hlo {

std::string_view Text(Bound bound) {
  switch (bound) {
    case Bound::kNone:
      return "none";
    case Bound::kCompute:
      return "compute";
    case Bound::kMemory:
      return "memory";
    case Bound::kParts:
      break;
  }
  return "parts";
}

double BytesAcross(const Machine& machine, const Traffic& traffic) {
  return traffic.moved() - (machine.has_vmem ? traffic.vmem : 0);
}

double IntensityOn(const Machine& machine, const Cost& cost) {
  const double bytes = BytesAcross(machine, cost.traffic);
  return bytes > 0 ? cost.work.operations() / bytes : 0;
}

Roofline::Roofline(const CostAnalysis& costs, const Machine& machine)
    : costs_(costs), machine_(machine) {
  const auto& computations = costs.module().computations();
  instructions_.resize(computations.size());
  computations_.resize(computations.size());
  for (const Computation& computation : computations) {
    const auto index = static_cast<size_t>(computation.index());
    instructions_[index].reserve(computation.instructions().size());
    for (const Instruction& instruction : computation.instructions()) {
      instructions_[index].push_back(EstimateOf(instruction));
      computations_[index] += instructions_[index].back().seconds;
    }
  }
}

Estimate Roofline::EstimateOf(const Instruction& instruction) const {
  const InstructionCost& cost = costs_.Of(instruction);
  if (instruction.def().control_flow) {
    double seconds = 0;
    const bool is_loop = instruction.opcode() == Opcode::kWhile;
    ForEachCallee(instruction, [&](const Attr&, const Computation& called) {
      const double each = computations_[static_cast<size_t>(called.index())];
      seconds = is_loop ? seconds + each : std::max(seconds, each);
    });
    return {seconds * std::max(cost.iterations, is_loop && cost.iterations == 0 ? 0.0 : 1.0),
            Bound::kParts};
  }
  const double operations = cost.cost.work.operations();
  const double compute = operations > 0 ? operations / machine_.PeakOf(cost.type) : 0;
  const double memory = BytesAcross(machine_, cost.cost.traffic) / machine_.bandwidth;
  if (compute == 0 && memory == 0) return {};
  return compute > memory ? Estimate{compute, Bound::kCompute} : Estimate{memory, Bound::kMemory};
}

const Estimate& Roofline::Of(const Instruction& instruction) const {
  return instructions_[static_cast<size_t>(instruction.parent()->index())]
                      [static_cast<size_t>(instruction.index())];
}

double Roofline::total_seconds() const {
  const Computation* entry = costs_.module().entry();
  return entry ? computations_[static_cast<size_t>(entry->index())] : 0;
}

}  // namespace hlo
