#include "engine/kernels/sort_items.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/kernels/move_loops.h"
#include "engine/kernels/vectors.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Below this many items comparing is faster than counting digits.
constexpr int64_t kFewItems = 80;
#ifndef HLO_SMALL
/// From here on wide digits pay: their counters are small beside the items.
constexpr int64_t kManyItems = int64_t{1} << 14;
/// Items that a thread takes at a time.
constexpr int64_t kSortPiece = int64_t{1} << 16;
#endif

/// Sorts on this thread. Both arrays have room for n items; returns the one that holds the result.
template <typename Item>
Item* SortAlone(Item* items, Item* scratch, int64_t n, Budget* budget);

/// Least significant digit first. The width of a digit is a constant, for it is in the innermost
/// loops.
template <typename Item, int kDigitBits>
class RadixSort {
 public:
  RadixSort(int64_t n, Budget* budget) : n_(n), budget_(budget) {}

  Item* Run(Item* items, Item* other) {
    std::vector<uint32_t> counts(static_cast<size_t>(kDigits * kBuckets), 0);
    Count(items, counts.data());
    for (int d = 0; d < kDigits; ++d) {
      // A digit that is the same everywhere leaves the order as it is.
      uint32_t* const of_digit = counts.data() + d * kBuckets;
      if (of_digit[DigitOf(items[0], d)] == static_cast<uint64_t>(n_)) continue;
      uint32_t sum = 0;
      for (int64_t b = 0; b < kBuckets; ++b) sum += std::exchange(of_digit[b], sum);
      for (int64_t done = 0; done < n_; done += kPollElements) {
        Distribute(items, {done, std::min(n_, done + kPollElements)}, other, d, of_digit);
        budget_->Poll();
      }
      std::swap(items, other);
    }
    return items;
  }

#ifndef HLO_SMALL
  /// The same order, by threads: they first share the items out by the highest digit that is not
  /// the same everywhere, in pieces that count for themselves, and then sort the buckets, each of
  /// which is one thread's. (From the lowest digit on, every digit would have them write side by
  /// side into the same lines of the cache.)
  Item* RunShared(Item* items, Item* other) {
    std::vector<uint32_t> ends(static_cast<size_t>(kBuckets));
    for (int d = kDigits; d-- > 0;) {
      if (!ShareOut(items, other, d, ends.data())) continue;
      if (d > 0) SortBuckets(other, items, ends.data());
      return other;
    }
    return items;
  }
#endif

 private:
  static constexpr int kKeyBits = 8 * sizeof(typename Item::Key);
  static constexpr int kDigits = (kKeyBits + kDigitBits - 1) / kDigitBits;
  static constexpr int64_t kBuckets = int64_t{1} << kDigitBits;

  static size_t DigitOf(const Item& item, int digit) {
    return static_cast<size_t>(item.key() >> (digit * kDigitBits)) &
           static_cast<size_t>(kBuckets - 1);
  }

#ifndef HLO_SMALL
  /// Distributes by a digit; `ends`: of the buckets. False, with nothing done, where all items have
  /// the same one.
  bool ShareOut(const Item* items, Item* other, int digit, uint32_t* ends) {
    const auto pieces = static_cast<size_t>((n_ + kSortPiece - 1) / kSortPiece);
    std::vector<uint32_t> counts(pieces * static_cast<size_t>(kBuckets));
    const auto counts_of = [&](PieceRange piece) {
      return counts.data() + piece.begin / kSortPiece * kBuckets;
    };
    RunRanges(n_, kSortPiece, n_, budget_, [&](PieceRange piece, int, Budget* own) {
      uint32_t* const own_counts = counts_of(piece);
      for (int64_t i = piece.begin; i < piece.end; ++i) ++own_counts[DigitOf(items[i], digit)];
      own->Poll();
    });
    uint32_t sum = 0;
    for (size_t b = 0; b < static_cast<size_t>(kBuckets); ++b) {
      const uint32_t begin = sum;
      for (size_t p = 0; p < pieces; ++p) {
        sum += std::exchange(counts[p * static_cast<size_t>(kBuckets) + b], sum);
      }
      ends[b] = sum;
      if (sum - begin == static_cast<uint64_t>(n_)) return false;
    }
    RunRanges(n_, kSortPiece, n_, budget_, [&](PieceRange piece, int, Budget* own) {
      Distribute(items, piece, other, digit, counts_of(piece));
      own->Poll();
    });
    return true;
  }

