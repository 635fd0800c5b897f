// Two directions: across (the results lie side by side in the source, so that a row of accumulators
// advances together) and along (one result after the other).
#include "engine/kernels/reduce_fold.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <vector>

#include "engine/base/pacer.h"
#include "engine/kernels/fold_lanes.h"
#include "engine/kernels/fold_pieces.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_loops.h"
#include "engine/threads/pieces.h"
#include "engine/types/storage.h"

namespace hlo {
namespace {

// Reducers on accumulators of native types. acc is the left operand.
// Integers wrap: the arithmetic is done unsigned, which for narrow types means int, where a product
// of 16-bit numbers could overflow; so it is made unsigned first.
struct Add {
  template <typename T>
  static T Apply(T acc, T x) {
    return static_cast<T>(acc + x);
  }
  template <typename V>
  static V Lanes(V acc, V x) {
    return acc + x;
  }
};
struct Multiply {
  template <typename T>
  static T Apply(T acc, T x) {
    if constexpr (std::is_floating_point_v<T>) return acc * x;
    using Wide = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
    return static_cast<T>(static_cast<Wide>(acc) * static_cast<Wide>(x));
  }
};
// NaN wins, the left one first; of equal values (zeros of both signs) the left one stays.
struct Maximum {
  template <typename T>
  static T Apply(T acc, T x) {
    return acc >= x || acc != acc ? acc : x;
  }
  template <typename V>
  static V Lanes(V acc, V x) {
    return acc < x ? x : acc;
  }
};
struct Minimum {
  template <typename T>
  static T Apply(T acc, T x) {
    return acc <= x || acc != acc ? acc : x;
  }
  template <typename V>
  static V Lanes(V acc, V x) {
    return acc > x ? x : acc;
  }
};
struct And {
  template <typename T>
  static T Apply(T acc, T x) {
    return static_cast<T>(acc & x);
  }
  template <typename V>
  static V Lanes(V acc, V x) {
    return acc & x;
  }
};
struct Or {
  template <typename T>
  static T Apply(T acc, T x) {
    return static_cast<T>(acc | x);
  }
  template <typename V>
  static V Lanes(V acc, V x) {
    return acc | x;
  }
};

/// Rows for which the accumulators of sums of f32 are read and written once.
constexpr int kRowsTogether = 8;

/// Sums of f32 in f64.
template <typename T, typename Acc>
constexpr bool kIsWideSum = std::is_same_v<T, float>&& std::is_same_v<Acc, double>;
template <typename Op>
constexpr bool kIsExtreme = std::is_same_v<Op, Maximum> || std::is_same_v<Op, Minimum>;

/// Rows of several sources whose elements go to a row of accumulators, one source after the other.
template <typename Op, typename T, typename Acc, typename... Rows>
void FoldRows(int64_t n, Acc* __restrict acc, const Rows* __restrict... rows) {
  for (int64_t i = 0; i < n; ++i) {
    Acc x = acc[i];
    ((x = Op::Apply(x, static_cast<Acc>(rows[i]))), ...);
    acc[i] = x;
  }
}

/// acc[i] = op(acc[i], x[i]) for each of the rows, `step` elements apart: the results are side by
/// side in the source.
template <typename Op, typename T, typename Acc>
void Across(const std::byte* from, int64_t n, int64_t rows, int64_t step, std::byte* result) {
  const T* x = reinterpret_cast<const T*>(from);
  Acc* const acc = reinterpret_cast<Acc*>(result);
  int64_t r = 0;
  if constexpr (kIsWideSum<T, Acc>) {
    for (; r + kRowsTogether <= rows; r += kRowsTogether, x += kRowsTogether * step) {
      AddRows<kRowsTogether>(static_cast<ptrdiff_t>(n), acc, x, static_cast<ptrdiff_t>(step));
    }
  } else if constexpr (sizeof(T) >= 4) {
    for (; r + 4 <= rows; r += 4, x += 4 * step) {
      FoldRows<Op, T, Acc>(n, acc, x, x + step, x + 2 * step, x + 3 * step);
    }
  }
  for (; r < rows; ++r, x += step) FoldRows<Op, T, Acc>(n, acc, x);
}

/// Fewer neighbours than this are folded one after the other.
constexpr int64_t kShortRun = 16;

/// One result: *acc = op(*acc, x[i * step]), one after the other.
template <typename Op, typename T, typename Acc>
void Along(const std::byte* from, int64_t n, int64_t step, std::byte* result) {
  const T* const x = reinterpret_cast<const T*>(from);
  Acc& acc = *reinterpret_cast<Acc*>(result);
  if (step == 1 && n >= kShortRun) {
    if constexpr (kIsWideSum<T, Acc>) {
      return SumOfLanes<1>({x}, n, {&acc});
    } else if constexpr (kIsExtreme<Op> && std::is_floating_point_v<T>) {
      acc = ExtremeOfLanes<Op>(x, n, acc);
      return;
    } else if constexpr (std::is_integral_v<T> && !std::is_same_v<Op, Multiply>) {
      acc = FoldLanes<Op>(x, n, acc, std::is_same_v<Op, Add> ? T{} : acc);
      return;
    }
  }
  Acc folded = acc;
  for (int64_t i = 0; i < n; ++i) folded = Op::Apply(folded, static_cast<Acc>(x[i * step]));
  acc = folded;
}

#ifndef HLO_SMALL
/// Results that advance together: of three places in memory a processor fetches more ahead than of
/// one. More of them do not fit into registers.
constexpr int kResultsTogether = 3;
using SourcesTogether = std::array<const std::byte*, kResultsTogether>;
using ResultsTogether = std::array<std::byte*, kResultsTogether>;

/// Sums of n >= kShortRun neighbours each, as Along.
void SumTogether(const SourcesTogether& from, int64_t n, const ResultsTogether& results) {
  const float* x[kResultsTogether];
  double* acc[kResultsTogether];
  for (size_t i = 0; i < kResultsTogether; ++i) {
    x[i] = reinterpret_cast<const float*>(from[i]);
    acc[i] = reinterpret_cast<double*>(results[i]);
  }
  SumOfLanes(x, n, acc);
}
#endif

/// What differs between reducers and types; the nests around it are the same for all.
struct FoldLoops {
  int width;      // of an element, in bytes
  int acc_width;  // of an accumulator
  void (*across)(const std::byte* from, int64_t n, int64_t rows, int64_t step, std::byte* result);
  void (*along)(const std::byte* from, int64_t n, int64_t step, std::byte* result);
#ifndef HLO_SMALL
  // How many numbers say all of a part that is folded by itself, without what comes before it; 0:
  // there is no such thing.
  int part_numbers;
  // Null where results that advance together are no faster.
  void (*together)(const SourcesTogether& from, int64_t n, const ResultsTogether& results);
#endif
};

#ifndef HLO_SMALL
template <typename Op, typename T, typename Acc>
constexpr int kPartNumbers = kIsWideSum<T, Acc> ? kLaneSums
                             : kIsExtreme<Op> || (std::is_integral_v<T> && std::is_same_v<T, Acc>)
                                 ? 1
                                 : 0;
#endif

template <typename Op, typename T, typename Acc = T>
constexpr FoldLoops kFold = {
    sizeof(T),
    sizeof(Acc),
    Across<Op, T, Acc>,
    Along<Op, T, Acc>,
#ifndef HLO_SMALL
    kPartNumbers<Op, T, Acc>,
    kIsWideSum<T, Acc> ? SumTogether : nullptr,
#endif
};

/// Accumulators of a row that advance together: no more than the second-level cache holds, and of
/// long rows enough that what is read between two jumps is whole pages.
constexpr int64_t kRow = 4096;
/// Rows between two looks at the budget.
constexpr int64_t kRowsAtOnce = 32;

/// One reduction under way.
class Folding {
 public:
  Folding(const FoldLoops& loops, const LoopNest& reduced, const std::byte* init, Budget* budget)
      : loops_(loops), reduced_(reduced), init_(init), pacer_(budget) {}

