// Along one dimension, output o and window position w meet the base at o * stride + w *
// window_dilation - pad_low; there is an element if that is a multiple of the base dilation and in
// bounds. So the window positions with an element are equally spaced, and so are the elements: a
// window is a box of equally spaced elements, found by a division, not by trying positions.
#include "engine/ops/window_walk.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/kernels/move_loops.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

// Sizes, strides and padding use all of 64 bits; their products do not fit there.
using Wide = __int128_t;

Wide Divide(Wide a, int64_t b) { return b == 1 ? a : a / b; }

/// x with a * x = 1 modulo m; a and m have no common factor.
int64_t InverseModulo(int64_t a, int64_t m) {
  int64_t r0 = m, r1 = a % m;
  int64_t x0 = 0, x1 = 1;
  while (r1 > 1) {
    int64_t q = r0 / r1;
    r0 = std::exchange(r1, r0 - q * r1);
    x0 = std::exchange(x1, x0 - q * x1);
  }
  return m == 1 ? 0 : (x1 < 0 ? x1 + m : x1);
}

/// One dimension, or several that the window leaves alone and that lie as one.
struct Axis {
  Axis(const WindowDim& dim, int64_t input_size, int64_t input_stride, int64_t count,
       int64_t step_of_result)
      : window(dim),
        size(input_size),
        stride(input_stride),
        outputs(count),
        result_stride(step_of_result),
        common(std::gcd(dim.base_dilation, dim.window_dilation)),
        hit_step(dim.base_dilation / common),
        cell_step(dim.window_dilation / common),
        inverse(InverseModulo(cell_step, hit_step)) {
    int64_t shared = std::gcd(dim.base_dilation, dim.stride);
    period = dim.base_dilation / shared;
    advance = dim.stride / shared;
  }

  /// The window takes every element by itself.
  bool trivial() const {
    return window.size == 1 && window.stride == 1 && window.pad_low == 0 &&
           window.base_dilation == 1 && outputs == size;
  }
  /// Windows that can advance together.
  int64_t block_size() const {
    return advance >= size ? 1 : std::min(kWindowBlock, (outputs - 1) / period + 1);
  }

  WindowDim window;
  int64_t size;    ///< of the input
  int64_t stride;  ///< in the input
  int64_t outputs;
  int64_t result_stride;
  int64_t common;
  int64_t hit_step;   ///< between window positions that meet an element
  int64_t cell_step;  ///< between the elements they meet
  int64_t inverse;    ///< of cell_step modulo hit_step
  int64_t period;     ///< outputs so far apart meet elements at the same window positions ...
  int64_t advance;    ///< ... and these are so far apart
};

/// The window positions at which one of several outputs, a period apart, meets an element.
struct Cells {
  int64_t count = 0;
  /// The index that the first output meets at the first of these positions; out of bounds if only
  /// later ones meet an element there.
  int64_t first = 0;
};

/// outputs > 1 only for a block of the axis.
Cells CellsOf(const Axis& axis, int64_t output, int64_t outputs) {
  const int64_t dilation = axis.window.base_dilation;
  const Wide start = Wide{output} * axis.window.stride - axis.window.pad_low;
  Wide skipped = 0;
  if (dilation > 1) {
    const int64_t rest = static_cast<int64_t>(start % dilation);
    const int64_t missing = rest > 0 ? dilation - rest : -rest;
    if (missing % axis.common != 0) return {};
    skipped = Wide{missing / axis.common} * axis.inverse % axis.hit_step;
  }
  if (skipped >= axis.window.size) return {};
  const Wide hits = Divide(axis.window.size - 1 - skipped, axis.hit_step) + 1;
  const Wide index = Divide(start + skipped * axis.window.window_dilation, dilation);
  const Wide last_index = index + Wide{outputs - 1} * axis.advance;
  const int64_t step = axis.cell_step;
  const Wide begin = last_index < 0 ? Divide(-last_index + step - 1, step) : 0;
  if (index >= axis.size) return {};
  const Wide end = std::min(hits, Divide(axis.size - 1 - index, step) + 1);
  if (begin >= end) return {};
  return {static_cast<int64_t>(end - begin), static_cast<int64_t>(index + begin * step)};
}

class Walker {
 public:
  Walker(const Window& window, const StridedView& input, const StridedView& result,
         WindowVisitor& visitor, Budget* budget)
      : visitor_(visitor), budget_(budget) {
    MakeAxes(window, input, result);
    FindExtended();
    ChooseAcross();
    cells_.resize(axes_.size());
    places_.resize(axes_.size());
    result_ = result.offset;
    input_ = input.offset;
  }

