// A copy of a view is a nest of loops. The nest is put in an order that writes consecutively,
// neighbouring loops are merged, and the two innermost ones run in a typed kernel. For a
// transposition, loops that continue where one of those two ends are included in it.
#include "engine/kernels/move_copy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "engine/kernels/element_width.h"
#include "engine/kernels/move_transpose.h"
#include "engine/threads/pieces.h"
#include "engine/types/tensor.h"

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

/// The output of a transposition this large is evicted from the caches before it is read.
constexpr int64_t kStreamBytes = int64_t{1} << 24;

/// The loops of a copy, the two innermost ones apart.
struct CopyPlan {
  Loops loops;
  Loop outer = {1, 0, 0}, inner = {1, 0, 0};
  bool transposes = false;  ///< `outer` reads consecutively, `inner` writes consecutively.
  PlaneAxis columns = {}, rows = {};
  bool stream = false;
};

/// Shorter rows are copied by vectors: the call of memcpy costs more, in a browser that of
/// memory.copy too.
constexpr size_t kLongRowBytes = 1024;
typedef uint8_t Sixteen __attribute__((vector_size(16)));

/// A short row. Inlined: calls would keep the processor from having several rows under way.
template <typename T>
inline __attribute__((always_inline)) void CopyShortRow(const T* from, T* to, size_t count) {
  constexpr size_t kLanes = 16 / sizeof(T), kLine = 4 * kLanes;
  size_t i = 0;
  // What is loaded before anything is stored is under way at the same time.
  for (; i + kLine <= count; i += kLine) {
    Sixteen a, b, c, d;
    std::memcpy(&a, from + i, 16);
    std::memcpy(&b, from + i + kLanes, 16);
    std::memcpy(&c, from + i + 2 * kLanes, 16);
    std::memcpy(&d, from + i + 3 * kLanes, 16);
    std::memcpy(to + i, &a, 16);
    std::memcpy(to + i + kLanes, &b, 16);
    std::memcpy(to + i + 2 * kLanes, &c, 16);
    std::memcpy(to + i + 3 * kLanes, &d, 16);
  }
  for (; i + kLanes <= count; i += kLanes) std::memcpy(to + i, from + i, 16);
  for (; i < count; ++i) to[i] = from[i];
}

template <typename T>
void CopyRow(const T* from, T* to, int64_t n) {
  const auto count = static_cast<size_t>(n);
  if (count * sizeof(T) > kLongRowBytes) {
    std::memcpy(to, from, count * sizeof(T));
  } else {
    CopyShortRow(from, to, count);
  }
}

