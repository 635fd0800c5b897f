// Where an element comes from, as a chain: from each element to one that it depends on.
#ifndef HLO_ENGINE_WHY_CHAIN_H_
#define HLO_ENGINE_WHY_CHAIN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/why/origin.h"

namespace hlo {

/// An element of a chain, and all that it depends on.
struct ChainLink {
  PlaceInRun place;
  std::vector<ElementsInRun> sources;
};

struct Chain {
  std::vector<ChainLink> links;
  /// So many more are left out after the first `before_gap` links.
  int64_t skipped = 0;
  size_t before_gap = 0;
  /// The last link depends on nothing, or is where a NaN or infinity was first made.
  bool is_complete = false;
};

/// From an element back. A NaN is followed to a NaN, an infinity to an infinity, until one was made
/// of others; any other element to the one of largest magnitude among those that its value is made
/// of. At most `most` links (at least 2) are kept: of a longer path to a NaN its two ends.
Chain ChainFrom(Origins& origins, const PlaceInRun& place, size_t most = 200);

/// The last step in which an instruction got a value on a device; in these iterations of the loops
/// around it, if they are given. Nothing when it was not executed.
std::optional<int64_t> StepOf(Timeline& timeline, const Instruction& instruction, int64_t device,
                              const std::vector<int64_t>* iterations);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_CHAIN_H_
