// The machine code of a `while` of an island, with what it runs on. Internal to island runners.
#ifndef HLO_ENGINE_RUN_LOOP_CODE_H_
#define HLO_ENGINE_RUN_LOOP_CODE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/plan/flow.h"
#include "engine/plan/region_code.h"
#include "engine/run/island_runner.h"

namespace hlo {

struct IslandRunner::LoopCode {
  /// The work of the runner on the loop, before there is code.
  int64_t work = 0;
  /// How often it was tried to make code: constants may be there the next time.
  int tries = 0;
  std::unique_ptr<const Flow> flow;
  std::shared_ptr<const FlowCode> code;  // null: there is none
  Buffers constants;                     // as in the flow
  // See FlowPlaces.
  std::vector<std::byte> scalars;
  std::vector<std::array<std::byte, sizeof(RegionConstant::value)>> numbers;
  std::vector<int32_t> control;
  std::vector<std::byte*> places;
  /// How many of the buffers are arrays of the state: those are in their slots.
  size_t state_arrays = 0;
  /// Holds the other buffers; waits between two executions, if it is small.
  std::shared_ptr<Buffer> memory;
  int64_t memory_bytes = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_LOOP_CODE_H_