/// Copies a row of `n` neighbours for each pair of starts.
template <typename T>
void CopyRows(const T* from, std::span<const int64_t> in_starts, T* to,
              std::span<const int64_t> out_starts, int64_t n) {
  const auto count = static_cast<size_t>(n);
  if (count * sizeof(T) > kLongRowBytes) {
    for (size_t i = 0; i < in_starts.size(); ++i)
      CopyRow(from + in_starts[i], to + out_starts[i], n);
    return;
  }
  for (size_t i = 0; i < in_starts.size(); ++i) {
    CopyShortRow(from + in_starts[i], to + out_starts[i], count);
  }
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

template <typename T>
void CopyPlane(const T* from, T* to, const Loop& outer, const Loop& inner) {
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

/// Whether all that is copied is one row of neighbours, and not so long that it has to be polled.
bool IsRow(const CopyPlan& plan) {
  return plan.loops.empty() && !plan.transposes && plan.outer.count == 1 &&
         plan.inner.in_step == 1 && plan.inner.out_step == 1 && plan.inner.count < kPieceElements;
}

/// Rows of a transposition that are a piece: whole rows of blocks, so that a piece starts as the
/// plane does.
template <typename T>
int64_t TransposePiece(const CopyPlan& plan) {
  const int64_t unit = TransposeRows<T>();
  return std::max(unit, kPieceElements / plan.columns.count / unit * unit);
}

/// The same for a transposition.
template <typename T>
void TransposePolled(const T* from, T* to, const CopyPlan& plan, int64_t* work, Budget* budget) {
  // For two steps whole rounds of the inner one.
  const int64_t piece = TransposePiece<T>(plan);
  PlaneAxis rows = plan.rows;
  const bool whole = rows.inner != rows.count;
  for (int64_t j = 0; j < plan.rows.count; j += rows.count) {
    rows.count = whole ? plan.rows.count : std::min(piece, plan.rows.count - j);
    if (!whole) rows.inner = rows.count;
    TransposePlane(from + j * rows.step, rows, to + j, plan.columns, plan.stream);
    *work += rows.count * plan.columns.count;
    if (*work >= kPieceElements) {
      *work = 0;
      budget->Poll();
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

template <typename T>
void RunLoops(const CopyPlan& plan, const T* from, T* to, int64_t* work, Budget* budget) {
  Dims position(plan.loops.size(), 0);
  while (true) {
    if (plan.transposes) {
      TransposePolled(from, to, plan, work, budget);
    } else {
      CopyPlanePolled(from, to, plan.outer, plan.inner, work, budget);
    }
    size_t d = plan.loops.size();
    for (; d > 0; --d) {
      const Loop& loop = plan.loops[d - 1];
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

#ifndef HLO_SMALL

/// Bytes that a thread copies at a time.
constexpr int64_t kCopyPieceBytes = int64_t{1} << 18;

// RoundSteps of the outer loops together.
struct RoundSteps {
  int64_t in, out;
};
RoundSteps StepsOfRound(const CopyPlan& plan, int64_t round) {
  RoundSteps at{0, 0};
  for (size_t d = plan.loops.size(); d-- > 0;) {
    const int64_t i = round % plan.loops[d].count;
    at.in += i * plan.loops[d].in_step;
    at.out += i * plan.loops[d].out_step;
    round /= plan.loops[d].count;
  }
  return at;
}

int64_t RoundsOf(const CopyPlan& plan) {
  int64_t rounds = 1;
  for (const Loop& loop : plan.loops) rounds *= loop.count;
  return rounds;
}

template <typename T>
void ShareTranspose(const CopyPlan& plan, const T* from, T* to, int64_t work, Budget* budget) {
  const bool whole = plan.rows.inner != plan.rows.count;
  const int64_t piece =
      whole ? plan.rows.count : std::min(plan.rows.count, TransposePiece<T>(plan));
  const int64_t parts = (plan.rows.count + piece - 1) / piece;
  const auto rooms =
      Buffer::Allocate(TransposeRoom() * static_cast<size_t>(PieceThreads()), budget);
  const int64_t together = std::max<int64_t>(
      kCopyPieceBytes / (piece * plan.columns.count * static_cast<int64_t>(sizeof(T))), 1);
  RunRanges(RoundsOf(plan) * parts, together, work, budget,
            [&](PieceRange range, int thread, Budget* own) {
              std::byte* const room = rooms->data() + TransposeRoom() * static_cast<size_t>(thread);
              for (int64_t unit = range.begin; unit < range.end; ++unit) {
                const RoundSteps at = StepsOfRound(plan, unit / parts);
                const int64_t j = unit % parts * piece;
                PlaneAxis rows = plan.rows;
                rows.count = std::min(piece, plan.rows.count - j);
                if (!whole) rows.inner = rows.count;
                TransposePlane(from + at.in + j * rows.step, rows, to + at.out + j, plan.columns,
                               plan.stream, room);
              }
              own->Poll();
            });
}

template <typename T>
void ShareRows(const CopyPlan& plan, const T* from, T* to, int64_t work, Budget* budget) {
  const Loop &outer = plan.outer, &inner = plan.inner;
  const int64_t elements = kCopyPieceBytes / static_cast<int64_t>(sizeof(T));
  const int64_t part = std::min(inner.count, elements);
  const int64_t parts = (inner.count + part - 1) / part;
  RunRanges(RoundsOf(plan) * outer.count * parts, std::max<int64_t>(elements / part, 1), work,
            budget, [&](PieceRange range, int, Budget* own) {
              for (int64_t unit = range.begin; unit < range.end; ++unit) {
                const int64_t row = unit / parts, j = unit % parts * part;
                const RoundSteps at = StepsOfRound(plan, row / outer.count);
                const int64_t i = row % outer.count;
                CopyPlane(from + at.in + i * outer.in_step + j * inner.in_step,
                          to + at.out + i * outer.out_step + j * inner.out_step, {1, 0, 0},
                          {std::min(part, inner.count - j), inner.in_step, inner.out_step});
              }
              own->Poll();
            });
}

/// Copies in pieces that threads share; false where they do not.
template <typename T>
bool ShareLoops(const CopyPlan& plan, const StridedView& in, const T* from, T* to, Budget* budget) {
  int64_t elements = 1;
  for (int64_t size : in.dims) elements *= size;
  const int64_t work = elements * static_cast<int64_t>(sizeof(T)) / 4;
  if (!IsShared(work)) return false;
  if (plan.transposes) {
    ShareTranspose(plan, from, to, work, budget);
  } else {
    ShareRows(plan, from, to, work, budget);
  }
  return true;
}

#endif  // HLO_SMALL

/// The loops in the order of their writes, merged where two of them step like one.
Loops MakeLoops(const StridedView& in, const StridedView& out) {
  Loops loops;
  for (size_t d = 0; d < in.dims.size(); ++d) {
    if (in.dims[d] != 1) loops.push_back({in.dims[d], in.strides[d], out.strides[d]});
  }
  // A few loops, for every copy: nothing is worth allocating.
  for (size_t i = 1; i < loops.size(); ++i) {
    for (size_t k = i; k > 0 && std::abs(loops[k].out_step) > std::abs(loops[k - 1].out_step);
         --k) {
      std::swap(loops[k], loops[k - 1]);
    }
  }
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

/// Takes the first loop with these steps out of the list; false when there is none.
template <typename F>
bool TakeLoop(Loops* loops, F&& fits, Loop* taken) {
  for (size_t i = 0; i < loops->size(); ++i) {
    if (!fits((*loops)[i])) continue;
    *taken = (*loops)[i];
    loops->erase(loops->begin() + i);
    return true;
  }
  return false;
}

/// Puts the loop that reads consecutively next to the one that writes consecutively, and after
/// either of them the one that continues where it ends.
void PlanTranspose(int width, CopyPlan* plan) {
  const Loop& inner = plan->inner;
  Loop& outer = plan->outer;
  if (inner.in_step == 1 || inner.out_step != 1 || inner.in_step == 0) return;
  if (outer.in_step != 1) {
    const Loop before = outer;
    if (!TakeLoop(
            &plan->loops, [](const Loop& loop) { return loop.in_step == 1; }, &outer))
      return;
    plan->loops.push_back(before);
  }
  plan->columns = {outer.count, outer.out_step, outer.count, 0};
  plan->rows = {inner.count, inner.in_step, inner.count, 0};
  const bool thin = (inner.count <= 4 && outer.out_step == inner.count) ||
                    (outer.count <= 4 && inner.in_step == outer.count);
  constexpr int64_t kLongEnough = 512;  // bytes
  Loop next;
  auto reads_on = [&](const Loop& loop) { return loop.in_step == outer.count; };
  auto writes_on = [&](const Loop& loop) { return loop.out_step == inner.count; };
  if (!thin && outer.count * width < kLongEnough && TakeLoop(&plan->loops, reads_on, &next)) {
    plan->columns = {outer.count * next.count, outer.out_step, outer.count, next.out_step};
  }
  // Two or three columns are as well read with a stride.
  plan->transposes = thin || plan->columns.count > 3;
  if (!thin && plan->transposes && inner.count * width < kLongEnough &&
      TakeLoop(&plan->loops, writes_on, &next)) {
    plan->rows = {inner.count * next.count, inner.in_step, inner.count, next.in_step};
  }
}

CopyPlan PlanCopy(int width, const StridedView& in, const StridedView& out) {
  CopyPlan plan;
  plan.loops = MakeLoops(in, out);
  for (Loop* loop : {&plan.inner, &plan.outer}) {
    if (plan.loops.empty()) break;
    *loop = plan.loops.back();
    plan.loops.pop_back();
  }
  PlanTranspose(width, &plan);
  int64_t bytes = width;
  for (int64_t size : in.dims) bytes = bytes < kStreamBytes ? bytes * size : bytes;
  plan.stream = bytes >= kStreamBytes;
  return plan;
}

bool IsEmpty(const StridedView& view) {
  return std::find(view.dims.begin(), view.dims.end(), 0) != view.dims.end();
}

}  // namespace

void CopyView(int width, const std::byte* from, const StridedView& in, std::byte* to,
              const StridedView& out, Budget* budget) {
  if (IsEmpty(in)) return;
  const CopyPlan plan = PlanCopy(width, in, out);
  DispatchWidth(width, [&](auto element) {
    using T = decltype(element);
    const T* const first = reinterpret_cast<const T*>(from) + in.offset;
    T* const target = reinterpret_cast<T*>(to) + out.offset;
#ifndef HLO_SMALL
    if (ShareLoops(plan, in, first, target, budget)) return;
#endif
    int64_t work = 0;
    RunLoops(plan, first, target, &work, budget);
  });
}

void CopyWindows(int width, const std::byte* from, const StridedView& in,
                 std::span<const int64_t> in_starts, std::byte* to, const StridedView& out,
                 std::span<const int64_t> out_starts, Budget* budget) {
  if (IsEmpty(in)) return;
  const CopyPlan plan = PlanCopy(width, in, out);
  const bool single = plan.inner.count == 1 && plan.outer.count == 1;
  DispatchWidth(width, [&](auto element) {
    using T = decltype(element);
    const T* const first = reinterpret_cast<const T*>(from) + in.offset;
    T* const target = reinterpret_cast<T*>(to) + out.offset;
    if (single) {
      for (size_t i = 0; i < in_starts.size(); ++i) target[out_starts[i]] = first[in_starts[i]];
      return;
    }
    int64_t work = 0;
    if (IsRow(plan)) {
      const auto piece =
          static_cast<size_t>(std::max<int64_t>(kPieceElements / plan.inner.count, 1));
      for (size_t i = 0; i < in_starts.size(); i += piece) {
        const size_t rows = std::min(piece, in_starts.size() - i);
        CopyRows(first, in_starts.subspan(i, rows), target, out_starts.subspan(i, rows),
                 plan.inner.count);
        if (rows == piece) budget->Poll();
      }
      return;
    }
    for (size_t i = 0; i < in_starts.size(); ++i) {
      RunLoops(plan, first + in_starts[i], target + out_starts[i], &work, budget);
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
