#include "engine/ops/windows/cumulative_windows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/pacer.h"
#include "engine/kernels/cumulative_fold.h"
#include "engine/kernels/move_loops.h"
#include "engine/ops/movement/tensor_moves.h"

namespace hlo {
namespace {

/// Calls line(offset in the input, offset in the result) for all lines along d.
template <typename F>
void ForEachLine(const Sliding& sliding, size_t d, F line) {
  const StridedView& input = sliding.input;
  const StridedView& result = sliding.result;
  if (std::find(result.dims.begin(), result.dims.end(), 0) != result.dims.end()) return;
  Dims position(result.dims.size(), 0);
  int64_t from = input.offset, to = result.offset;
  while (true) {
    line(from, to);
    size_t k = position.size();
    for (; k > 0; --k) {
      if (k - 1 == d) continue;
      from += input.strides[k - 1];
      to += result.strides[k - 1];
      if (++position[k - 1] < result.dims[k - 1]) break;
      from -= result.dims[k - 1] * input.strides[k - 1];
      to -= result.dims[k - 1] * result.strides[k - 1];
      position[k - 1] = 0;
    }
    if (k == 0) return;
  }
}

struct LineSteps {
  int64_t count;
  int64_t from, to;  // from one element to the next
};

/// One line, from the accumulator that is there.
void AccumulateLine(CumulativeFold fold, const LineSteps& line, int64_t width,
                    const std::byte* from, std::byte* to, std::byte* accumulator, Pacer* pacer) {
  for (int64_t done = 0; done < line.count; done += kPollElements) {
    const int64_t n = std::min(kPollElements, line.count - done);
    fold(from + done * line.from * width, line.from, to + done * line.to * width, line.to, n,
         accumulator);
    pacer->Add(n);
  }
}

}  // namespace

void TurnRound(Sliding* sliding) {
  constexpr int64_t kFar = int64_t{1} << 40;
  for (size_t d = 0; d < sliding->window.size(); ++d) {
    WindowDim& w = sliding->window[d];
    if (w.size == 1 || w.stride != 1 || w.base_dilation != 1 || w.window_dilation != 1) continue;
    if (w.size > kFar || w.pad_low < -kFar || w.pad_low > kFar) continue;
    if (w.size - 1 - w.pad_low < sliding->input.dims[d] - 1) continue;
    const int64_t flipped[] = {static_cast<int64_t>(d)};
    sliding->input = Flip(sliding->input, flipped);
    sliding->result = Flip(sliding->result, flipped);
    std::swap(w.pad_low, w.pad_high);
  }
}

std::optional<Cumulative> FindCumulative(const Sliding& sliding) {
  std::optional<size_t> found;
  bool is_single = true;
  for (size_t d = 0; d < sliding.window.size(); ++d) {
    const WindowDim& w = sliding.window[d];
    const int64_t outputs = sliding.result.dims[d];
    if (w.stride != 1 || w.base_dilation != 1 || w.window_dilation != 1) return std::nullopt;
    if (w.pad_low != w.size - 1 || w.pad_high != 0) return std::nullopt;
    if (outputs == 1) continue;
    if (w.size == 1) {
      is_single = false;
    } else if (found || w.size < outputs) {
      return std::nullopt;
    } else {
      found = d;
    }
  }
  if (!found) return std::nullopt;
  const int64_t step = sliding.input.strides[*found];
  return Cumulative{*found, is_single, step == 1 || step == -1};
}

bool AccumulateLines(Reducer reducer, const Sliding& sliding, const Cumulative& lines,
                     const Tensor& input, const Tensor& init, Tensor* result, Budget* budget) {
  const ElementType type = result->element_type();
  const CumulativeFold fold = FindCumulativeFold(reducer, type);
  if (fold == nullptr || (!lines.is_single && !lines.is_adjacent)) return false;
  const Tensor first = ConvertTensor(init, FoldResultType(reducer, type), budget);
  const size_t d = lines.dimension;
  const LineSteps line = {sliding.result.dims[d], sliding.input.strides[d],
                          sliding.result.strides[d]};
  const int64_t width = BytesOf(type);
  Pacer pacer(budget);
  ForEachLine(sliding, d, [&](int64_t from, int64_t to) {
    alignas(8) std::byte accumulator[8];
    std::memcpy(accumulator, first.bytes(), static_cast<size_t>(BytesOf(first.element_type())));
    AccumulateLine(fold, line, width, input.bytes() + from * width,
                   result->mutable_bytes() + to * width, accumulator, &pacer);
  });
  return true;
}

}  // namespace hlo
