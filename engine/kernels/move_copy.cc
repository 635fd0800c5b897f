// A copy of a view is a nest of loops. The nest is put in an order that writes consecutively,
// neighbouring loops are merged, and the two innermost ones run in a typed kernel.
#include "engine/kernels/move_copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace hlo {
namespace {

/// One loop: `count` times, each advancing by these numbers of elements.
struct Loop {
  int64_t count;
  int64_t in_step;
  int64_t out_step;
};
using Loops = SmallVector<Loop, 8>;

/// Elements between two polls of the budget.
constexpr int64_t kPieceElements = int64_t{1} << 18;

/// Side of the square blocks in which transposes go: two blocks stay in the first-level cache.
template <typename T>
constexpr int64_t kBlock = sizeof(T) >= 8 ? 16 : 32;

struct Wide {
  uint64_t low, high;
};

template <typename T>
void CopyRow(const T* from, T* to, int64_t n) {
  // The call of memcpy costs more than a few elements do.
  if (n * static_cast<int64_t>(sizeof(T)) > 64) {
    std::memcpy(to, from, static_cast<size_t>(n) * sizeof(T));
    return;
  }
  for (int64_t i = 0; i < n; ++i) to[i] = from[i];
}

template <typename T>
void CopyStridedRow(const T* from, int64_t in_step, T* to, int64_t out_step, int64_t n) {
  if (out_step != 1) {
    for (int64_t i = 0; i < n; ++i) to[i * out_step] = from[i * in_step];
  } else if (in_step == -1) {
    for (int64_t i = 0; i < n; ++i) to[i] = from[-i];
  } else if (in_step == 2) {
    for (int64_t i = 0; i < n; ++i) to[i] = from[2 * i];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i] = from[i * in_step];
  }
}

/// outer reads consecutively, inner writes consecutively. Goes through a small block so that both
/// sides touch whole cache lines.
template <typename T>
void TransposeBlocks(const T* from, T* to, const Loop& outer, const Loop& inner) {
  constexpr int64_t kSide = kBlock<T>;
  T block[kSide * kSide];
  for (int64_t i0 = 0; i0 < outer.count; i0 += kSide) {
    int64_t rows = std::min(kSide, outer.count - i0);
    for (int64_t j0 = 0; j0 < inner.count; j0 += kSide) {
      int64_t columns = std::min(kSide, inner.count - j0);
      const T* in = from + i0 + j0 * inner.in_step;
      for (int64_t j = 0; j < columns; ++j)
        CopyRow(in + j * inner.in_step, block + j * kSide, rows);
      T* out = to + i0 * outer.out_step + j0;
      for (int64_t i = 0; i < rows; ++i) {
        for (int64_t j = 0; j < columns; ++j) out[i * outer.out_step + j] = block[j * kSide + i];
      }
    }
  }
}

template <typename T>
void CopyPlane(const T* from, T* to, const Loop& outer, const Loop& inner) {
  if (inner.out_step == 1 && inner.in_step != 1 && outer.in_step == 1 && outer.count > 3) {
    TransposeBlocks(from, to, outer, inner);
    return;
  }
  for (int64_t i = 0; i < outer.count; ++i, from += outer.in_step, to += outer.out_step) {
    if (inner.out_step == 1 && inner.in_step == 1) {
      CopyRow(from, to, inner.count);
    } else if (inner.out_step == 1 && inner.in_step == 0) {
      std::fill_n(to, inner.count, *from);
    } else {
      CopyStridedRow(from, inner.in_step, to, inner.out_step, inner.count);
    }
  }
}

/// Runs the two innermost loops in pieces between which the budget is polled.
template <typename T>
void CopyPlanePolled(const T* from, T* to, const Loop& outer, const Loop& inner, int64_t* work,
                     Budget* budget) {
  int64_t columns = std::min(inner.count, kPieceElements);
  int64_t rows = std::max<int64_t>(1, kPieceElements / columns);
  for (int64_t i = 0; i < outer.count; i += rows) {
    for (int64_t j = 0; j < inner.count; j += columns) {
      Loop outer_piece{std::min(rows, outer.count - i), outer.in_step, outer.out_step};
      Loop inner_piece{std::min(columns, inner.count - j), inner.in_step, inner.out_step};
      CopyPlane(from + i * outer.in_step + j * inner.in_step,
                to + i * outer.out_step + j * inner.out_step, outer_piece, inner_piece);
      *work += outer_piece.count * inner_piece.count;
      if (*work >= kPieceElements) {
        *work = 0;
        budget->Poll();
      }
    }
  }
}

