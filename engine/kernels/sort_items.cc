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

/// Least significant digit first. The width of a digit is a constant, for it is in the innermost
/// loops.
template <typename Item, int kDigitBits>
class RadixSort {
 public:
  RadixSort(int64_t n, Budget* budget) : n_(n), budget_(budget) {}

  Item* Run(Item* items, Item* other) {
#ifndef HLO_SMALL
    if (n_ > kSortPiece && IsShared(n_)) return RunShared(items, other);
#endif
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

 private:
  static constexpr int kKeyBits = 8 * sizeof(typename Item::Key);
  static constexpr int kDigits = (kKeyBits + kDigitBits - 1) / kDigitBits;
  static constexpr int64_t kBuckets = int64_t{1} << kDigitBits;

  static size_t DigitOf(const Item& item, int digit) {
    return static_cast<size_t>(item.key() >> (digit * kDigitBits)) &
           static_cast<size_t>(kBuckets - 1);
  }

#ifndef HLO_SMALL
  /// The same order, in pieces that count for themselves: the items of a bucket come piece by
  /// piece.
  Item* RunShared(Item* items, Item* other) {
    const auto pieces = static_cast<size_t>((n_ + kSortPiece - 1) / kSortPiece);
    std::vector<uint32_t> counts(pieces * static_cast<size_t>(kBuckets));
    const auto counts_of = [&](PieceRange piece) {
      return counts.data() + piece.begin / kSortPiece * kBuckets;
    };
    for (int d = 0; d < kDigits; ++d) {
      RunRanges(n_, kSortPiece, n_, budget_, [&](PieceRange piece, int, Budget* own) {
        uint32_t* const own_counts = counts_of(piece);
        std::fill_n(own_counts, kBuckets, 0);
        for (int64_t i = piece.begin; i < piece.end; ++i) ++own_counts[DigitOf(items[i], d)];
        own->Poll();
      });
      if (IsSame(counts, pieces, DigitOf(items[0], d))) continue;
      uint32_t sum = 0;
      for (size_t b = 0; b < static_cast<size_t>(kBuckets); ++b) {
        for (size_t p = 0; p < pieces; ++p) {
          sum += std::exchange(counts[p * static_cast<size_t>(kBuckets) + b], sum);
        }
      }
      RunRanges(n_, kSortPiece, n_, budget_, [&](PieceRange piece, int, Budget* own) {
        Distribute(items, piece, other, d, counts_of(piece));
        own->Poll();
      });
      std::swap(items, other);
    }
    return items;
  }

  // Whether all items have this digit.
  bool IsSame(const std::vector<uint32_t>& counts, size_t pieces, size_t digit) const {
    uint64_t sum = 0;
    for (size_t p = 0; p < pieces; ++p) sum += counts[p * static_cast<size_t>(kBuckets) + digit];
    return sum == static_cast<uint64_t>(n_);
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
Item* Sort(Item* items, Item* scratch, int64_t n, Budget* budget) {
#ifndef HLO_SMALL
  if (n >= kManyItems) return RadixSort<Item, 11>(n, budget).Run(items, scratch);
#endif
  if (n >= kFewItems) return RadixSort<Item, 8>(n, budget).Run(items, scratch);
  std::sort(items, items + n);
  return items;
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
