// When the instructions of a program are executed, those of the computations that it calls too.
#ifndef HLO_ENGINE_PLAN_MOMENTS_H_
#define HLO_ENGINE_PLAN_MOMENTS_H_

#include <cstdint>
#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// The computations that an instruction executes with buffers of their own.
std::vector<const Computation*> CalleesOf(const Instruction& instruction);

/// The instructions of a program in one row: those of the entry in order, and after each of them
/// those of the computations that it calls, one computation after another. A loop is gone through
/// once; a computation that several instructions call has its moments at one of them.
class Moments {
 public:
  /// `busiest`: of every computation the position that matters most. What several instructions
  /// call is where that leads to, if it leads there, else at its first caller.
  Moments(const Module& module, const std::vector<int64_t>& busiest);

  /// Whether the entry executes it.
  bool Has(const Computation& computation) const { return !FirstOf(computation).empty(); }
  /// Of position `at` of a computation; of its end, where `at` is behind the last.
  int64_t First(const Computation& computation, int64_t at) const {
    return FirstOf(computation)[static_cast<size_t>(at)];
  }
  /// With all that is called there.
  int64_t Last(const Computation& computation, int64_t at) const {
    return First(computation, at + 1) - 1;
  }
  /// The position in the entry at which a computation that it executes is called.
  int64_t EntryPosition(const Computation& computation) const {
    return positions_[static_cast<size_t>(computation.index())];
  }
  /// The instruction at which a called computation has its moments; null for others.
  const Instruction* CallerOf(const Computation& computation) const {
    return callers_[static_cast<size_t>(computation.index())];
  }

 private:
  const std::vector<int64_t>& FirstOf(const Computation& computation) const {
    return first_[static_cast<size_t>(computation.index())];
  }
  void FindCallers(const Computation& entry, const std::vector<int64_t>& busiest);

  // By computation.
  std::vector<const Instruction*> callers_;
  std::vector<int64_t> positions_;
  std::vector<std::vector<int64_t>> first_;  // by position, and of its end
};

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_MOMENTS_H_
