// Reductions by a common reducer, for the types that have native arithmetic.
#ifndef HLO_ENGINE_KERNELS_REDUCE_FOLD_H_
#define HLO_ENGINE_KERNELS_REDUCE_FOLD_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/budget.h"
#include "engine/kernels/move_loops.h"
#include "engine/kernels/move_view.h"
#include "engine/types/element_type.h"

namespace hlo {

/// The reducers that have kernels.
enum class Reducer : uint8_t { kAdd, kMultiply, kMaximum, kMinimum, kAnd, kOr };

/// Element type in which FoldView writes its results: f64 for sums of f32, which are rounded once,
/// at the end, as in XLA's evaluator; otherwise the type itself.
ElementType FoldResultType(Reducer reducer, ElementType type);

/// Whether FoldView does this: pred, integers of 8 bits and more, f32 and f64; bitwise reducers not
/// on floats.
bool CanFold(Reducer reducer, ElementType type);

/// For every index k of `kept`, in row-major order: acc = init, then acc = reducer(acc, x) over the
/// elements x at kept(k) + reduced(r) for every index r of `reduced` in row-major order; written
/// densely to `to`. Both views lie over `from`, an array of `type`; `reduced` has offset 0. `init`
/// points to one element of FoldResultType. Of f32 sums the additions in f64 may be reassociated.
/// Polls the budget (not null).
void FoldView(Reducer reducer, ElementType type, const std::byte* from, const StridedView& kept,
              const StridedView& reduced, const std::byte* init, std::byte* to, Budget* budget);

/// Elements that are folded between two looks at a budget.
inline constexpr int64_t kLongestFoldedRow = kPollElements;
/// The same for `rows` rows of at most so many neighbours each, one row after the other, without a
/// budget.
void FoldEachRow(Reducer reducer, ElementType type, const std::byte* from, int64_t rows,
                 int64_t length, const std::byte* init, std::byte* to);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_REDUCE_FOLD_H_
