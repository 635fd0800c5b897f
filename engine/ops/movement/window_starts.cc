#include "engine/ops/movement/window_starts.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/indices.h"
#include "engine/kernels/move_gather.h"
#include "engine/kernels/move_view.h"
#include "engine/ops/shape_checks.h"
#include "engine/threads/pieces.h"
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
  for (int64_t count : layout_.counts) total_ *= count;
  left_ = total_;
}

void WindowStarts::MoveTo(int64_t begin, int64_t end) {
  left_ = end - begin;
  first_ = begin;
  index_offset_ = slice_offset_ = 0;
  for (size_t d = position_.size(); d-- > 0;) {
    position_[d] = begin % layout_.counts[d];
    begin /= layout_.counts[d];
    index_offset_ += position_[d] * components_.index_strides[d];
    slice_offset_ += position_[d] * layout_.steps[d];
  }
}

bool WindowStarts::Add(const Component& component, int64_t value, int64_t* start) const {
  if (value < 0 || value > component.last) {
    if (outside_ == Outside::kSkip) return false;
    value = value < 0 ? 0 : std::max<int64_t>(component.last, 0);
  }
  *start += value * component.stride;
  return true;
}

/// Fills offsets_ and slices_, and starts_ with the contribution of the batching dimensions: a run
/// of the last dimension at a time.
void WindowStarts::ListPositions() {
  int64_t* const offsets = offsets_.mutable_data<int64_t>();
  int64_t* const slices = slices_.mutable_data<int64_t>();
  int64_t* const starts = starts_.mutable_data<int64_t>();
  count_ = 0;
  const int64_t block = std::min(kBlock, left_);
  left_ -= block;
  while (count_ < static_cast<size_t>(block)) {
    const size_t last = position_.size();
    const int64_t index_step = last > 0 ? components_.index_strides[last - 1] : 0;
    const int64_t slice_step = last > 0 ? layout_.steps[last - 1] : 0;
    const int64_t left = last > 0 ? layout_.counts[last - 1] - position_[last - 1] : 1;
    const int64_t run = std::min(block - static_cast<int64_t>(count_), left);
    const auto n = static_cast<size_t>(run);
    for (size_t i = 0; i < n; ++i) {
      offsets[count_ + i] = index_offset_ + static_cast<int64_t>(i) * index_step;
      slices[count_ + i] = slice_offset_ + static_cast<int64_t>(i) * slice_step;
    }
    std::fill_n(starts + count_, n, 0);
    for (const Component& batch : components_.batch) AddPositions(batch, n, starts + count_);
    count_ += n;
    index_offset_ += run * index_step;
    slice_offset_ += run * slice_step;
    if (last > 0) position_[last - 1] += run - 1;
    NextPosition();
  }
}

/// The contribution of a batching dimension to the starts of the next `n` positions.
void WindowStarts::AddPositions(const Component& batch, size_t n, int64_t* starts) {
  const auto from = static_cast<size_t>(batch.from);
  const int64_t step = from + 1 == position_.size() ? 1 : 0;
  for (size_t i = 0; i < n; ++i) {
    if (starts[i] == kNowhere) continue;
    if (Add(batch, position_[from] + static_cast<int64_t>(i) * step, &starts[i])) continue;
    starts[i] = kNowhere;
    any_skipped_ = true;
  }
}

/// Goes on from a position whose offsets have the last step already.
void WindowStarts::NextPosition() {
  for (size_t d = position_.size(); d > 0; --d) {
    if (d < position_.size()) {
      index_offset_ += components_.index_strides[d - 1];
      slice_offset_ += layout_.steps[d - 1];
    }
    if (++position_[d - 1] < layout_.counts[d - 1]) return;
    index_offset_ -= layout_.counts[d - 1] * components_.index_strides[d - 1];
    slice_offset_ -= layout_.counts[d - 1] * layout_.steps[d - 1];
    position_[d - 1] = 0;
  }
}

template <typename ValueAt>
void WindowStarts::AddValues(const Component& component, ValueAt value_at) {
  int64_t* const starts = starts_.mutable_data<int64_t>();
  for (size_t i = 0; i < count_; ++i) {
    const int64_t value = value_at(i);
    if (starts[i] == kNowhere || Add(component, value, &starts[i])) continue;
    starts[i] = kNowhere;
    any_skipped_ = true;
  }
}

void WindowStarts::AddIndices(const Component& component) {
  const int64_t* const offsets = offsets_.data<int64_t>();
#ifndef HLO_SMALL
  if (indices_.element_type() == ElementType::kS32) {
    const int32_t* const from = indices_.data<int32_t>() + component.from;
    return AddValues(component, [=](size_t i) { return int64_t{from[offsets[i]]}; });
  }
#endif
  const int width = BytesOf(indices_.element_type());
  const std::byte* const from = indices_.bytes() + component.from * width;
  GatherElements(width, from, {offsets, count_}, raw_.mutable_bytes());
  ConvertElements(indices_.element_type(), raw_.bytes(), ElementType::kS64, values_.mutable_bytes(),
                  static_cast<int64_t>(count_));
  const int64_t* const values = values_.data<int64_t>();
  AddValues(component, [=](size_t i) { return values[i]; });
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
  if (left_ == 0) return false;
  any_skipped_ = false;
  ListPositions();
  for (const Component& component : components_.indexed) AddIndices(component);
  if (any_skipped_) DropSkipped();
  return true;
}

void WindowStarts::ForEachBlock(const OpCall& call, const GatherNames& names, const Tensor& indices,
                                const Layout& layout, Outside outside, int64_t size, Budget* budget,
                                BlockBody body) {
#ifdef HLO_SMALL
  static_cast<void>(size);
  WindowStarts block(call, names, indices, layout, outside, budget);
  while (block.Next()) {
    body(block, budget);
    budget->Poll();
  }
#else
  const auto make = [&] {
    return std::make_unique<WindowStarts>(call, names, indices, layout, outside, budget);
  };
  std::vector<std::unique_ptr<WindowStarts> > starts;  // by thread
  starts.push_back(make());
  const int64_t count = starts[0]->slice_count();
  const int64_t work = count * std::max<int64_t>(ElementCount(layout.window), 1);
  if (IsShared(work)) {
    while (static_cast<int>(starts.size()) < PieceThreads()) starts.push_back(make());
  }
  RunRanges(count, size, work, budget, [&](PieceRange range, int thread, Budget* own) {
    WindowStarts& block = *starts[static_cast<size_t>(thread)];
    block.MoveTo(range.begin, range.end);
    if (block.Next()) body(block, own);
    own->Poll();
  });
#endif
}

}  // namespace hlo
