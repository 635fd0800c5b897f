// What an island needs at least, known before it runs.
#ifndef HLO_ENGINE_PLAN_ISLAND_MEMORY_H_
#define HLO_ENGINE_PLAN_ISLAND_MEMORY_H_

#include <cstdint>
#include <vector>

#include "engine/plan/island.h"

namespace hlo {

/// The most that an island's arrays take at one time, no execution of it less: where a step may
/// write its result over an operand it is taken to do so, constants that are kept count nothing,
/// nor does what loops and branches need inside.
struct IslandPeak {
  struct Live {
    const Instruction* instruction = nullptr;  ///< which makes it
    int64_t bytes = 0;
  };
  /// The instruction at which it is reached, after the calls that it is in; empty when nothing is
  /// made.
  std::vector<const Instruction*> stack;
  int64_t bytes = 0;
  /// The bytes of the parameters that are read: there when the island begins.
  int64_t parameter_bytes = 0;
  std::vector<Live> live;  ///< the largest first
};

/// `islands` gives the computations that it calls.
IslandPeak FindPeak(const Island& island, Islands& islands);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_ISLAND_MEMORY_H_
