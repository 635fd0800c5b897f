// Why a program cannot be compiled: instruction by instruction.
#ifndef HLO_ENGINE_STANDALONE_REFUSALS_H_
#define HLO_ENGINE_STANDALONE_REFUSALS_H_

#include <set>
#include <string>

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/plan/island.h"
#include "engine/plan/plan.h"

namespace hlo {

/// Reports instructions that cannot be compiled, each once.
class Refusals {
 public:
  /// It must outlive this.
  explicit Refusals(Diagnostics* diagnostics) : diagnostics_(*diagnostics) {}

  /// `why` goes on from the name of the instruction and what it is of.
  void Add(const Instruction& instruction, const std::string& why);
  bool empty() const { return known_.empty(); }
  /// Whether more are of no use.
  bool is_full() const { return known_.size() >= kMost; }

 private:
  static constexpr size_t kMost = 20;
  Diagnostics& diagnostics_;
  std::set<const Instruction*> known_;
};

/// What keeps a computation, or one that it calls, from being an island.
void FindObstacles(Plan* plan, Islands* islands, const Computation& entry, Refusals* refusals);

/// Why an instruction of an island that no family of operations has written has no code.
std::string ReasonFor(const PlannedInstruction& planned);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_REFUSALS_H_
