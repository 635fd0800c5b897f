// Copies a view of one buffer into a view of another, by element width.
#ifndef HLO_ENGINE_KERNELS_MOVE_COPY_H_
#define HLO_ENGINE_KERNELS_MOVE_COPY_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/budget.h"
#include "engine/kernels/move_view.h"

namespace hlo {

/// to[out(i)] = from[in(i)] for every index i. Both views have the same dims; different indices of
/// `out` are different elements, and the two buffers do not overlap. `width` is the size of an
/// element in bytes: 1, 2, 4, 8 or 16. The order of the writes is free. Polls the budget (not
/// null).
void CopyView(int width, const std::byte* from, const StridedView& in, std::byte* to,
              const StridedView& out, Budget* budget);

/// The same, `to` being dense and row-major in in.dims.
void GatherView(int width, const std::byte* from, const StridedView& in, std::byte* to,
                Budget* budget);

/// For every p in order: to[out(i) + out_starts[p]] = from[in(i) + in_starts[p]] for every index i
/// of a window, in any order. Both views have the same dims; different indices of `out` are
/// different elements; there are as many starts on both sides. Windows may overlap: the last write
/// wins. The buffers do not overlap. Polls the budget (not null) where the windows are large, so
/// call it for a few thousand starts at a time.
void CopyWindows(int width, const std::byte* from, const StridedView& in,
                 std::span<const int64_t> in_starts, std::byte* to, const StridedView& out,
                 std::span<const int64_t> out_starts, Budget* budget);

/// Writes the element at `value` to `count` consecutive elements.
void FillElements(int width, const std::byte* value, std::byte* to, int64_t count, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_MOVE_COPY_H_
