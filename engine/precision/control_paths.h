// Which executions of two runs are the same one: by the calls and the iterations around it.
#ifndef HLO_ENGINE_PRECISION_CONTROL_PATHS_H_
#define HLO_ENGINE_PRECISION_CONTROL_PATHS_H_

#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/hlo/call_graph.h"
#include "engine/hlo/ir.h"
#include "engine/run/replica.h"

namespace hlo {

/// For instructions of the second module, those of the first.
using Counterparts = std::unordered_map<const Instruction*, const Instruction*>;

/// An execution of an instruction, which both runs may have. Instructions are those of the first
/// module.
struct Place {
  const Instruction* instruction;
  int64_t device;
  std::vector<int64_t> iterations;  ///< of the loops around it, outermost first
  /// The calls around it, as far as they are needed: of computations that are called from several
  /// places.
  std::vector<const Instruction*> calls;
  bool operator<(const Place& other) const {
    return std::tie(instruction, device, iterations, calls) <
           std::tie(other.instruction, other.device, other.iterations, other.calls);
  }
};

/// Where the control flow of two runs parts: a loop that ends in one of them only, a conditional
/// that takes another branch.
struct Parting {
  const Instruction* instruction;  ///< while or conditional, of the first module
  int64_t device = 0;
  std::vector<int64_t> iterations;  ///< of the loops around it
  /// Of a loop: how many iterations both have; of a conditional: -1.
  int64_t iteration = -1;
  /// Of a loop: whether it goes on (1) or ends (0); of a conditional: the branch that is taken.
  int64_t first = 0, second = 0;
};

/// Tells executions apart, and knows where control flow has parted.
class ControlPaths {
 public:
  ControlPaths(const Module& first, const Module& second, const Counterparts& counterpart);

  /// The place of what a device of a run (0 or 1) executes just now; nothing where the other run
  /// cannot have it: after control flow has parted, or where the calls have no counterparts.
  /// `instruction` is of the first module.
  std::optional<Place> PlaceOf(int side, const Instruction& instruction, const Replica& replica,
                               const IterationPath& iterations) const;

  /// Whether control flow parts here: both runs have executed an instruction on which it depends,
  /// with these values.
  std::optional<Parting> PartsAt(const Place& place, const Value& first, const Value& second) const;
  /// From now on nothing within the loop or conditional is executed by both. `place`: as in
  /// PartsAt.
  void Part(const Parting& parting, const Place& place);

 private:
  const Instruction* ToFirst(int side, const Instruction* instruction) const;
  std::optional<Parting> LoopPartsAt(const Place& place, const Value& first,
                                     const Value& second) const;

  const Counterparts& counterpart_;
  CallGraph calls_[2];
  // Calls that are counterparts, of computations that both modules call from several places.
  std::unordered_set<const Instruction*> told_apart_;
  // Computations of each module that are called from several places, or all of none.
  std::unordered_set<const Computation*> shared_[2];
  // What decides: conditionals by their selectors, those that are counterparts.
  std::unordered_multimap<const Instruction*, const Instruction*> chosen_by_;
  std::set<Place> parted_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_PRECISION_CONTROL_PATHS_H_