  /// Sorts each bucket of items where it is; `other` has room for as many.
  void SortBuckets(Item* items, Item* other, const uint32_t* ends) {
    std::vector<int64_t> groups = {0};  // their ends, in buckets
    for (int64_t b = 0, begin = 0; b < kBuckets; ++b) {
      if (ends[b] - begin < kSortPiece && b + 1 < kBuckets) continue;
      begin = ends[b];
      groups.push_back(b + 1);
    }
    const auto count = static_cast<int64_t>(groups.size()) - 1;
    RunPieces(count, n_, budget_, [&](int64_t group, int, Budget* own) {
      const int64_t* const buckets = groups.data() + group;
      for (int64_t b = buckets[0]; b < buckets[1]; ++b) {
        const int64_t begin = b > 0 ? ends[b - 1] : 0, size = ends[b] - begin;
        Item* const sorted = SortAlone(items + begin, other + begin, size, own);
        if (sorted != items + begin) std::copy_n(sorted, size, items + begin);
      }
    });
  }
#endif

  void Count(const Item* items, uint32_t* counts) {
    for (int64_t done = 0; done < n_; done += kPollElements) {
      const int64_t end = std::min(n_, done + kPollElements);
      for (int64_t i = done; i < end; ++i) {
        HLO_UNROLLED
        for (int d = 0; d < kDigits; ++d) {
          ++counts[static_cast<size_t>(d * kBuckets) + DigitOf(items[i], d)];
        }
      }
      budget_->Poll();
    }
  }

  static void Distribute(const Item* from, PieceRange range, Item* to, int digit,
                         uint32_t* positions) {
    for (int64_t i = range.begin; i < range.end; ++i) {
      to[positions[DigitOf(from[i], digit)]++] = from[i];
    }
  }

  int64_t n_;
  Budget* budget_;
};

template <typename Item>
Item* SortAlone(Item* items, Item* scratch, int64_t n, Budget* budget) {
#ifndef HLO_SMALL
  if (n >= kManyItems) return RadixSort<Item, 11>(n, budget).Run(items, scratch);
#endif
  if (n >= kFewItems) return RadixSort<Item, 8>(n, budget).Run(items, scratch);
  std::sort(items, items + n);
  return items;
}

template <typename Item>
Item* Sort(Item* items, Item* scratch, int64_t n, Budget* budget) {
#ifndef HLO_SMALL
  if (n > kSortPiece && IsShared(n))
    return RadixSort<Item, 11>(n, budget).RunShared(items, scratch);
#endif
  return SortAlone(items, scratch, n, budget);
}

template <typename Item>
void Select(Item* items, int64_t n, int64_t count) {
  if (count < n) std::nth_element(items, items + count, items + n);
}

}  // namespace

NarrowItem* SortItems(NarrowItem* items, NarrowItem* scratch, int64_t n, Budget* budget) {
  return Sort(items, scratch, n, budget);
}
WideItem* SortItems(WideItem* items, WideItem* scratch, int64_t n, Budget* budget) {
  return Sort(items, scratch, n, budget);
}
#ifndef HLO_SMALL
KeyItem<uint32_t>* SortItems(KeyItem<uint32_t>* items, KeyItem<uint32_t>* scratch, int64_t n,
                             Budget* budget) {
  return Sort(items, scratch, n, budget);
}
KeyItem<uint64_t>* SortItems(KeyItem<uint64_t>* items, KeyItem<uint64_t>* scratch, int64_t n,
                             Budget* budget) {
  return Sort(items, scratch, n, budget);
}
#endif
void SelectItems(NarrowItem* items, int64_t n, int64_t count) { Select(items, n, count); }
void SelectItems(WideItem* items, int64_t n, int64_t count) { Select(items, n, count); }

}  // namespace hlo
