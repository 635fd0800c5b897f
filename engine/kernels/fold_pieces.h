// Reductions in pieces that threads share: some results each.
#ifndef HLO_ENGINE_KERNELS_FOLD_PIECES_H_
#define HLO_ENGINE_KERNELS_FOLD_PIECES_H_

#include <algorithm>
#include <cstdint>

#include "engine/base/bits.h"
#include "engine/base/budget.h"
#include "engine/kernels/move_loops.h"
#include "engine/threads/pieces.h"

namespace hlo {

/// Of `columns` numbers side by side, rows of which are read one after the other: those that are a
/// piece of their own. The parts of rows are pages at least, two of them where there are enough:
/// from one part to the next nothing is fetched ahead.
inline int64_t ColumnsOfPiece(int64_t columns) {
  constexpr int64_t kPage = 1024;
  return std::clamp(CeilDiv(CeilDiv(columns, 2), kPage) * kPage, kPage, 2 * kPage);
}
/// Elements of a piece, where results have fewer.
inline constexpr int64_t kFoldPiece = int64_t{1} << 15;

/// Calls fold(own budget, offset of the first element, count, step, number of the first result) for
/// all results, whose first elements are at the indices of `kept` and which have `each` elements:
/// in parts of the rows that they lie in. False, with nothing done, where threads share none.
template <typename F>
bool ShareResults(const LoopNest& kept, int64_t each, Budget* budget, F&& fold) {
  if (kept.empty || each == 0) return false;
  const ViewLoop inner = kept.loops.back();
  const int64_t results = CountOf(kept);
  if (!IsShared(results * each)) return false;
  const bool is_across = inner.step == 1 && inner.count >= 4;
  const int64_t part = std::clamp<int64_t>(
      is_across ? ColumnsOfPiece(inner.count) : kFoldPiece / each, 1, inner.count);
  const int64_t parts = (inner.count + part - 1) / part;
  const int64_t units = results / inner.count * parts;
  if (units == 1) return false;
  const int64_t together = std::max<int64_t>(kFoldPiece / (part * each), 1);
  RunRanges(units, together, results * each, budget, [&](PieceRange piece, int, Budget* own) {
    for (int64_t unit = piece.begin; unit < piece.end; ++unit) {
      const int64_t row = unit / parts, begin = unit % parts * part;
      fold(own, OffsetOfRow(kept, row) + begin * inner.step, std::min(part, inner.count - begin),
           inner.step, row * inner.count + begin);
    }
  });
  return true;
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_FOLD_PIECES_H_
