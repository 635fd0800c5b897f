// How often a while loop runs, where the program says it.
#ifndef HLO_ENGINE_COST_TRIP_COUNT_H_
#define HLO_ENGINE_COST_TRIP_COUNT_H_

#include <cstdint>
#include <optional>

#include "engine/hlo/ir.h"

namespace hlo {

/// The number of iterations of a while loop: what `known_trip_count` of its backend_config says,
/// else what follows where the condition compares an element of the state with a constant, to which
/// the body adds a constant, and which starts as a constant. Nothing where neither tells.
std::optional<int64_t> TripCountOf(const Instruction& loop);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_TRIP_COUNT_H_
