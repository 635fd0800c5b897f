// Iterates over the windows block by block; window_axis computes the elements along each dimension.
#include "engine/ops/windows/window_walk.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/bits.h"
#include "engine/base/pacer.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/windows/window_axis.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// What a walk does at positions without an element.
enum class AtGaps : uint8_t { kSkip, kVisit };

class Walker {
 public:
  Walker(const Window& window, const StridedView& input, const StridedView& result,
         WindowVisitor& visitor, AtGaps at_gaps, Budget* budget)
      : visitor_(visitor), pacer_(budget), at_gaps_(at_gaps) {
    MakeAxes(window, input, result);
    if (at_gaps == AtGaps::kSkip) FindExtended();
    ChooseAcross();
    cells_.resize(axes_.size());
    indices_.resize(axes_.size());
    places_.resize(axes_.size());
    result_ = result.offset;
    input_ = input.offset;
  }

  void Run() {
    const WindowAxis& axis = axes_[across_];
    for (int64_t r = 0; r < std::min(axis.period, axis.outputs); ++r) {
      const int64_t count = (axis.outputs - 1 - r) / axis.period + 1;
      const int64_t block = axis.block_size();
      for (int64_t i = 0; i < count; i += block) {
        RunBlocks(r + i * axis.period, std::min(block, count - i));
      }
    }
  }

 private:
  static constexpr size_t kNone = ~size_t{0};

  void MakeAxes(const Window& window, const StridedView& input, const StridedView& result) {
    for (size_t d = 0; d < window.size(); ++d) {
      WindowAxis axis(window[d], input.dims[d], input.strides[d], result.dims[d],
                      result.strides[d]);
      if (axis.trivial() && !axes_.empty() && axes_.back().trivial() &&
          axes_.back().stride == axis.size * axis.stride &&
          axes_.back().result_stride == axis.size * axis.result_stride) {
        const int64_t size = axes_.back().size * axis.size;
        axes_.back() = WindowAxis({}, size, axis.stride, size, axis.result_stride);
      } else {
        axes_.push_back(axis);
      }
    }
    // At least one axis is needed, for blocks to extend along.
    if (axes_.size() < 2) axes_.push_back(WindowAxis({}, 1, 0, 1, 0));
  }

  /// The only dimension in which windows have more than one element, if its windows grow from one
  /// output to the next (cumulative sums). Each output then continues the previous one.
  void FindExtended() {
    for (size_t d = 0; d < axes_.size(); ++d) {
      if (axes_[d].window.size == 1) continue;
      if (extended_ != kNone) {
        extended_ = kNone;
        return;
      }
      extended_ = d;
    }
    if (extended_ == kNone) return;
    const WindowAxis& axis = axes_[extended_];
    const WindowCells first = CellsOf(axis, 0, 1);
    const WindowCells last = CellsOf(axis, axis.outputs - 1, 1);
    if (axis.outputs == 1 || first.count == 0 || last.count == 0 || first.first != last.first) {
      extended_ = kNone;
    }
  }

  /// Blocks extend along the last dimension, where elements are adjacent, unless it is short.
  void ChooseAcross() {
    constexpr int64_t kLongEnough = 32;
    int64_t longest = 0;
    for (size_t d = axes_.size(); d-- > 0;) {
      if (d == extended_ || axes_[d].block_size() <= longest) continue;
      longest = axes_[d].block_size();
      across_ = d;
      if (longest >= kLongEnough) return;
    }
  }

  /// The windows `first`, ... along the block's dimension, for all outputs of the others.
  void RunBlocks(int64_t first, int64_t count) {
    const WindowAxis& along = axes_[across_];
    count_ = count;
    outputs_ = Dims(axes_.size(), 0);
    outputs_[across_] = first;
    for (size_t d = 0; d < axes_.size(); ++d) {
      cells_[d] = CellsOf(axes_[d], outputs_[d], d == across_ ? count : 1);
    }
    const int64_t step = count > 1 ? along.period * along.result_stride : 0;
    int64_t result = result_ + first * along.result_stride;
    taken_ = WindowCells();
    while (true) {
      RunBlock({count, result, step, false});
      size_t i = 0;
      for (; i < axes_.size(); ++i) {
        const size_t d = OuterAxis(i);
        if (d == across_) continue;
        const WindowAxis& axis = axes_[d];
        result += axis.result_stride;
        const bool over = ++outputs_[d] == axis.outputs;
        if (over) {
          result -= axis.outputs * axis.result_stride;
          outputs_[d] = 0;
          if (d == extended_) taken_ = WindowCells();
        }
        cells_[d] = CellsOf(axis, outputs_[d], 1);
        if (!over) break;
      }
      if (i == axes_.size()) return;
    }
  }

  /// The iteration order of outputs, fastest first: the dimension whose windows grow, then from the
  /// last to the first.
  size_t OuterAxis(size_t i) const {
    if (extended_ == kNone) return axes_.size() - 1 - i;
    if (i == 0) return extended_;
    const size_t d = axes_.size() - i;
    return d > extended_ ? d : d - 1;
  }

