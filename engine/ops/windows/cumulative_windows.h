// Windows of which each has all elements of a line up to its own, as in a cumulative sum.
#ifndef HLO_ENGINE_OPS_WINDOWS_CUMULATIVE_WINDOWS_H_
#define HLO_ENGINE_OPS_WINDOWS_CUMULATIVE_WINDOWS_H_

#include <cstddef>
#include <optional>

#include "engine/base/budget.h"
#include "engine/kernels/move_view.h"
#include "engine/kernels/reduce_fold.h"
#include "engine/ops/attributes.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The windows, and what they slide over.
struct Sliding {
  Window window;
  StridedView input;
  StridedView result;
};

/// If all windows reach the end of a dimension, as in a reverse cumulative sum, iterates from the
/// end to the beginning, so that windows grow. For reducers that are independent of the order.
void TurnRound(Sliding* sliding);

/// The dimension along which every window has the elements up to its own, if along the others a
/// window has one element, as in a cumulative sum.
struct Cumulative {
  size_t dimension;
  bool is_single = true;    ///< there is one line
  bool is_adjacent = true;  ///< a line's elements lie side by side
};
std::optional<Cumulative> FindCumulative(const Sliding& sliding);

/// Reduces such windows over `input`, of the result's element type, by the kernel of the reducer.
/// False where it has none, or where it would go through memory by jumps.
bool AccumulateLines(Reducer reducer, const Sliding& sliding, const Cumulative& lines,
                     const Tensor& input, const Tensor& init, Tensor* result, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_CUMULATIVE_WINDOWS_H_