  /// `columns` results, side by side in the source.
  void FoldRow(const std::byte* from, int64_t columns, std::byte* to) {
    for (int64_t j = 0; j < columns; j += kRow) {
      const int64_t width = std::min(kRow, columns - j);
      std::byte* const acc = to + j * loops_.acc_width;
      FillElements(loops_.acc_width, init_, acc, width, pacer_.budget());
      ForEachRow(reduced_, [&](int64_t offset, int64_t count, int64_t step) {
        for (int64_t r = 0; r < count; r += kRowsAtOnce) {
          const int64_t rows = std::min(kRowsAtOnce, count - r);
          loops_.across(from + (j + offset + r * step) * loops_.width, width, rows, step, acc);
          pacer_.Add(width * rows);
        }
      });
    }
  }

  /// `count` results, `step` elements apart in the source.
  void FoldEach(const std::byte* from, int64_t count, int64_t step, std::byte* to) {
    int64_t i = 0;
#ifndef HLO_SMALL
    // Those that lie far apart: neighbours are no other place in memory.
    const int64_t part = FoldsTogether() ? count / kResultsTogether : 0;
    for (; i < part; ++i) {
      SourcesTogether sources;
      ResultsTogether results;
      for (size_t k = 0; k < kResultsTogether; ++k) {
        const int64_t at = i + static_cast<int64_t>(k) * part;
        sources[k] = from + at * step * loops_.width;
        results[k] = Acc(to, at);
      }
      FoldTogether(sources, results);
    }
    i *= kResultsTogether;
#endif
    for (; i < count; ++i) FoldOne(from + i * step * loops_.width, Acc(to, i));
  }

