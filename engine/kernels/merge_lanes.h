// Merges that advance in lockstep, one comparison each at a time, so that a comparator can be asked
// about a whole block of them at once. The values merged are indices of elements.
#ifndef HLO_ENGINE_KERNELS_MERGE_LANES_H_
#define HLO_ENGINE_KERNELS_MERGE_LANES_H_

#include <cstdint>

namespace hlo {

/// A merge of two sorted runs of numbers, as positions in the array they come from: of the left and
/// right run what is not merged yet, and where the next one goes.
struct MergeLane {
  uint32_t left, left_end;
  uint32_t right, right_end;
  uint32_t out;
  bool done() const { return left == left_end || right == right_end; }
};

/// The next index of each run (left, right) of every lane; no lane may be done.
void ReadHeads(const MergeLane* lanes, int64_t n, const uint32_t* from, uint32_t* lefts,
               uint32_t* rights);

/// Moves one head of every lane to `to`: the right one where take_right[i] is not 0. Lanes that
/// this completes have the rest moved too, and are dropped. Returns the number of lanes left.
int64_t AdvanceLanes(MergeLane* lanes, int64_t n, const uint8_t* take_right, const uint32_t* from,
                     uint32_t* to);

/// Moves what is left of a lane that is done.
void FinishLane(const MergeLane& lane, const uint32_t* from, uint32_t* to);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_MERGE_LANES_H_
