// What an island needs at least, known before it runs.
#ifndef HLO_ENGINE_PLAN_ISLAND_MEMORY_H_
#define HLO_ENGINE_PLAN_ISLAND_MEMORY_H_

#include <vector>

#include "engine/plan/island.h"

namespace hlo {

/// The most that an island's arrays take at one time, as a lower bound: every execution needs as
/// much or more. A result that may be written over an operand is taken to be. Nothing is counted
/// for constants, for what calls, loops and branches give, and for what loops and branches need
/// inside.
struct IslandPeak {
  struct Live {
    const Instruction* instruction = nullptr;  ///< which makes it
    double bytes = 0;
  };
  /// The instruction at which it is reached, after the calls that it is in; empty when nothing is
  /// made.
  std::vector<const Instruction*> stack;
  double bytes = 0;
  /// The bytes of the parameters that are read: there when the island begins.
  double parameter_bytes = 0;
  std::vector<Live> live;  ///< the largest first
};

/// `islands` gives the computations that it calls.
IslandPeak FindPeak(const Island& island, Islands& islands);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_ISLAND_MEMORY_H_
