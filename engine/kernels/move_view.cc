#include "engine/kernels/move_view.h"

#include <utility>

namespace hlo {

StridedView RowMajorView(std::span<const int64_t> dims) {
  StridedView view{Dims(dims), Dims(dims.size()), 0};
  int64_t stride = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    view.strides[d] = stride;
    // A dimension of size 0 leaves no element to address; any stride does, and this one cannot
    // overflow.
    if (dims[d] > 0) stride *= dims[d];
  }
  return view;
}

bool IsDense(const StridedView& view) {
  if (view.offset != 0) return false;
  int64_t stride = 1;
  for (size_t d = view.dims.size(); d-- > 0;) {
    if (view.dims[d] == 1) continue;
    if (view.strides[d] != stride) return false;
    stride *= view.dims[d];
  }
  return true;
}

StridedView Prefix(StridedView view, std::span<const int64_t> sizes) {
  view.dims.assign(sizes.begin(), sizes.end());
  return view;
}

StridedView Permute(const StridedView& view, std::span<const int64_t> permutation) {
  StridedView result{{}, {}, view.offset};
  for (int64_t d : permutation) {
    result.dims.push_back(view.dims[static_cast<size_t>(d)]);
    result.strides.push_back(view.strides[static_cast<size_t>(d)]);
  }
  return result;
}

StridedView Flip(StridedView view, std::span<const int64_t> dimensions) {
  for (int64_t dimension : dimensions) {
    size_t d = static_cast<size_t>(dimension);
    if (view.dims[d] == 0) continue;
    view.offset += (view.dims[d] - 1) * view.strides[d];
    view.strides[d] = -view.strides[d];
  }
  return view;
}

StridedView Slice(StridedView view, std::span<const int64_t> starts,
                  std::span<const int64_t> counts, std::span<const int64_t> steps) {
  for (size_t d = 0; d < view.dims.size(); ++d) {
    view.dims[d] = counts[d];
    if (counts[d] == 0) continue;
    view.offset += starts[d] * view.strides[d];
    // A single index needs no step, and a huge one must not overflow the stride.
    if (counts[d] > 1) view.strides[d] *= steps[d];
  }
  return view;
}

StridedView Slice(StridedView view, std::span<const int64_t> starts,
                  std::span<const int64_t> counts) {
  Dims ones(counts.size(), 1);
  return Slice(std::move(view), starts, counts, ones);
}

StridedView BroadcastInto(const StridedView& view, std::span<const int64_t> result_dims,
                          std::span<const int64_t> dimensions) {
  StridedView result{Dims(result_dims), Dims(result_dims.size()), view.offset};
  for (size_t i = 0; i < dimensions.size(); ++i) {
    result.strides[static_cast<size_t>(dimensions[i])] = view.strides[i];
  }
  return result;
}

}  // namespace hlo