 private:
  std::byte* Acc(std::byte* to, int64_t i) const { return to + i * loops_.acc_width; }

#ifndef HLO_SMALL
  bool FoldsTogether() const {
    if (loops_.together == nullptr || reduced_.empty) return false;
    const ViewLoop run = reduced_.loops.back();
    return run.step == 1 && run.count >= kShortRun && run.count <= kPollElements;
  }

  void FoldTogether(const SourcesTogether& from, const ResultsTogether& to) {
    for (std::byte* acc : to) std::memcpy(acc, init_, static_cast<size_t>(loops_.acc_width));
    ForEachRow(reduced_, [&](int64_t offset, int64_t count, int64_t) {
      SourcesTogether rows = from;
      for (const std::byte*& row : rows) row += offset * loops_.width;
      loops_.together(rows, count, to);
      pacer_.Add(kResultsTogether * count);
    });
  }
#endif

  void FoldOne(const std::byte* from, std::byte* to) {
    std::memcpy(to, init_, static_cast<size_t>(loops_.acc_width));
    ForEachRow(reduced_, [&](int64_t offset, int64_t count, int64_t step) {
      for (int64_t r = 0; r < count; r += kPollElements) {
        const int64_t n = std::min(kPollElements, count - r);
        loops_.along(from + (offset + r * step) * loops_.width, n, step, to);
        pacer_.Add(n);
      }
    });
  }

