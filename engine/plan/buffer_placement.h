// Where the buffers of a program could lie in one memory: the picture of its memory over time.
#ifndef HLO_ENGINE_PLAN_BUFFER_PLACEMENT_H_
#define HLO_ENGINE_PLAN_BUFFER_PLACEMENT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/plan/program_memory.h"

namespace hlo {

/// A buffer with an offset in bytes.
struct PlacedBuffer {
  uint32_t buffer = 0;  ///< Index into ProgramMemory::buffers.
  int64_t offset = 0;
};

struct BufferPlacement {
  std::vector<PlacedBuffer> placed;
  /// Where the last of them ends: at least the most that is live of them.
  int64_t bytes = 0;
  /// Bytes at every position of the buffers that were not placed, which are smaller than all that
  /// were.
  std::vector<int64_t> rest;
};

/// Places the largest `most` buffers of a memory space: each, the largest first, at the lowest
/// offset at which nothing else is while it lives. Parameters, constants and results, which live
/// all the time, come first. Takes time in proportion to the square of `most`.
BufferPlacement PlaceBuffers(const ProgramMemory& memory, int64_t space, size_t most);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_BUFFER_PLACEMENT_H_
