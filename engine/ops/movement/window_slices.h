// Where the slices of a gather or a scatter lie, in both arrays.
#ifndef HLO_ENGINE_OPS_MOVEMENT_WINDOW_SLICES_H_
#define HLO_ENGINE_OPS_MOVEMENT_WINDOW_SLICES_H_

#include <span>

#include "engine/kernels/move_view.h"
#include "engine/ops/movement/window_starts.h"

namespace hlo {

/// The slices of a gather: offsets of their elements in the operand and in the result, relative to
/// the first element; and the start of each slice in the result.
struct GatherSlices {
  Dims live;  ///< run-time sizes of the result
  StridedView in;
  StridedView out;
  WindowStarts::Layout layout;
};
/// Only the dimensions of the arrays count.
GatherSlices GatherSlicesOf(const OpCall& call, const Tensor& operand, const Tensor& indices);

/// The slices of a scatter: offsets of their elements in the operands and in the updates, relative
/// to the first element; and the start of each slice in the updates.
struct ScatterSlices {
  StridedView target;
  StridedView source;
  WindowStarts::Layout layout;
};
/// Only the dimensions of the arrays count.
ScatterSlices ScatterSlicesOf(const OpCall& call, const Tensor& operand, const Tensor& indices,
                              std::span<const Tensor> all_updates);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_WINDOW_SLICES_H_
