// What an island runner keeps of an island from one execution to the next. Internal to it.
#ifndef HLO_ENGINE_RUN_ISLAND_FRAME_H_
#define HLO_ENGINE_RUN_ISLAND_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/run/island_runner.h"
#include "engine/run/loop_code.h"
#include "engine/run/profile.h"

namespace hlo {

/// A step costs about as much as the work on so many elements.
inline constexpr int64_t kStepWork = 32;

/// What a step needs while it runs, with the memory of its last execution.
struct IslandRunner::StepState {
  std::vector<Value> arguments;
  std::vector<const std::byte*> from;
  std::vector<std::byte*> to;
  std::vector<LoopSource> sources;
  std::vector<Frame*> callees;
  ProfileEntry* profile = nullptr;  // where it is measured, from the first execution on
  std::unique_ptr<LoopCode> code;   // of a kWhile that has begun
  // Of a loop that has run as the epilogue of a product, in this execution: the product.
  const Instruction* ran_in = nullptr;
};

struct IslandRunner::Frame {
  /// How often it was executed, as far as that matters.
  enum class Constants : uint8_t {
    kNew,    ///< the computation has not been executed
    kSeen,   ///< it has, once: for most computations the only time
    kReady,  ///< their values are in their slots
    kDropped,
  };

  struct Slot {
    std::shared_ptr<Buffer> buffer;
    bool is_parked = false;  ///< no value: the buffer waits for one
  };

  explicit Frame(const Island& its_island)
      : island(its_island), slots(island.slots.size()), states(island.steps.size()) {}

  Slot& At(int32_t slot) { return slots[static_cast<size_t>(slot)]; }
  const std::byte* Data(int32_t slot) { return At(slot).buffer->data(); }
  bool IsKept(int32_t slot) const {
    return keeps && island.slots[static_cast<size_t>(slot)].is_kept;
  }
  bool IsLast(const SlotUse& use) const { return use.is_last && !IsKept(use.slot); }

  const Island& island;
  std::vector<Slot> slots;
  std::vector<StepState> states;
  ProfileEntry* profile = nullptr;  // where it is measured, if it is run by itself
  double needed = -1;  // bytes that an execution adds to its parameters; -1: not worked out
  Constants constants = Constants::kNew;
  bool keeps = false;  // constants stay in their slots
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_ISLAND_FRAME_H_
