// How many lanes a pass of generated code goes through at a time.
#ifndef HLO_ENGINE_CODEGEN_PASS_LANES_H_
#define HLO_ENGINE_CODEGEN_PASS_LANES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/plan/region_steps.h"

namespace hlo {

/// The fewest lanes that a pass in vectors goes through at a time: those of a step do not wait for
/// one another.
inline constexpr int kStepLanes = 8;
/// As many as a pass may go through.
inline constexpr int kWideStepLanes = 2 * kStepLanes;

/// The steps of one pass, by their numbers in a program, in order.
using PassSteps = std::vector<size_t>;

/// The lanes of the passes of one function: kWideStepLanes where a pass computes one function, such
/// as exp, whose instructions in kStepLanes lanes fill what a processor looks ahead over; unless
/// that takes so many registers that vectors are moved to memory and back. Otherwise kStepLanes.
/// The steps start no loop, and there is code for them without functions of the module.
int PassLanes(const RegionSteps& program, std::span<const PassSteps> passes);

/// What is known of the code of a pass before it is written.
struct PassForm {
  int lanes;      ///< PassLanes
  bool is_light;  ///< it waits for memory more than for its steps, none of which is a function
};
/// Of the steps [begin, end) as one pass.
PassForm FormOf(const RegionSteps& program, size_t begin, size_t end);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_PASS_LANES_H_
