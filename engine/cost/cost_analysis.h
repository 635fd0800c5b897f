// The cost of every instruction, computation and of the whole of a module.
#ifndef HLO_ENGINE_COST_COST_ANALYSIS_H_
#define HLO_ENGINE_COST_COST_ANALYSIS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cost/array_bytes.h"
#include "engine/cost/cost.h"
#include "engine/cost/cost_rules.h"
#include "engine/cost/fusion_traffic.h"
#include "engine/hlo/ir.h"
#include "engine/types/element_type.h"

namespace hlo {

/// What one execution of an instruction costs.
struct InstructionCost {
  Cost cost;
  /// What its arithmetic works on: the operands of the largest product in it, else its result.
  ElementType type = ElementType::kF32;
  /// Of a while loop: iterations, which its cost has already; -1 where they are not known and one
  /// is counted. Of everything else 1.
  double iterations = 1;
};

/// The costs of a module, which must outlive them. Takes time in proportion to the module.
class CostAnalysis {
 public:
  /// `custom_calls`: what custom-calls find; may be null, and must outlive the costs too.
  explicit CostAnalysis(const Module& module, const CustomCallTargets* custom_calls = nullptr);

  const Module& module() const { return module_; }
  const InstructionCost& Of(const Instruction& instruction) const;
  /// What it is counted by: of a custom-call that marks a value, or is an op under another name,
  /// the rule of that op.
  const CostRule& RuleOf(const Instruction& instruction) const;
  /// One execution of a computation.
  const Cost& Of(const Computation& computation) const;
  /// One execution of the entry.
  const Cost& total() const;
  /// How often a computation is executed in one execution of the entry, by the counts of loops that
  /// are known; every branch of a conditional counts as often as the conditional. 0 for
  /// computations that are fused, applied to elements, or not called.
  double TimesOf(const Computation& computation) const;
  /// The instructions of the computations that are executed, in the order of the text.
  const std::vector<const Instruction*>& executed() const { return executed_; }
  /// While loops among them whose iterations are not known.
  int unknown_loops() const { return unknown_loops_; }

  /// What is special about the cost of an instruction, in a sentence; empty if nothing is.
  std::string NoteOn(const Instruction& instruction) const;

 private:
  void Analyze(const Computation& computation);
  OpCall CallOf(const Instruction& instruction) const;
  InstructionCost CostOf(const Instruction& instruction);
  InstructionCost OfWhile(const Instruction& loop) const;
  InstructionCost OfFusion(const Instruction& fusion);
  InstructionCost OfCalled(const Instruction& instruction) const;
  void CountExecutions();

  const Module& module_;
  const CustomCallTargets* custom_calls_;
  ShapeBytes bytes_;
  // By index of the computation.
  std::vector<std::vector<InstructionCost>> instructions_;
  std::vector<Cost> computations_;
  std::vector<FusionTraffic> fusions_;
  std::vector<double> times_;
  std::vector<const Instruction*> executed_;
  int unknown_loops_ = 0;
};

/// The computation that an attribute names; null if there is none.
const Computation* NamedComputation(const Instruction& instruction, std::string_view attr);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_COST_ANALYSIS_H_
