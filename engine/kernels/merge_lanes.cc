#include "engine/kernels/merge_lanes.h"

#include <algorithm>

namespace hlo {

void ReadHeads(const MergeLane* lanes, int64_t n, const uint32_t* from, uint32_t* lefts,
               uint32_t* rights) {
  for (int64_t i = 0; i < n; ++i) {
    lefts[i] = from[lanes[i].left];
    rights[i] = from[lanes[i].right];
  }
}

int64_t AdvanceLanes(MergeLane* lanes, int64_t n, const uint8_t* take_right, const uint32_t* from,
                     uint32_t* to) {
  int64_t kept = 0;
  for (int64_t i = 0; i < n; ++i) {
    MergeLane lane = lanes[i];
    const uint32_t right = take_right[i] != 0 ? 1 : 0;
    to[lane.out++] = from[right != 0 ? lane.right : lane.left];
    lane.right += right;
    lane.left += 1 - right;
    if (lane.done()) {
      FinishLane(lane, from, to);
    } else {
      lanes[kept++] = lane;
    }
  }
  return kept;
}

void FinishLane(const MergeLane& lane, const uint32_t* from, uint32_t* to) {
  uint32_t* const rest = std::copy(from + lane.left, from + lane.left_end, to + lane.out);
  std::copy(from + lane.right, from + lane.right_end, rest);
}

}  // namespace hlo
