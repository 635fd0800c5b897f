// Where the arrays of a program are: in one arena, in which arrays share a place when they are
// never needed at the same time.
#ifndef HLO_ENGINE_STANDALONE_ARENA_H_
#define HLO_ENGINE_STANDALONE_ARENA_H_

#include <cstdint>
#include <vector>

#include "engine/standalone/program.h"

namespace hlo {

/// Arrays begin at multiples of this, and so does the arena.
inline constexpr int64_t kArrayAlignment = 64;

struct Arena {
  /// By array: its first byte in the arena; -1 for constants and for arrays that are not used.
  std::vector<int64_t> offsets;
  int64_t bytes = 0;
};

/// Places the arrays. Where a copy or a step allows it, what is written takes the place of what is
/// read for the last time, so that the state of a loop is updated where it is.
Arena PlaceArrays(const DriverProgram& program);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_ARENA_H_
