// Which elements of a buffer an array is made of: the plain meaning of every op that only moves
// data. A view never looks at a value, so the same code serves all element types of one width.
#ifndef HLO_ENGINE_KERNELS_MOVE_VIEW_H_
#define HLO_ENGINE_KERNELS_MOVE_VIEW_H_

#include <cstdint>
#include <span>

#include "engine/base/small_vector.h"

namespace hlo {

/// An array laid over a buffer: index i is buffer element offset + sum(i[d] * strides[d]). All
/// numbers count elements. Strides may be 0 (repetition) or negative (reversal).
struct StridedView {
  Dims dims;
  Dims strides;
  int64_t offset = 0;
};

/// The whole of a dense row-major array.
StridedView RowMajorView(std::span<const int64_t> dims);
/// Whether the view reads its buffer from the start, every element once, in order.
bool IsDense(const StridedView& view);

/// The leading `sizes[d]` indices of every dimension; sizes[d] <= dims[d].
StridedView Prefix(StridedView view, std::span<const int64_t> sizes);

/// Dimension i of the result is dimension permutation[i] of the view.
StridedView Permute(const StridedView& view, std::span<const int64_t> permutation);

/// Index i of every listed dimension becomes size - 1 - i.
StridedView Flip(StridedView view, std::span<const int64_t> dimensions);

/// Indices starts[d] + k * steps[d] for k < counts[d]; all of them inside the view (or no indices
/// at all).
StridedView Slice(StridedView view, std::span<const int64_t> starts,
                  std::span<const int64_t> counts, std::span<const int64_t> steps);
/// The same with steps of 1.
StridedView Slice(StridedView view, std::span<const int64_t> starts,
                  std::span<const int64_t> counts);

/// Dimension i of the view becomes dimension dimensions[i] of the result, of the same size;
/// along the other dimensions of the result the view is repeated.
StridedView BroadcastInto(const StridedView& view, std::span<const int64_t> result_dims,
                          std::span<const int64_t> dimensions);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_MOVE_VIEW_H_
