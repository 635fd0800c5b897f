#include "engine/ops/windows/cumulative_windows.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/indices.h"
#include "engine/base/pacer.h"
#include "engine/kernels/cumulative_fold.h"
#include "engine/kernels/move_loops.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Elements that a thread takes at a time.
constexpr int64_t kAccumulatedPiece = int64_t{1} << 16;

/// Where the indices of a view are, by their number in row-major order.
class LineStarts {
 public:
  explicit LineStarts(const StridedView& view) : view_(view) {}
  int64_t At(int64_t number) const {
    int64_t at = view_.offset;
    for (size_t d = view_.dims.size(); d-- > 0;) {
      at += number % view_.dims[d] * view_.strides[d];
      number /= view_.dims[d];
    }
    return at;
  }

 private:
  const StridedView& view_;
};

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
  // The lines by their first elements.
  StridedView starts = sliding.input, places = sliding.result;
  starts.dims = places.dims;
  starts.dims[d] = places.dims[d] = 1;
  const LineStarts from(starts), to(places);
  const int64_t count = line.count == 0 ? 0 : ElementCount(places.dims);
  const int64_t together =
      std::max<int64_t>(kAccumulatedPiece / std::max<int64_t>(line.count, 1), 1);
  const std::byte* const source = input.bytes();
  std::byte* const target = result->mutable_bytes();
  RunRanges(count, together, count * line.count, budget, [&](PieceRange piece, int, Budget* own) {
    Pacer pacer(own);
    for (int64_t i = piece.begin; i < piece.end; ++i) {
      alignas(8) std::byte accumulator[8];
      std::memcpy(accumulator, first.bytes(), static_cast<size_t>(BytesOf(first.element_type())));
      AccumulateLine(fold, line, width, source + from.At(i) * width, target + to.At(i) * width,
                     accumulator, &pacer);
    }
  });
  return true;
}

}  // namespace hlo
