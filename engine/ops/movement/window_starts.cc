#include "engine/ops/movement/window_starts.h"

#include <algorithm>
#include <utility>

#include "engine/kernels/move_gather.h"
#include "engine/kernels/move_view.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// Marks the start of a slice that is skipped.
constexpr int64_t kNowhere = -1;

}  // namespace

WindowStarts::Components WindowStarts::ComponentsOf(const OpCall& call, const GatherNames& names,
                                                    const Dims& indices, const Layout& layout) {
  const Dims operand_strides = RowMajorView(layout.operand).strides;
  const auto component = [&](int64_t from, int64_t dim) -> Component {
    const size_t d = static_cast<size_t>(dim);
    return {from, operand_strides[d], layout.operand[d] - layout.window[d]};
  };
  Components components;
  const int64_t vector_dim = call.Int(kIndexVectorDim);
  const Dims strides = RowMajorView(indices).strides;
  int64_t vector_stride = 0;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (static_cast<int64_t>(d) == vector_dim) {
      vector_stride = strides[d];
    } else {
      components.index_strides.push_back(strides[d]);
    }
  }
  const Dims& batch = call.Ints(names.operand_batch);
  const Dims& map = call.Ints(names.index_map);
  for (size_t k = 0; k < map.size(); ++k) {
    // Batching dimensions have positions of their own and are not indexed.
    if (Contains(batch, map[k])) continue;
    components.indexed.push_back(component(static_cast<int64_t>(k) * vector_stride, map[k]));
  }
  for (size_t k = 0; k < batch.size(); ++k) {
    const int64_t d = call.Ints(names.indices_batch)[k];
    components.batch.push_back(component(d < vector_dim ? d : d - 1, batch[k]));
  }
  return components;
}

WindowStarts::WindowStarts(const OpCall& call, const GatherNames& names, const Tensor& indices,
                           Layout layout, Outside outside, Budget* budget)
    : indices_(indices),
      layout_(std::move(layout)),
      outside_(outside),
      components_(ComponentsOf(call, names, indices.dims(), layout_)),
      position_(layout_.counts.size(), 0),
      starts_(NewBlock(ElementType::kS64, budget)),
      slices_(NewBlock(ElementType::kS64, budget)),
      offsets_(NewBlock(ElementType::kS64, budget)),
      raw_(NewBlock(indices.element_type(), budget)),
      values_(NewBlock(ElementType::kS64, budget)) {
  done_ = std::find(layout_.counts.begin(), layout_.counts.end(), 0) != layout_.counts.end();
}

bool WindowStarts::Add(const Component& component, int64_t value, int64_t* start) const {
  if (value < 0 || value > component.last) {
    if (outside_ == Outside::kSkip) return false;
    value = value < 0 ? 0 : std::max<int64_t>(component.last, 0);
  }
  *start += value * component.stride;
  return true;
}

/// Fills offsets_ and slices_, and starts_ with the contribution of the batching dimensions.
void WindowStarts::ListPositions() {
  int64_t* const offsets = offsets_.mutable_data<int64_t>();
  int64_t* const slices = slices_.mutable_data<int64_t>();
  int64_t* const starts = starts_.mutable_data<int64_t>();
  count_ = 0;
  while (count_ < static_cast<size_t>(kBlock) && !done_) {
    int64_t start = 0;
    for (const Component& batch : components_.batch) {
      if (Add(batch, position_[static_cast<size_t>(batch.from)], &start)) continue;
      start = kNowhere;
      any_skipped_ = true;
      break;
    }
    offsets[count_] = index_offset_;
    slices[count_] = slice_offset_;
    starts[count_++] = start;
    size_t d = position_.size();
    for (; d > 0; --d) {
      index_offset_ += components_.index_strides[d - 1];
      slice_offset_ += layout_.steps[d - 1];
      if (++position_[d - 1] < layout_.counts[d - 1]) break;
      index_offset_ -= layout_.counts[d - 1] * components_.index_strides[d - 1];
      slice_offset_ -= layout_.counts[d - 1] * layout_.steps[d - 1];
      position_[d - 1] = 0;
    }
    done_ = d == 0;
  }
}

void WindowStarts::AddIndices(const Component& component) {
  const int width = BytesOf(indices_.element_type());
  const std::byte* const from = indices_.bytes() + component.from * width;
  GatherElements(width, from, {offsets_.data<int64_t>(), count_}, raw_.mutable_bytes());
  ConvertElements(indices_.element_type(), raw_.bytes(), ElementType::kS64, values_.mutable_bytes(),
                  static_cast<int64_t>(count_));
  const int64_t* const values = values_.data<int64_t>();
  int64_t* const starts = starts_.mutable_data<int64_t>();
  for (size_t i = 0; i < count_; ++i) {
    if (starts[i] == kNowhere || Add(component, values[i], &starts[i])) continue;
    starts[i] = kNowhere;
    any_skipped_ = true;
  }
}

void WindowStarts::DropSkipped() {
  int64_t* const slices = slices_.mutable_data<int64_t>();
  int64_t* const starts = starts_.mutable_data<int64_t>();
  size_t kept = 0;
  for (size_t i = 0; i < count_; ++i) {
    if (starts[i] == kNowhere) continue;
    starts[kept] = starts[i];
    slices[kept++] = slices[i];
  }
  count_ = kept;
}

bool WindowStarts::Next() {
  if (done_) return false;
  any_skipped_ = false;
  ListPositions();
  for (const Component& component : components_.indexed) AddIndices(component);
  if (any_skipped_) DropSkipped();
  return true;
}

}  // namespace hlo
