// The order in which XLA prints computations and their instructions, and which asynchronous ops
// have a short form. Source: XLA, hlo/ir/hlo_computation.cc (ForEachInstructionPostOrder),
// hlo/ir/hlo_module.cc (MakeComputationPostOrder), hlo/ir/hlo_instructions.cc
// (HloAsyncInstruction).
#ifndef HLO_ENGINE_HLO_PRINT_ORDER_H_
#define HLO_ENGINE_HLO_PRINT_ORDER_H_

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// Instructions after their operands and control predecessors, in a depth-first walk that starts at
/// each instruction without users, in the order of the list. Of collectives with one channel the
/// earlier ones come first, too.
std::vector<const Instruction*> PostOrder(const Computation& computation);
/// Computations after those that they call, in a depth-first walk that starts at each one that
/// nothing calls.
std::vector<const Computation*> ComputationOrder(const Module& module);

/// Which async ops of a module are printed as `OP-start`, `OP-update`, `OP-done`, and so which
/// computations are not printed at all: those that are one OP on its parameters in order, and
/// belong to one async-start only.
class AsyncForms {
 public:
  /// No op has a short form.
  AsyncForms() = default;
  explicit AsyncForms(const Module& module);

  /// The computation that is folded into this async op, or null.
  const Computation* Folded(const Instruction& instruction) const;
  bool IsFolded(const Computation& computation) const { return folded_.count(&computation) > 0; }

 private:
  std::unordered_set<const Computation*> folded_;
  std::unordered_map<const Instruction*, const Computation*> of_;
};

/// The computation that the attribute `calls` names, or null.
const Computation* CalledComputation(const Instruction& instruction);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_PRINT_ORDER_H_