  void RunBlock(WindowBlock block) {
    bool any = true;
    for (const WindowCells& cells : cells_) any &= cells.count > 0;
    if (extended_ != kNone) {
      WindowCells& cells = cells_[extended_];
      block.extends =
          any && taken_.count > 0 && cells.first == taken_.first && cells.count >= taken_.count;
      const int64_t old = block.extends ? taken_.count : 0;
      taken_ = any ? cells : WindowCells();
      any &= cells.count > old;
      if (any) cells.first += old * axes_[extended_].cell_step;
      cells.count -= old;
    }
    visitor_.Begin(block);
    if (at_gaps_ == AtGaps::kVisit) {
      TakePositions();
    } else if (any) {
      TakeCells();
    }
    visitor_.End(block);
    CountWork(block.count);
  }

  /// All positions of the windows of a block that may meet an element, in row-major order.
  void TakeCells() {
    int64_t offset = input_;
    for (size_t d = 0; d < axes_.size(); ++d) {
      places_[d] = 0;
      if (d != across_) offset += cells_[d].first * axes_[d].stride;
    }
    int64_t index = cells_[across_].first;
    while (true) {
      TakeRun(offset, index);
      size_t d = axes_.size();
      for (; d > 0; --d) {
        const size_t at = d - 1;
        const int64_t step = axes_[at].cell_step;
        const bool over = ++places_[at] == cells_[at].count;
        const int64_t moved = over ? -(cells_[at].count - 1) * step : step;
        if (over) places_[at] = 0;
        if (at == across_) {
          index += moved;
        } else {
          offset += moved * axes_[at].stride;
        }
        if (!over) break;
      }
      if (d == 0) return;
    }
  }

  /// All positions of the windows of a block, in row-major order.
  void TakePositions() {
    for (size_t d = 0; d < axes_.size(); ++d) {
      places_[d] = 0;
      indices_[d] = IndexAt(axes_[d], outputs_[d], 0);
    }
    while (true) {
      TakePosition();
      size_t d = axes_.size();
      for (; d > 0; --d) {
        const size_t at = d - 1;
        const bool over = ++places_[at] == axes_[at].window.size;
        if (over) places_[at] = 0;
        indices_[at] = IndexAt(axes_[at], outputs_[at], places_[at]);
        if (!over) break;
      }
      if (d == 0) return;
    }
  }

  /// One position: the windows before those that have an element there, those windows, and the ones
  /// after.
  void TakePosition() {
    int64_t offset = input_;
    Span met{0, 0};
    if (indices_[across_]) met = Meeting(*indices_[across_]);
    for (size_t d = 0; d < axes_.size() && met.begin < met.end; ++d) {
      if (d == across_) continue;
      if (!indices_[d] || *indices_[d] < 0 || *indices_[d] >= axes_[d].size) {
        met = {0, 0};
      } else {
        offset += *indices_[d] * axes_[d].stride;
      }
    }
    if (met.begin >= met.end) return TakeGap(0, count_);
    TakeGap(0, met.begin);
    TakeRun(offset, *indices_[across_]);
    TakeGap(met.end, count_);
  }

  void TakeGap(int64_t begin, int64_t end) {
    if (begin < end) visitor_.Take({begin, end - begin, false, 0, 0});
    CountWork(end - begin);
  }

  struct Span {
    int64_t begin, end;
  };
  /// The windows of the block that have an element, where the first one is at `index`.
  Span Meeting(int64_t index) const {
    const WindowAxis& axis = axes_[across_];
    if (index >= axis.size) return {0, 0};
    if (count_ == 1) return {0, index < 0 ? 0 : 1};
    const int64_t step = axis.advance;
    int64_t begin = 0;
    if (index < 0) begin = step == 1 ? -index : (-index + step - 1) / step;
    const int64_t left = axis.size - 1 - index;
    return {begin, std::min(count_, (step == 1 ? left : left / step) + 1)};
  }

  void TakeRun(int64_t offset, int64_t index) {
    const WindowAxis& axis = axes_[across_];
    const Span met = Meeting(index);
    if (met.begin >= met.end) return CountWork(1);
    const int64_t step = count_ > 1 ? axis.advance : 0;
    index += met.begin * step;
    visitor_.Take(
        {met.begin, met.end - met.begin, true, offset + index * axis.stride, step * axis.stride});
    CountWork(met.end - met.begin);
  }

  void CountWork(int64_t elements) { pacer_.Add(elements + kOverhead); }

  // The overhead of a run, in elements.
  static constexpr int64_t kOverhead = 8;

  WindowVisitor& visitor_;
  Pacer pacer_;
  AtGaps at_gaps_;
  std::vector<WindowAxis> axes_;
  size_t across_ = 0;               // the axis along which blocks lie
  size_t extended_ = kNone;         // the axis along which windows grow
  Dims outputs_;                    // the first windows of the block, by axis
  std::vector<WindowCells> cells_;  // of the block, by axis
  Dims places_;                     // position among the cells or in the window, by axis
  std::vector<std::optional<int64_t>> indices_;  // index of the element there, by axis
  WindowCells taken_;                            // visited along extended_ by the previous block
  int64_t result_ = 0;
  int64_t input_ = 0;
  int64_t count_ = 0;  // windows of the block
};

}  // namespace

