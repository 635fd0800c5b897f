// The loop nest over the indices of a view, with loops merged that together step like one loop.
#ifndef HLO_ENGINE_KERNELS_MOVE_LOOPS_H_
#define HLO_ENGINE_KERNELS_MOVE_LOOPS_H_

#include <cstdint>

#include "engine/kernels/move_view.h"

namespace hlo {

/// Elements of work between two polls of the budget.
inline constexpr int64_t kPollElements = int64_t{1} << 16;

/// `count` times, advancing by `step` elements.
struct ViewLoop {
  int64_t count;
  int64_t step;
};

/// The indices of a view in row-major order, outermost loop first; at least one loop.
struct LoopNest {
  int64_t offset = 0;
  bool empty = false;  ///< the view has no index
  SmallVector<ViewLoop, 6> loops;
};
LoopNest MakeNest(const StridedView& view);

/// How many indices there are.
inline int64_t CountOf(const LoopNest& nest) {
  int64_t count = nest.empty ? 0 : 1;
  for (const ViewLoop& loop : nest.loops) count *= loop.count;
  return count;
}

/// Where a run of the innermost loop begins, by its number (ForEachRow).
inline int64_t OffsetOfRow(const LoopNest& nest, int64_t row) {
  int64_t offset = nest.offset;
  for (size_t d = nest.loops.size() - 1; d-- > 0;) {
    offset += row % nest.loops[d].count * nest.loops[d].step;
    row /= nest.loops[d].count;
  }
  return offset;
}

/// Calls row(offset, count, step) for each run of the innermost loop, in row-major order: the run's
/// elements are at offset + i * step for i < count.
template <typename F>
void ForEachRow(const LoopNest& nest, F&& row) {
  if (nest.empty) return;
  const ViewLoop inner = nest.loops.back();
  size_t outer_count = nest.loops.size() - 1;
  Dims position(outer_count, 0);
  int64_t offset = nest.offset;
  while (true) {
    row(offset, inner.count, inner.step);
    size_t d = outer_count;
    for (; d > 0; --d) {
      const ViewLoop& loop = nest.loops[d - 1];
      offset += loop.step;
      if (++position[d - 1] < loop.count) break;
      position[d - 1] = 0;
      offset -= loop.count * loop.step;
    }
    if (d == 0) return;
  }
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_MOVE_LOOPS_H_
