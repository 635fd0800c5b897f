// A module while a pass works on it.
#ifndef HLO_ENGINE_PASSES_DRAFT_H_
#define HLO_ENGINE_PASSES_DRAFT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/hlo/name_uniquer.h"

namespace hlo {

/// What a computation is to its callers.
enum class BodyKind : uint8_t {
  kProgram,  ///< the entry, or run by call, while or conditional
  kFusion,   ///< the inside of a fusion
  kApplied,  ///< a reducer, a comparator, ...: kernels recognise these by their form
  kUnused,
};

/// A copy of a module that passes change through a `ModuleEditor`. Every computation has an order
/// of instructions of its own, so that taking one out or putting one in does not move the others;
/// operands always come first in it. `Finish` makes the module of what is left.
class Draft {
 public:
  /// Copies a module without errors.
  explicit Draft(const Module& module);

  ModuleEditor& editor() { return editor_; }
  const Module& module() const { return *module_; }
  /// The computations as they were when the draft was made, callees first, and those made since.
  std::vector<Computation*> Computations();
  BodyKind KindOf(const Computation& computation) const;

  /// The instructions of a computation, in the order of the text.
  std::vector<Instruction*>& Order(const Computation& computation) {
    return orders_[static_cast<size_t>(computation.index())];
  }

  /// Whether an instruction has to stay as it is and where it is: a parameter, an effect (its own
  /// or of what it calls), another device, random numbers, control dependencies.
  bool IsPinned(const Instruction& instruction);
  /// The same, parameters apart, for all that a computation runs.
  bool HasEffects(const Computation& computation);
  /// Whether it has control dependencies, to or from it.
  bool HasControl(const Instruction& instruction) const {
    return controlled_.count(&instruction) > 0;
  }

  /// Makes an instruction, which the caller puts into the order. The name is made unique.
  Instruction* Add(Computation* computation, std::string_view name, Opcode opcode,
                   std::vector<Instruction*> operands, AttrList attrs, Shape shape);
  /// Makes a computation that `Finish` puts before its first caller.
  Computation* AddComputation(std::string_view name);
  /// How many instructions there are.
  int64_t Size() const;

  /// Leaves out what is not in an order, and computations that nothing calls any more.
  std::unique_ptr<Module> Finish();

 private:
  void KnowNames();

  std::unique_ptr<Module> module_;
  ModuleEditor editor_;
  std::vector<std::vector<Instruction*>> orders_;  ///< by index of the computation
  std::vector<BodyKind> kinds_;
  std::vector<int8_t> effects_;  ///< by computation: -1 not known yet
  std::unordered_set<const Instruction*> controlled_;
  NameUniquer names_, computation_names_;
  bool names_known_ = false;
};

/// What every computation of a module with an entry is, by its index. Callees come first in it.
std::vector<BodyKind> KindsOf(const Module& module);
/// Whether every computation comes after those that it calls, as in the modules of drafts.
bool IsInOrder(const Module& module);

/// A copy of the module: instructions in the given orders (by index of the computation).
/// Computations that the entry does not reach are left out when `used_only`.
std::unique_ptr<Module> CopyInOrder(const Module& module,
                                    const std::vector<std::vector<Instruction*>>& orders,
                                    bool used_only);

}  // namespace hlo

#endif  // HLO_ENGINE_PASSES_DRAFT_H_