Dims WindowCounts(const Window& window, std::span<const int64_t> sizes) {
  Dims counts;
  for (size_t d = 0; d < window.size(); ++d) {
    counts.push_back(WindowOutputSize(sizes[d], window[d]).value_or(0));
  }
  return counts;
}

WindowGaps FindWindowGaps(const Window& window, std::span<const int64_t> sizes) {
  bool outermost = true;
  WindowGaps found = WindowGaps::kNone;
  for (size_t d = 0; d < window.size(); ++d) {
    const WindowDim& w = window[d];
    const int64_t outputs = WindowOutputSize(sizes[d], w).value_or(0);
    const Wide base = sizes[d] == 0 ? 0 : Wide{sizes[d] - 1} * w.base_dilation + 1;
    const Wide last =
        Wide{outputs - 1} * w.stride + Wide{w.size - 1} * w.window_dilation - w.pad_low;
    const bool before = w.pad_low > 0;
    const bool after = last >= base || (w.base_dilation > 1 && sizes[d] > 1);
    // A window with a single position has an element there or none.
    if (before || after) found = std::max(found, WindowGaps::kLeading);
    if (w.size == 1) continue;
    // Leading padding along an inner dimension is between the elements of two outer steps.
    if (after || (before && !outermost)) return WindowGaps::kAnywhere;
    outermost = false;
  }
  return found;
}

void WalkWindows(const Window& window, const StridedView& input, const StridedView& result,
                 WindowVisitor& visitor, Budget* budget) {
  if (std::find(result.dims.begin(), result.dims.end(), 0) != result.dims.end()) return;
  Walker(window, input, result, visitor, AtGaps::kSkip, budget).Run();
}

void WalkWholeWindows(const Window& window, const StridedView& input, const StridedView& result,
                      WindowVisitor& visitor, Budget* budget) {
  if (std::find(result.dims.begin(), result.dims.end(), 0) != result.dims.end()) return;
  Walker(window, input, result, visitor, AtGaps::kVisit, budget).Run();
}

#ifndef HLO_SMALL

namespace {

/// Windows' elements that a thread takes at a time, and windows side by side that stay together.
constexpr int64_t kWalkPiece = int64_t{1} << 16;
constexpr int64_t kWindowsTogether = kWindowBlock;

int64_t WorkOf(const Window& window, const StridedView& result) {
  double work = 1;
  for (size_t d = 0; d < window.size(); ++d) {
    work *= static_cast<double>(result.dims[d]) * static_cast<double>(window[d].size);
  }
  return static_cast<int64_t>(std::min(work, 0x1p62));
}

/// Along which dimension windows are parted, and how many stay together: not side by side, if there
/// are enough otherwise, nor where each window continues the one before.
struct WalkParts {
  size_t dimension = 0;
  int64_t together = 0;  // 0: they are not parted
};
WalkParts PartsOf(const Window& window, const StridedView& result, int64_t work) {
  constexpr int64_t kEnough = 8;
  WalkParts parts;
  size_t innermost = window.size();
  for (size_t d = window.size(); d-- > 0 && innermost == window.size();) {
    if (result.dims[d] > 1) innermost = d;
  }
  for (size_t d = 0; d < window.size(); ++d) {
    const WindowDim& w = window[d];
    const int64_t outputs = result.dims[d];
    if (outputs < 2 || w.size >= outputs) continue;
    if (d == innermost && parts.together > 0) continue;
    if (parts.together > 0 && outputs <= result.dims[parts.dimension]) continue;
    const int64_t each = std::max<int64_t>(work / outputs, 1);
    int64_t together = std::max<int64_t>(kWalkPiece / each, 1);
    if (d == innermost) together = CeilDiv(together, kWindowsTogether) * kWindowsTogether;
    if (together < outputs) parts = {d, together};
    if (d != innermost && outputs >= kEnough && together < outputs) break;
  }
  return parts;
}

}  // namespace

bool IsWalkShared(const Window& window, const StridedView& result) {
  const int64_t work = WorkOf(window, result);
  return IsShared(work) && PartsOf(window, result, work).together > 0;
}

bool ShareWalk(WindowWalk walk, const Window& window, const StridedView& input,
               const StridedView& result, Budget* budget,
               FunctionRef<WindowVisitor&(int thread, Budget* budget)> visitor_of) {
  if (!IsWalkShared(window, result)) return false;
  const int64_t work = WorkOf(window, result);
  const WalkParts parts = PartsOf(window, result, work);
  const size_t d = parts.dimension;
  RunRanges(result.dims[d], parts.together, work, budget,
            [&](PieceRange piece, int thread, Budget* own) {
              Window part = window;
              part[d].pad_low -= piece.begin * part[d].stride;
              StridedView to = result;
              to.dims[d] = piece.end - piece.begin;
              to.offset += piece.begin * to.strides[d];
              const auto run = walk == WindowWalk::kWhole ? WalkWholeWindows : WalkWindows;
              run(part, input, to, visitor_of(thread, own), own);
            });
  return true;
}

#endif  // HLO_SMALL

}  // namespace hlo
