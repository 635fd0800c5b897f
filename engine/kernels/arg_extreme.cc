// The extreme of a piece is found by vectors, without a look at the indices. Then the rule is
// applied to the pairs whose value is that extreme, one after the other; as long as there is no
// NaN, the others change nothing. Where there is one, it is applied to all pairs of the piece.
#include "engine/kernels/arg_extreme.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "engine/base/pacer.h"
#include "engine/kernels/fold_pieces.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_loops.h"
#include "engine/kernels/vectors.h"

namespace hlo {
namespace {

/// Elements as keys in the order of the values: numbers are their own.
template <typename T>
struct NumberKeys {
  using Raw = T;
  using Key = T;
  static constexpr bool kHasNan = std::is_floating_point_v<T>;
  explicit NumberKeys(ElementType) {}
  Vector<T> Of(const Vector<T>& x) const { return x; }
  auto Odd(const Vector<T>& x) const { return x != x; }
};

/// The codes of floats of 16 bits as integers with a sign; the zeros are equal.
struct HalfKeys {
  using Raw = int16_t;
  using Key = int16_t;
  static constexpr bool kHasNan = true;
  explicit HalfKeys(ElementType type) : infinity(type == ElementType::kF16 ? 0x7c00 : 0x7f80) {}
  template <typename V>
  V Of(const V& x) const {
    const V sign = x >> 15;
    return ((x & int16_t{0x7fff}) ^ sign) - sign;
  }
  auto Odd(const Vector<int16_t>& x) const { return (x & int16_t{0x7fff}) > infinity; }
  int16_t infinity;
};

template <typename T>
T ReadNumber(const std::byte* from) {
  T x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

/// Integers of any type as numbers in the same order.
class IndexReader {
 public:
  explicit IndexReader(const ArgArrays& from)
      : indices_(from.indices),
        type_(from.index_type),
        width_(BytesOf(type_)),
        inner_(from.index_inner),
        extent_(from.index_extent) {}

  int64_t width() const { return width_; }
  int64_t Read(int64_t i) const {
    if (extent_ > 0) i = i / inner_ % extent_;
    return ReadFrom(indices_ + i * width_);
  }

  int64_t ReadFrom(const std::byte* from) const {
    switch (type_) {
      case ElementType::kS32:
        return ReadNumber<int32_t>(from);
      case ElementType::kU32:
        return ReadNumber<uint32_t>(from);
      case ElementType::kS64:
        return ReadNumber<int64_t>(from);
      case ElementType::kU64:
        return static_cast<int64_t>(ReadNumber<uint64_t>(from) ^ kTopBit);
      default:
        return 0;
    }
  }

  void Write(int64_t index, std::byte* to) const {
    const uint64_t bits = static_cast<uint64_t>(index) ^ (type_ == ElementType::kU64 ? kTopBit : 0);
    // Where its length is known, a copy is one instruction.
    if (width_ == 4) {
      std::memcpy(to, &bits, 4);
    } else {
      std::memcpy(to, &bits, 8);
    }
  }

 private:
  static constexpr uint64_t kTopBit = uint64_t{1} << 63;
  const std::byte* const indices_;
  const ElementType type_;
  const int64_t width_;
  const int64_t inner_, extent_;  // of ArgArrays
};

/// The table of a rule as bits.
uint32_t BitsOfTable(const bool (&takes)[kStandings][3]) {
  uint32_t bits = 0;
  for (int standing = 0; standing < kStandings; ++standing) {
    for (int order = 0; order < 3; ++order) {
      bits |= static_cast<uint32_t>(takes[standing][order]) << (3 * standing + order);
    }
  }
  return bits;
}

/// Whether a NaN so far stays, whatever comes.
bool NanStays(const ExtremeRule& rule) {
  constexpr int kFirst = static_cast<int>(Standing::kLeftNan) * 3;
  constexpr int kLast = static_cast<int>(Standing::kBothNan) * 3;
  constexpr uint32_t kLeftNan = (7u << kFirst) | (7u << kLast);
  return ((BitsOfTable(rule.takes_value) | BitsOfTable(rule.takes_index)) & kLeftNan) == 0;
}

/// 0, 1, 2: less, equal, greater.
template <typename T>
int OrderOf(T a, T b) {
  return (a >= b ? 1 : 0) + (a > b ? 1 : 0);
}

/// Elements whose extreme is found before a look at where it is: they stay in the nearest cache.
constexpr int64_t kPairPiece = 4096;
/// Parts of that whose extremes are kept, so that few elements are looked at again.
constexpr int64_t kPairPart = 128;
/// Vectors that advance side by side.
constexpr int64_t kPairVectors = 4;
/// Vectors that are looked at together for an extreme that is known; one is the least code.
#ifdef HLO_SMALL
constexpr int64_t kEqualVectors = 1;
#else
constexpr int64_t kEqualVectors = kPairVectors;
#endif
// In the first load the slow way, which is most of the code wherever it is inlined, stands once.
#ifdef HLO_SMALL
#define HLO_SLOW_WAY [[gnu::noinline]]
#else
#define HLO_SLOW_WAY
#endif
/// Rows that are folded at once where results lie side by side.
constexpr int64_t kPairRows = 8;

/// The loops over values of one type, for maxima or minima.
template <typename Keys, bool kMaximum>
class ArgLoops {
 public:
  using Raw = typename Keys::Raw;
  using Key = typename Keys::Key;
  using KeyVector = Vector<Key>;
  using Mask = decltype(KeyVector{} < KeyVector{});
  static constexpr int64_t kLanes = kLanesOf<Key>;

  ArgLoops(const ExtremeRule& rule, const ArgArrays& from)
      : keys_(from.value_type),
        values_(reinterpret_cast<const Raw*>(from.values)),
        indices_(from),
        takes_value_(BitsOfTable(rule.takes_value)),
        takes_index_(BitsOfTable(rule.takes_index)),
        nan_stays_(NanStays(rule)) {}

  /// One result, of the n elements that begin at `at`, one after the other.
  void FoldRun(int64_t at, int64_t n, int64_t step, const ArgResults& to) const {
    if (step != 1) return TakeAll(at, n, step, to);
    for (int64_t i = 0; i < n; i += kPairPiece) FoldPiece(at + i, std::min(kPairPiece, n - i), to);
  }

  /// `columns` results side by side, of rows that begin at `at` and are `step` apart.
  void FoldRows(int64_t at, int64_t columns, int64_t rows, int64_t step,
                const ArgResults& to) const {
    for (int64_t r = 0; r < rows; r += kPairRows, at += kPairRows * step) {
      const int64_t together = std::min(kPairRows, rows - r);
      int64_t j = 0;
#ifndef HLO_SMALL
      for (; j + kPairVectors * kLanes <= columns; j += kPairVectors * kLanes) {
        FoldColumns<kPairVectors>(at + j, together, step, At(to, j));
      }
#endif
      for (; j + kLanes <= columns; j += kLanes) {
        FoldColumns<1>(at + j, together, step, At(to, j));
      }
      for (; j < columns; ++j) TakeAll(at + j, together, step, At(to, j));
    }
  }

 private:
  static KeyVector Best(const KeyVector& a, const KeyVector& b) {
    return (kMaximum ? a < b : a > b) ? b : a;
  }
  static auto IsBetter(const auto& a, const auto& b) { return kMaximum ? a > b : a < b; }

  Key KeyOf(Raw x) const {
    if constexpr (std::is_same_v<Keys, HalfKeys>) {
      return static_cast<Key>(keys_.Of(static_cast<int>(x)));
    } else {
      return x;
    }
  }
  bool IsNan(Raw x) const {
    if constexpr (std::is_same_v<Keys, HalfKeys>) {
      return (x & 0x7fff) > keys_.infinity;
    } else {
      return x != x;
    }
  }

  ArgResults At(const ArgResults& to, int64_t i) const {
    return {to.value + i * static_cast<int64_t>(sizeof(Raw)), to.index + i * indices_.width()};
  }
  static Raw& ValueAt(const ArgResults& to) { return *reinterpret_cast<Raw*>(to.value); }

  Standing StandingOf(Raw left, Raw right) const {
    if constexpr (Keys::kHasNan) {
      if (IsNan(left)) return IsNan(right) ? Standing::kBothNan : Standing::kLeftNan;
      if (IsNan(right)) return Standing::kRightNan;
    }
    return static_cast<Standing>(OrderOf(KeyOf(left), KeyOf(right)));
  }

  /// A result under way.
  struct Pair {
    Raw value;
    int64_t index;
  };
  Pair Begin(const ArgResults& to) const { return {ValueAt(to), indices_.ReadFrom(to.index)}; }
  void End(const Pair& pair, const ArgResults& to) const {
    ValueAt(to) = pair.value;
    indices_.Write(pair.index, to.index);
  }

  /// The rule, applied to the result and the pair at `at`.
  void Take(int64_t at, Pair* pair) const {
    const Raw value = values_[at];
    const int64_t index = indices_.Read(at);
    const int bit =
        3 * static_cast<int>(StandingOf(pair->value, value)) + OrderOf(pair->index, index);
    pair->value = ((takes_value_ >> bit) & 1) != 0 ? value : pair->value;
    pair->index = ((takes_index_ >> bit) & 1) != 0 ? index : pair->index;
  }

  HLO_SLOW_WAY void TakeAll(int64_t at, int64_t n, int64_t step, const ArgResults& to) const {
    Pair pair = Begin(to);
    for (int64_t i = 0; i < n; ++i) {
      if (nan_stays_ && IsNan(pair.value)) break;
      Take(at + i * step, &pair);
    }
    End(pair, to);
  }

  void FoldPiece(int64_t at, int64_t n, const ArgResults& to) const {
    if (nan_stays_ && IsNan(ValueAt(to))) return;
    KeyVector parts[kPairPiece / kPairPart];
    bool has_nan = IsNan(ValueAt(to));
    KeyVector all = Splat(KeyOf(values_[at]));
    for (int64_t i = 0; i < n; i += kPairPart) {
      parts[i / kPairPart] = BestOfPart(values_ + at + i, std::min(kPairPart, n - i), &has_nan);
      all = Best(all, parts[i / kPairPart]);
    }
    if (has_nan) return TakeAll(at, n, 1, to);
    Key best = all[0];
    HLO_UNROLLED
    for (int64_t l = 1; l < kLanes; ++l) best = IsBetter(all[l], best) ? all[l] : best;
    if (IsBetter(KeyOf(ValueAt(to)), best)) return;
    Pair pair = Begin(to);
    for (int64_t i = 0; i < n; i += kPairPart) {
      if (!AnyLane(parts[i / kPairPart] == Splat(best))) continue;
      TakeEqual(best, at + i, std::min(kPairPart, n - i), &pair);
    }
    End(pair, to);
  }

  /// Lane by lane the best of some of the n > 0 elements; of all of them together the best.
  KeyVector BestOfPart(const Raw* x, int64_t n, bool* has_nan) const {
    KeyVector lanes[kPairVectors];
    HLO_UNROLLED
    for (KeyVector& vector : lanes) vector = Splat(KeyOf(x[0]));
    Mask odd = {};
    int64_t i = 0;
    for (; i + kPairVectors * kLanes <= n; i += kPairVectors * kLanes) {
      HLO_UNROLLED
      for (int64_t v = 0; v < kPairVectors; ++v) {
        const Vector<Raw> next = LoadVector(x + i + v * kLanes);
        lanes[v] = Best(lanes[v], keys_.Of(next));
        odd |= keys_.Odd(next);
      }
    }
    for (; i + kLanes <= n; i += kLanes) {
      const Vector<Raw> next = LoadVector(x + i);
      lanes[0] = Best(lanes[0], keys_.Of(next));
      odd |= keys_.Odd(next);
    }
    *has_nan |= Keys::kHasNan && AnyLane(odd);
    for (; i < n; ++i) {
      lanes[0] = Best(lanes[0], Splat(KeyOf(x[i])));
      *has_nan |= IsNan(x[i]);
    }
    return Best(Best(lanes[0], lanes[1]), Best(lanes[2], lanes[3]));
  }

  /// Takes those elements of a vector at `at` whose bytes have a bit here.
  void TakeLanes(uint32_t bytes, int64_t at, Pair* pair) const {
    constexpr uint32_t kLane = (1u << sizeof(Key)) - 1;
    while (bytes != 0) {
      const int byte = std::countr_zero(bytes);
      Take(at + byte / static_cast<int>(sizeof(Key)), pair);
      bytes &= ~(kLane << byte);
    }
  }

  /// Takes all rows of those columns from `at` on whose lanes are set.
  HLO_SLOW_WAY void TakeColumns(const Mask& columns, int64_t at, int64_t rows, int64_t step,
                                const ArgResults& to) const {
    for (int64_t l = 0; l < kLanes; ++l) {
      if (columns[l] != 0) TakeAll(at + l, rows, step, At(to, l));
    }
  }

  /// Takes the elements whose key this is.
  void TakeEqual(Key key, int64_t at, int64_t n, Pair* pair) const {
    const Raw* const x = values_ + at;
    const KeyVector keys = Splat(key);
    int64_t i = 0;
    for (; i + kEqualVectors * kLanes <= n; i += kEqualVectors * kLanes) {
      Mask equal[kEqualVectors], any = {};
      HLO_UNROLLED
      for (int64_t v = 0; v < kEqualVectors; ++v) {
        equal[v] = keys_.Of(LoadVector(x + i + v * kLanes)) == keys;
        any |= equal[v];
      }
      if (!AnyLane(any)) continue;
      HLO_UNROLLED
      for (int64_t v = 0; v < kEqualVectors; ++v) {
        TakeLanes(BytesOfLanes(equal[v]), at + i + v * kLanes, pair);
      }
    }
    for (; i < n; ++i) {
      if (KeyOf(x[i]) == key) Take(at + i, pair);
    }
  }

  /// Takes what may change the results, of as many columns as these vectors have.
  template <int64_t kVectors>
  void FoldColumns(int64_t at, int64_t rows, int64_t step, const ArgResults& to) const {
    const Raw* x = values_ + at;
    KeyVector best[kVectors];
    Mask odd[kVectors];
    HLO_UNROLLED
    for (int64_t v = 0; v < kVectors; ++v) {
      const Vector<Raw> first = LoadVector(x + v * kLanes);
      best[v] = keys_.Of(first);
      odd[v] = keys_.Odd(first);
    }
    for (int64_t r = 1; r < rows; ++r) {
      x += step;
      HLO_UNROLLED
      for (int64_t v = 0; v < kVectors; ++v) {
        const Vector<Raw> next = LoadVector(x + v * kLanes);
        best[v] = Best(best[v], keys_.Of(next));
        odd[v] |= keys_.Odd(next);
      }
    }
    HLO_UNROLLED
    for (int64_t v = 0; v < kVectors; ++v) {
      const Vector<Raw> so_far = LoadVector(reinterpret_cast<const Raw*>(to.value) + v * kLanes);
      const Mask changes = ~IsBetter(keys_.Of(so_far), best[v]) | odd[v] | keys_.Odd(so_far);
      if (!AnyLane(changes)) continue;
      TakeColumns(changes, at + v * kLanes, rows, step, At(to, v * kLanes));
    }
  }

  const Keys keys_;
  const Raw* const values_;
  const IndexReader indices_;
  const uint32_t takes_value_, takes_index_;  // BitsOfTable
  const bool nan_stays_;
};

/// Results side by side that advance together, and rows between two looks at the budget.
constexpr int64_t kPairRow = 2048;
constexpr int64_t kPairRowsAtOnce = 32;

template <typename Loops>
class ArgFolding {
 public:
  ArgFolding(const Loops& loops, const ArgArrays& from, const LoopNest& reduced,
             const ArgInit& init, Budget* budget)
      : loops_(loops),
        value_width_(BytesOf(from.value_type)),
        index_width_(BytesOf(from.index_type)),
        reduced_(reduced),
        init_(init),
        pacer_(budget) {}

  /// `count` results, whose first elements are at `at` and `step` apart.
  void Fold(int64_t at, int64_t count, int64_t step, const ArgResults& to) {
    FillElements(value_width_, init_.value, to.value, count, pacer_.budget());
    FillElements(index_width_, init_.index, to.index, count, pacer_.budget());
    const bool adjacent = step == 1 && count >= 4;
#ifndef HLO_SMALL
    if (!adjacent && IsShortRun()) return FoldRuns(at, count, step, to);
#endif
    const int64_t width = adjacent ? kPairRow : 1;
    for (int64_t j = 0; j < count; j += width) {
      const ArgResults part = {to.value + j * value_width_, to.index + j * index_width_};
      FoldPart(at + j * step, adjacent ? std::min(width, count - j) : 0, part);
    }
  }

 private:
#ifndef HLO_SMALL
  // Whether what is reduced is one run, between whose parts the budget need not be polled.
  bool IsShortRun() const {
    return !reduced_.empty && reduced_.loops.size() == 1 &&
           reduced_.loops[0].count <= kPollElements;
  }

  // A run for each result.
  void FoldRuns(int64_t at, int64_t count, int64_t step, const ArgResults& to) {
    const auto [n, run_step] = reduced_.loops[0];
    for (int64_t j = 0; j < count; ++j) {
      loops_.FoldRun(at + reduced_.offset + j * step, n, run_step,
                     {to.value + j * value_width_, to.index + j * index_width_});
      pacer_.Add(n);
    }
  }
#endif

  // So many results side by side; 0: a single one.
  void FoldPart(int64_t at, int64_t columns, const ArgResults& to) {
    const int64_t at_once = columns > 0 ? kPairRowsAtOnce : kPollElements;
    ForEachRow(reduced_, [&](int64_t offset, int64_t count, int64_t step) {
      for (int64_t r = 0; r < count; r += at_once) {
        const int64_t n = std::min(at_once, count - r), begin = at + offset + r * step;
        if (columns > 0) {
          loops_.FoldRows(begin, columns, n, step, to);
        } else {
          loops_.FoldRun(begin, n, step, to);
        }
        pacer_.Add(n * std::max<int64_t>(columns, 1));
      }
    });
  }

  const Loops& loops_;
  const int value_width_, index_width_;
  const LoopNest& reduced_;
  const ArgInit& init_;
  Pacer pacer_;
};

template <typename Keys, bool kMaximum>
void FoldPairs(const ExtremeRule& rule, const ArgArrays& from, const StridedView& kept,
               const StridedView& reduced, const ArgInit& init, ArgResults to, Budget* budget) {
  const ArgLoops<Keys, kMaximum> loops(rule, from);
  const LoopNest nest = MakeNest(reduced), results = MakeNest(kept);
  const int value_width = BytesOf(from.value_type), index_width = BytesOf(from.index_type);
#ifndef HLO_SMALL
  if (ShareResults(results, CountOf(nest), budget,
                   [&](Budget* own, int64_t at, int64_t count, int64_t step, int64_t result) {
                     ArgFolding(loops, from, nest, init, own)
                         .Fold(at, count, step,
                               {to.value + result * value_width, to.index + result * index_width});
                   })) {
    return;
  }
#endif
  ArgFolding folding(loops, from, nest, init, budget);
  ForEachRow(results, [&](int64_t offset, int64_t count, int64_t step) {
    folding.Fold(offset, count, step, to);
    to.value += count * value_width;
    to.index += count * index_width;
  });
}

using PairFold = decltype(&FoldPairs<NumberKeys<float>, true>);

template <typename Keys>
PairFold ChoosePairFold(bool maximum) {
  return maximum ? FoldPairs<Keys, true> : FoldPairs<Keys, false>;
}

PairFold FindPairFold(ElementType type, bool maximum) {
  switch (type) {
    case ElementType::kF64:
      return ChoosePairFold<NumberKeys<double>>(maximum);
    case ElementType::kF32:
      return ChoosePairFold<NumberKeys<float>>(maximum);
    case ElementType::kF16:
    case ElementType::kBF16:
      return ChoosePairFold<HalfKeys>(maximum);
    case ElementType::kS32:
      return ChoosePairFold<NumberKeys<int32_t>>(maximum);
    default:
      return nullptr;
  }
}

}  // namespace

bool CanFoldArgExtreme(ElementType value_type, ElementType index_type) {
  const bool can_read = IsIntegral(index_type) && BitsOf(index_type) >= 32;
  return can_read && FindPairFold(value_type, true) != nullptr;
}

void FoldArgExtreme(const ExtremeRule& rule, const ArgArrays& from, const StridedView& kept,
                    const StridedView& reduced, const ArgInit& init, const ArgResults& to,
                    Budget* budget) {
  FindPairFold(from.value_type, rule.maximum)(rule, from, kept, reduced, init, to, budget);
}

}  // namespace hlo