/// loops: at least two, outermost first.
template <typename T>
void RunLoops(const Loops& loops, const T* from, T* to, int64_t* work, Budget* budget) {
  size_t outer_count = loops.size() - 2;
  const Loop& outer = loops[outer_count];
  const Loop& inner = loops[outer_count + 1];
  Dims position(outer_count, 0);
  while (true) {
    CopyPlanePolled(from, to, outer, inner, work, budget);
    size_t d = outer_count;
    for (; d > 0; --d) {
      const Loop& loop = loops[d - 1];
      from += loop.in_step;
      to += loop.out_step;
      if (++position[d - 1] < loop.count) break;
      position[d - 1] = 0;
      from -= loop.count * loop.in_step;
      to -= loop.count * loop.out_step;
    }
    if (d == 0) return;
  }
}

/// The loops in the order of their writes, merged where two of them step like one.
Loops MakeLoops(const StridedView& in, const StridedView& out) {
  Loops loops;
  for (size_t d = 0; d < in.dims.size(); ++d) {
    if (in.dims[d] != 1) loops.push_back({in.dims[d], in.strides[d], out.strides[d]});
  }
  std::stable_sort(loops.begin(), loops.end(), [](const Loop& a, const Loop& b) {
    return std::abs(a.out_step) > std::abs(b.out_step);
  });
  Loops merged;
  for (const Loop& loop : loops) {
    if (!merged.empty() && merged.back().in_step == loop.in_step * loop.count &&
        merged.back().out_step == loop.out_step * loop.count) {
      merged.back() = {merged.back().count * loop.count, loop.in_step, loop.out_step};
    } else {
      merged.push_back(loop);
    }
  }
  return merged;
}

/// Puts the loop that reads consecutively next to the one that writes consecutively.
void PairForTranspose(Loops* loops) {
  size_t last = loops->size() - 1;
  if ((*loops)[last].in_step == 1) return;
  for (size_t i = 0; i + 1 < last; ++i) {
    if ((*loops)[i].in_step == 1) {
      std::rotate(loops->begin() + i, loops->begin() + i + 1, loops->begin() + last);
      return;
    }
  }
}

bool IsEmpty(const StridedView& view) {
  return std::find(view.dims.begin(), view.dims.end(), 0) != view.dims.end();
}

/// Calls run with an element of the width.
template <typename F>
void DispatchWidth(int width, F&& run) {
  switch (width) {
    case 1:
      return run(uint8_t{});
    case 2:
      return run(uint16_t{});
    case 4:
      return run(uint32_t{});
    case 8:
      return run(uint64_t{});
    default:
      return run(Wide{});
  }
}

}  // namespace

void CopyView(int width, const std::byte* from, const StridedView& in, std::byte* to,
              const StridedView& out, Budget* budget) {
  if (IsEmpty(in)) return;
  Loops loops = MakeLoops(in, out);
  while (loops.size() < 2) loops.insert(loops.begin(), Loop{1, 0, 0});
  PairForTranspose(&loops);
  DispatchWidth(width, [&](auto element) {
    using T = decltype(element);
    int64_t work = 0;
    RunLoops(loops, reinterpret_cast<const T*>(from) + in.offset,
             reinterpret_cast<T*>(to) + out.offset, &work, budget);
  });
}

void CopyWindows(int width, const std::byte* from, const StridedView& in,
                 std::span<const int64_t> in_starts, std::byte* to, const StridedView& out,
                 std::span<const int64_t> out_starts, Budget* budget) {
  if (IsEmpty(in)) return;
  Loops loops = MakeLoops(in, out);
  DispatchWidth(width, [&](auto element) {
    using T = decltype(element);
    const T* const first = reinterpret_cast<const T*>(from) + in.offset;
    T* const target = reinterpret_cast<T*>(to) + out.offset;
    if (loops.empty()) {
      for (size_t i = 0; i < in_starts.size(); ++i) target[out_starts[i]] = first[in_starts[i]];
      return;
    }
    if (loops.size() == 1) loops.insert(loops.begin(), Loop{1, 0, 0});
    PairForTranspose(&loops);
    int64_t work = 0;
    for (size_t i = 0; i < in_starts.size(); ++i) {
      RunLoops(loops, first + in_starts[i], target + out_starts[i], &work, budget);
    }
  });
}

void GatherView(int width, const std::byte* from, const StridedView& in, std::byte* to,
                Budget* budget) {
  CopyView(width, from, in, to, RowMajorView(in.dims), budget);
}

void FillElements(int width, const std::byte* value, std::byte* to, int64_t count, Budget* budget) {
  CopyView(width, value, {{count}, {0}, 0}, to, {{count}, {1}, 0}, budget);
}

}  // namespace hlo