  void Run() {
    const Axis& axis = axes_[across_];
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
      Axis axis(window[d], input.dims[d], input.strides[d], result.dims[d], result.strides[d]);
      if (axis.trivial() && !axes_.empty() && axes_.back().trivial() &&
          axes_.back().stride == axis.size * axis.stride &&
          axes_.back().result_stride == axis.size * axis.result_stride) {
        const int64_t size = axes_.back().size * axis.size;
        axes_.back() = Axis({}, size, axis.stride, size, axis.result_stride);
      } else {
        axes_.push_back(axis);
      }
    }
    // Blocks need a dimension, and so does whoever walks along the only one.
    if (axes_.size() < 2) axes_.push_back(Axis({}, 1, 0, 1, 0));
  }

  /// The one dimension in which windows have more than one element, if its windows grow from one
  /// output to the next: cumulative sums. There it is enough to go on with the output before.
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
    const Axis& axis = axes_[extended_];
    const Cells first = CellsOf(axis, 0, 1);
    const Cells last = CellsOf(axis, axis.outputs - 1, 1);
    if (axis.outputs == 1 || first.count == 0 || last.count == 0 || first.first != last.first) {
      extended_ = kNone;
    }
  }

  /// Blocks lie along the last dimension, where elements are neighbours, unless it is short.
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

  /// The windows `first`, ... along the dimension of the block, with all outputs of the others.
  void RunBlocks(int64_t first, int64_t count) {
    const Axis& along = axes_[across_];
    count_ = count;
    Dims outputs(axes_.size(), 0);
    outputs[across_] = first;
    for (size_t d = 0; d < axes_.size(); ++d) {
      cells_[d] = CellsOf(axes_[d], outputs[d], d == across_ ? count : 1);
    }
    const int64_t step = count > 1 ? along.period * along.result_stride : 0;
    int64_t result = result_ + first * along.result_stride;
    taken_ = Cells();
    while (true) {
      RunBlock({count, result, step, false});
      size_t i = 0;
      for (; i < axes_.size(); ++i) {
        const size_t d = OuterAxis(i);
        if (d == across_) continue;
        const Axis& axis = axes_[d];
        result += axis.result_stride;
        const bool over = ++outputs[d] == axis.outputs;
        if (over) {
          result -= axis.outputs * axis.result_stride;
          outputs[d] = 0;
          if (d == extended_) taken_ = Cells();
        }
        cells_[d] = CellsOf(axis, outputs[d], 1);
        if (!over) break;
      }
      if (i == axes_.size()) return;
    }
  }

  /// The order in which outputs change, fastest first: the dimension whose windows grow, then from
  /// the last to the first.
  size_t OuterAxis(size_t i) const {
    if (extended_ == kNone) return axes_.size() - 1 - i;
    if (i == 0) return extended_;
    const size_t d = axes_.size() - i;
    return d > extended_ ? d : d - 1;
  }

  void RunBlock(WindowBlock block) {
    bool any = true;
    for (const Cells& cells : cells_) any &= cells.count > 0;
    if (extended_ != kNone) {
      Cells& cells = cells_[extended_];
      block.extends =
          any && taken_.count > 0 && cells.first == taken_.first && cells.count >= taken_.count;
      const int64_t old = block.extends ? taken_.count : 0;
      taken_ = any ? cells : Cells();
      any &= cells.count > old;
      if (any) cells.first += old * axes_[extended_].cell_step;
      cells.count -= old;
    }
    visitor_.Begin(block);
    if (any) TakeCells();
    visitor_.End(block);
    CountWork(block.count);
  }

  /// All positions of the windows of a block, in row-major order.
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

  /// The windows of the block that meet an element, where the first one is at `index`.
  void TakeRun(int64_t offset, int64_t index) {
    const Axis& axis = axes_[across_];
    int64_t begin = 0;
    int64_t end = 1;
    if (count_ > 1) {
      const int64_t step = axis.advance;
      if (index < 0) begin = step == 1 ? -index : (-index + step - 1) / step;
      const int64_t left = axis.size - 1 - index;
      end = std::min(count_, (step == 1 ? left : left / step) + 1);
      if (begin >= end) return CountWork(1);
      index += begin * step;
    }
    const int64_t step = count_ > 1 ? axis.advance * axis.stride : 0;
    visitor_.Take({begin, end - begin, offset + index * axis.stride, step});
    CountWork(end - begin);
  }

  void CountWork(int64_t elements) {
    work_ += elements + kOverhead;
    if (work_ < kPollElements) return;
    work_ = 0;
    budget_->Poll();
  }

  // What a run costs beside its elements, in elements.
  static constexpr int64_t kOverhead = 8;

  WindowVisitor& visitor_;
  Budget* budget_;
  std::vector<Axis> axes_;
  size_t across_ = 0;         // the axis along which blocks lie
  size_t extended_ = kNone;   // the axis along which windows grow
  std::vector<Cells> cells_;  // of the block, by axis
  Dims places_;               // among the cells, by axis
  Cells taken_;               // along extended_ by the block before
  int64_t result_ = 0;
  int64_t input_ = 0;
  int64_t count_ = 0;  // windows of the block
  int64_t work_ = 0;
};

}  // namespace

Dims WindowCounts(const Window& window, std::span<const int64_t> sizes) {
  Dims counts;
  for (size_t d = 0; d < window.size(); ++d) {
    counts.push_back(WindowOutputSize(sizes[d], window[d]).value_or(0));
  }
  return counts;
}

void WalkWindows(const Window& window, const StridedView& input, const StridedView& result,
                 WindowVisitor& visitor, Budget* budget) {
  if (std::find(result.dims.begin(), result.dims.end(), 0) != result.dims.end()) return;
  Walker(window, input, result, visitor, budget).Run();
}

}  // namespace hlo