  const FoldLoops& loops_;
  const LoopNest& reduced_;
  const std::byte* init_;
  Pacer pacer_;
};

#ifndef HLO_SMALL

/// Fewer results than this, of long runs, are folded one after the other, each by all threads.
constexpr int64_t kFewResults = 16;

/// What the n >= 16 elements of a part give by themselves, in place of the part.
void FoldPart(const FoldLoops& loops, const std::byte* from, int64_t n, double* numbers) {
  if (loops.part_numbers == kLaneSums) {
    return LaneSums<1>({reinterpret_cast<const float*>(from)}, n, numbers);
  }
  std::memcpy(numbers, from, static_cast<size_t>(loops.width));
  loops.along(from + loops.width, n - 1, 1, reinterpret_cast<std::byte*>(numbers));
}

/// Folds that, and what lanes leave over, into the result.
void JoinPart(const FoldLoops& loops, const double* numbers, const std::byte* from, int64_t n,
              std::byte* result) {
  if (loops.part_numbers != kLaneSums) {
    return loops.along(reinterpret_cast<const std::byte*>(numbers), 1, 1, result);
  }
  double& sum = *reinterpret_cast<double*>(result);
  for (int lane = 0; lane < kLaneSums; ++lane) sum += numbers[lane];
  const int64_t rest = n % kLaneSums;
  loops.along(from + (n - rest) * loops.width, rest, 1, result);
}

/// One result of `n` neighbours, in parts as FoldOne takes them.
void FoldRun(const FoldLoops& loops, const std::byte* from, int64_t n, std::byte* result,
             Budget* budget) {
  const auto room = static_cast<size_t>(loops.part_numbers);
  std::vector<double> numbers(static_cast<size_t>((n + kPollElements - 1) / kPollElements) * room);
  const auto numbers_of = [&](int64_t begin) {
    return numbers.data() + static_cast<size_t>(begin / kPollElements) * room;
  };
  RunRanges(n, kPollElements, n, budget, [&](PieceRange piece, int, Budget* own) {
    const int64_t count = piece.end - piece.begin;
    if (count < kShortRun) return;
    FoldPart(loops, from + piece.begin * loops.width, count, numbers_of(piece.begin));
    own->Poll();
  });
  for (int64_t begin = 0; begin < n; begin += kPollElements) {
    const int64_t count = std::min(kPollElements, n - begin);
    const std::byte* const part = from + begin * loops.width;
    if (count < kShortRun) {
      loops.along(part, count, 1, result);
    } else {
      JoinPart(loops, numbers_of(begin), part, count, result);
    }
  }
}

/// FoldView for threads; false, with nothing done, where they share nothing.
bool ShareFold(const FoldLoops& loops, const std::byte* from, const LoopNest& kept,
               const LoopNest& reduced, const std::byte* init, std::byte* to, Budget* budget) {
  if (kept.empty || reduced.empty) return false;
  const ViewLoop run = reduced.loops.back();
  const int64_t results = CountOf(kept);
  if (loops.part_numbers > 0 && run.step == 1 && IsShared(run.count) && results < kFewResults) {
    ForEachRow(kept, [&](int64_t at, int64_t count, int64_t step) {
      for (int64_t i = 0; i < count; ++i, to += loops.acc_width) {
        std::memcpy(to, init, static_cast<size_t>(loops.acc_width));
        ForEachRow(reduced, [&](int64_t offset, int64_t n, int64_t) {
          FoldRun(loops, from + (at + i * step + offset) * loops.width, n, to, budget);
        });
      }
    });
    return true;
  }
  const bool is_across = kept.loops.back().step == 1 && kept.loops.back().count >= 4;
  return ShareResults(
      kept, CountOf(reduced), budget,
      [&](Budget* own, int64_t offset, int64_t count, int64_t step, int64_t result) {
        Folding folding(loops, reduced, init, own);
        const std::byte* const at = from + offset * loops.width;
        std::byte* const out = to + result * loops.acc_width;
        if (is_across) return folding.FoldRow(at, count, out);
        folding.FoldEach(at, count, step, out);
      });
}

#endif  // HLO_SMALL

/// Integers of a width: sums, products and bits do not care for the sign.
template <typename Signed, typename Unsigned>
const FoldLoops* IntegerFold(Reducer reducer, bool is_signed) {
  switch (reducer) {
    case Reducer::kAdd:
      return &kFold<Add, Unsigned>;
    case Reducer::kMultiply:
      return &kFold<Multiply, Unsigned>;
    case Reducer::kMaximum:
      return is_signed ? &kFold<Maximum, Signed> : &kFold<Maximum, Unsigned>;
    case Reducer::kMinimum:
      return is_signed ? &kFold<Minimum, Signed> : &kFold<Minimum, Unsigned>;
    case Reducer::kAnd:
      return &kFold<And, Unsigned>;
    case Reducer::kOr:
      return &kFold<Or, Unsigned>;
  }
  return nullptr;
}

template <typename T>
const FoldLoops* FloatFold(Reducer reducer) {
  switch (reducer) {
    case Reducer::kAdd:
      return &kFold<Add, T, double>;
    case Reducer::kMultiply:
      return &kFold<Multiply, T>;
    case Reducer::kMaximum:
      return &kFold<Maximum, T>;
    case Reducer::kMinimum:
      return &kFold<Minimum, T>;
    default:
      return nullptr;
  }
}

/// Of truth values, a sum and a maximum are "or", a product and a minimum "and".
const FoldLoops* PredFold(Reducer reducer) {
  bool any = reducer == Reducer::kAdd || reducer == Reducer::kMaximum || reducer == Reducer::kOr;
  return any ? &kFold<Or, uint8_t> : &kFold<And, uint8_t>;
}

const FoldLoops* FindFold(Reducer reducer, ElementType type) {
  switch (type) {
    case ElementType::kPred:
      return PredFold(reducer);
    case ElementType::kS8:
    case ElementType::kU8:
      return IntegerFold<int8_t, uint8_t>(reducer, IsSigned(type));
    case ElementType::kS16:
    case ElementType::kU16:
      return IntegerFold<int16_t, uint16_t>(reducer, IsSigned(type));
    case ElementType::kS32:
    case ElementType::kU32:
      return IntegerFold<int32_t, uint32_t>(reducer, IsSigned(type));
    case ElementType::kS64:
    case ElementType::kU64:
      return IntegerFold<int64_t, uint64_t>(reducer, IsSigned(type));
    case ElementType::kF32:
      return FloatFold<float>(reducer);
    case ElementType::kF64:
      return FloatFold<double>(reducer);
    default:
      return nullptr;
  }
}

}  // namespace

ElementType FoldResultType(Reducer reducer, ElementType type) {
  return reducer == Reducer::kAdd && IsFloat(type) ? ElementType::kF64 : type;
}

bool CanFold(Reducer reducer, ElementType type) { return FindFold(reducer, type) != nullptr; }

void FoldView(Reducer reducer, ElementType type, const std::byte* from, const StridedView& kept,
              const StridedView& reduced, const std::byte* init, std::byte* to, Budget* budget) {
  const FoldLoops& loops = *FindFold(reducer, type);
  const LoopNest nest = MakeNest(reduced);
#ifndef HLO_SMALL
  if (ShareFold(loops, from, MakeNest(kept), nest, init, to, budget)) return;
#endif
  Folding folding(loops, nest, init, budget);
  ForEachRow(MakeNest(kept), [&](int64_t offset, int64_t count, int64_t step) {
    const std::byte* row = from + offset * loops.width;
    if (step == 1 && count >= 4) {
      folding.FoldRow(row, count, to);
    } else {
      folding.FoldEach(row, count, step, to);
    }
    to += count * loops.acc_width;
  });
}

void FoldEachRow(Reducer reducer, ElementType type, const std::byte* from, int64_t rows,
                 int64_t length, const std::byte* init, std::byte* to) {
  const FoldLoops& loops = *FindFold(reducer, type);
  for (int64_t row = 0; row < rows; ++row) {
    std::memcpy(to, init, static_cast<size_t>(loops.acc_width));
    loops.along(from, length, 1, to);
    from += length * loops.width;
    to += loops.acc_width;
  }
}

}  // namespace hlo
