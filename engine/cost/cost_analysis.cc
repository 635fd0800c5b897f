#include "engine/cost/cost_analysis.h"

#include <fmt/format.h>

#include "engine/base/byte_count.h"
#include "engine/base/work_limit.h"
#include "engine/cost/library_work.h"
#include "engine/cost/trip_count.h"
#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"
#include "engine/plan/region_compiler.h"

namespace hlo {
namespace {

bool IsProduct(Opcode opcode) { return CostRuleOf(opcode).is_product; }

// The type of the first array in a shape.
ElementType TypeIn(const Shape& shape) {
  const Shape* at = &shape;
  while (at->IsTuple() && !at->elements().empty()) at = &at->elements()[0];
  return at->IsArray() || at->IsBuffer() ? at->element_type() : ElementType::kF32;
}

// The wider type of operands 0 and 1.
ElementType ProductType(const Instruction& instruction) {
  const ElementType lhs = TypeIn(instruction.operand(0)->shape());
  const ElementType rhs = TypeIn(instruction.operand(1)->shape());
  return BitsOf(lhs) >= BitsOf(rhs) ? lhs : rhs;
}

ElementType WorkType(const Instruction& instruction) {
  return IsProduct(instruction.opcode()) ? ProductType(instruction) : TypeIn(instruction.shape());
}

// Whether a backend has code of its own for a fusion.
bool IsCustomFusion(const Instruction& fusion) {
  for (const AttrDef& attr : fusion.def().attrs) {
    if (attr.name != "kind") continue;
    const auto kind = static_cast<size_t>(fusion.attrs().Int("kind"));
    return kind < attr.words.size() && attr.words[kind] == "kCustom";
  }
  return false;
}

}  // namespace

const Computation* NamedComputation(const Instruction& instruction, std::string_view attr) {
  const Region* region = instruction.attrs().GetRegion(attr);
  return region ? AsComputation(region) : nullptr;
}

CostAnalysis::CostAnalysis(const Module& module, const CustomCallTargets* custom_calls)
    : module_(module),
      custom_calls_(custom_calls),
      instructions_(module.computations().size()),
      computations_(module.computations().size()),
      fusions_(module.computations().size()),
      times_(module.computations().size()) {
  // Callees come before their callers.
  for (const Computation& computation : module.computations()) Analyze(computation);
  CountExecutions();
}

void CostAnalysis::Analyze(const Computation& computation) {
  const auto index = static_cast<size_t>(computation.index());
  std::vector<InstructionCost>& costs = instructions_[index];
  costs.reserve(computation.instructions().size());
  for (const Instruction& instruction : computation.instructions()) {
    CountWork();
    CountBytes(sizeof(InstructionCost));
    costs.push_back(CostOf(instruction));
    computations_[index] += costs.back().cost;
  }
}

// A custom-call that runs a computation stays one: its computations are not counted as executed.
OpCall CostAnalysis::CallOf(const Instruction& instruction) const {
  OpCall call = PlainCall(instruction, custom_calls_);
  if (call.opcode() == Opcode::kCall) call.set_opcode(instruction.opcode());
  return call;
}

const CostRule& CostAnalysis::RuleOf(const Instruction& instruction) const {
  return CostRuleOf(CallOf(instruction).opcode());
}

InstructionCost CostAnalysis::CostOf(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kWhile:
      return OfWhile(instruction);
    case Opcode::kFusion:
      return OfFusion(instruction);
    case Opcode::kCall:
    case Opcode::kConditional:
    case Opcode::kAsyncStart:
      return OfCalled(instruction);
    default:
      break;
  }
  const OpCall op_call = CallOf(instruction);
  const auto work_of = [&](const Region* region) {
    return region ? Of(*AsComputation(region)).work : Work();
  };
  const CostCall call(op_call, &bytes_, work_of);
  const CostRule& rule = CostRuleOf(op_call.opcode());
  InstructionCost cost;
  cost.type = WorkType(instruction);
  if (rule.count) cost.cost.work = rule.count(call);
  if (rule.bytes) cost.cost.traffic = rule.bytes(call);
  if (op_call.opcode() != Opcode::kCustomCall) return cost;
  if (const auto known = LibraryCost(op_call, &bytes_)) {
    cost.cost = *known;
    cost.type = ProductType(instruction);
  } else {
    cost.cost.unknown = 1;
  }
  return cost;
}

