// What a run executed, how, how often, and how long that took.
#ifndef HLO_ENGINE_RUN_PROFILE_H_
#define HLO_ENGINE_RUN_PROFILE_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/ops/eval.h"
#include "engine/plan/island.h"

namespace hlo {

/// How often something ran, and for how long.
struct ProfileCount {
  uint64_t times = 0;
  uint64_t timed = 0;   ///< how many of these the clock was read for
  double measured = 0;  ///< seconds, of those

  /// Of all executions: those that were not timed took as long as the others.
  double seconds() const {
    return timed == 0 ? 0 : measured * static_cast<double>(times) / static_cast<double>(timed);
  }
};

/// Something that ran as one: an island, or a step in one or beside all of them.
struct ProfileEntry {
  enum class How : uint8_t {
    kIsland,     ///< an island, with all that ran in it
    kOperation,  ///< one instruction, by its own function
    kBlocks,     ///< a joined loop or a loop over scalars, as a program over blocks of elements
    kCode,       ///< the same, with generated code for parts of it
  };
  How how = How::kOperation;
  bool is_in_island = false;
  /// The instruction that it ends with; of an island that is a computation, the root.
  const Instruction* last = nullptr;
  std::vector<const Instruction*> instructions;
  /// Of a loop that ran as the epilogue of a product, whose time has that of the loop: the product.
  const Instruction* ran_in = nullptr;
  uint64_t steps = 0;  ///< of an island: instructions that were executed in it
  ProfileCount count;
};

/// Times one execution, and does nothing without an entry. Of what runs often and briefly only some
/// executions are timed, so that reading the clock takes no part of the time that counts.
class ProfileTimer {
 public:
  /// `program`, of a loop, says how it ran; null for all else. Both must outlive it.
  ProfileTimer(ProfileEntry* entry, const RegionFunction* program);
  ~ProfileTimer();
  ProfileTimer(const ProfileTimer&) = delete;
  ProfileTimer& operator=(const ProfileTimer&) = delete;

 private:
  ProfileEntry* entry_;
  const RegionFunction* program_;
  bool is_timed_ = false;
  std::chrono::steady_clock::time_point start_;
};

/// What a run executed, in the order in which it first did. Entries stay where they are; whoever
/// runs something remembers its entry.
class RunProfile {
 public:
  /// A new entry for an island; `called` is its instruction where it is one alone, else null.
  ProfileEntry* Add(const Island& island, const Instruction* called);
  /// A new entry for a step: of an instruction, or of a loop that runs where it stands.
  ProfileEntry* Add(const ComputationPlan& plan, const PlannedInstruction& planned);

  const std::vector<std::unique_ptr<ProfileEntry>>& entries() const { return entries_; }

 private:
  std::vector<std::unique_ptr<ProfileEntry>> entries_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_PROFILE_H_
