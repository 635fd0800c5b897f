// Loops over blocks of whole rows: a reduction of every row to one element, and one element spread
// over every row. Inside joined loops (plan/joined_loop.h) they are steps like any other.
#ifndef HLO_ENGINE_KERNELS_ROW_LOOPS_H_
#define HLO_ENGINE_KERNELS_ROW_LOOPS_H_

#include <cstdint>

#include "engine/kernels/element_loop.h"
#include "engine/kernels/reduce_fold.h"

namespace hlo {

/// The lengths of rows that the loops below take.
inline constexpr int64_t kShortestRow = 16, kLongestRow = int64_t{1} << 14;
static_assert(kLongestRow <= kLongestFoldedRow);

/// Operands: n elements, and the initial value, of which there may be any number; the result has
/// n / length elements. The bits are those of FoldView over all rows. The type is one that CanFold.
ElementLoop FoldRowsLoop(Reducer reducer, ElementType type, int64_t length);

/// n / length elements in; each `length` times in the result.
ElementLoop SpreadRowsLoop(ElementType type, int64_t length);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_ROW_LOOPS_H_