InstructionCost CostAnalysis::OfWhile(const Instruction& loop) const {
  InstructionCost cost;
  for (const char* part : {"condition", "body"}) {
    if (const Computation* called = NamedComputation(loop, part)) cost.cost += Of(*called);
  }
  const auto count = TripCountOf(loop);
  cost.iterations = count ? static_cast<double>(*count) : -1;
  if (count) cost.cost = cost.cost * cost.iterations;
  return cost;
}

InstructionCost CostAnalysis::OfCalled(const Instruction& instruction) const {
  InstructionCost cost;
  ForEachCallee(instruction, [&](const Attr&, const Computation& called) {
    cost.cost = LargerOf(cost.cost, Of(called));
  });
  return cost;
}

InstructionCost CostAnalysis::OfFusion(const Instruction& fusion) {
  InstructionCost cost;
  cost.type = TypeIn(fusion.shape());
  const Computation* fused = NamedComputation(fusion, "calls");
  if (!fused) return cost;
  const auto index = static_cast<size_t>(fused->index());
  const bool is_custom = IsCustomFusion(fusion);
  double largest = 0;
  for (const Instruction& inner : fused->instructions()) {
    const InstructionCost& of_inner = Of(inner);
    const bool is_indexed = inner.opcode() == Opcode::kGather || inner.opcode() == Opcode::kScatter;
    // XLA takes such a fusion for its gather or scatter alone.
    if (is_custom && is_indexed) return of_inner;
    const bool has_product = IsProduct(inner.opcode()) || inner.opcode() == Opcode::kFusion;
    if (!has_product || of_inner.cost.work.flops <= largest) continue;
    largest = of_inner.cost.work.flops;
    cost.type = of_inner.type;
  }
  if (fusions_[index].parameters.empty() && fusions_[index].written.bytes() == 0) {
    fusions_[index] = FusionTrafficOf(*fused, fusions_, &bytes_);
  }
  cost.cost.work = computations_[index].work;
  cost.cost.unknown = computations_[index].unknown;
  cost.cost.traffic = fusions_[index].Sum();
  return cost;
}

void CostAnalysis::CountExecutions() {
  if (!module_.entry()) return;
  times_[static_cast<size_t>(module_.entry()->index())] = 1;
  const auto& computations = module_.computations();
  // Callers come after their callees.
  for (auto caller = computations.rbegin(); caller != computations.rend(); ++caller) {
    const double times = TimesOf(*caller);
    if (times == 0) continue;
    for (const Instruction& instruction : caller->instructions()) {
      if (!instruction.def().control_flow) continue;
      const double iterations = Of(instruction).iterations;
      if (iterations < 0) ++unknown_loops_;
      ForEachCallee(instruction, [&](const Attr&, const Computation& called) {
        times_[static_cast<size_t>(called.index())] += times * (iterations < 0 ? 1 : iterations);
      });
    }
  }
  for (const Computation& computation : computations) {
    if (TimesOf(computation) == 0) continue;
    for (const Instruction& each : computation.instructions()) executed_.push_back(&each);
  }
}

const InstructionCost& CostAnalysis::Of(const Instruction& instruction) const {
  return instructions_[static_cast<size_t>(instruction.parent()->index())]
                      [static_cast<size_t>(instruction.index())];
}

const Cost& CostAnalysis::Of(const Computation& computation) const {
  return computations_[static_cast<size_t>(computation.index())];
}

const Cost& CostAnalysis::total() const {
  static const Cost kNothing;
  return module_.entry() ? Of(*module_.entry()) : kNothing;
}

double CostAnalysis::TimesOf(const Computation& computation) const {
  return times_[static_cast<size_t>(computation.index())];
}

std::string CostAnalysis::NoteOn(const Instruction& instruction) const {
  const InstructionCost& cost = Of(instruction);
  switch (instruction.opcode()) {
    case Opcode::kWhile:
      if (cost.iterations < 0) return "trip count not known: one iteration";
      return fmt::format("{} iterations", cost.iterations);
    case Opcode::kConditional:
      return "the largest branch";
    case Opcode::kCustomCall:
      return cost.cost.unknown > 0 ? "not known: counted as nothing" : "";
    default:
      break;
  }
  if (cost.cost.unknown > 0) return fmt::format("without {} custom calls", cost.cost.unknown);
  if (cost.cost.traffic.vmem > 0) {
    return ByteCountText(cost.cost.traffic.vmem) +
           " of it in S(1), VMEM on a TPU: not counted in its time";
  }
  return "";
}

}  // namespace hlo
