#include "engine/kernels/move_loops.h"

namespace hlo {

LoopNest MakeNest(const StridedView& view) {
  LoopNest nest;
  nest.offset = view.offset;
  for (size_t d = 0; d < view.dims.size(); ++d) {
    ViewLoop loop{view.dims[d], view.strides[d]};
    if (loop.count == 0) nest.empty = true;
    if (loop.count == 1) continue;
    if (!nest.loops.empty() && nest.loops.back().step == loop.step * loop.count) {
      nest.loops.back() = {nest.loops.back().count * loop.count, loop.step};
    } else {
      nest.loops.push_back(loop);
    }
  }
  if (nest.loops.empty()) nest.loops.push_back({1, 0});
  return nest;
}

}  // namespace hlo
