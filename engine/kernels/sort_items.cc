#include "engine/kernels/sort_items.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/kernels/move_loops.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

/// Below this many items comparing is faster than counting digits.
constexpr int64_t kFewItems = 80;
/// From here on wide digits pay: their counters are small beside the items.
constexpr int64_t kManyItems = int64_t{1} << 14;

/// Items that a thread takes at a time.
constexpr int64_t kSortPiece = int64_t{1} << 16;

/// Least significant digit first.
template <typename Item>
class RadixSort {
 public:
  RadixSort(int64_t n, Budget* budget)
      : n_(n),
        digit_bits_(n < kManyItems ? 8 : 11),
        buckets_(int64_t{1} << digit_bits_),
        digits_((kKeyBits + digit_bits_ - 1) / digit_bits_),
        counts_(static_cast<size_t>(digits_ * buckets_), 0),
        budget_(budget) {}

  Item* Run(Item* items, Item* other) {
#ifndef HLO_SMALL
    if (n_ > kSortPiece && IsShared(n_)) return RunShared(items, other);
#endif
    Count(items);
    for (int64_t d = 0; d < digits_; ++d) {
      // A digit that is the same everywhere leaves the order as it is.
      uint32_t* const counts = counts_.data() + d * buckets_;
      if (counts[DigitOf(items[0], d)] == static_cast<uint64_t>(n_)) continue;
      uint32_t sum = 0;
      for (int64_t b = 0; b < buckets_; ++b) sum += std::exchange(counts[b], sum);
      Distribute(items, other, d, counts);
      std::swap(items, other);
    }
    return items;
  }

 private:
#ifndef HLO_SMALL
  /// The same order, in pieces that count for themselves: the items of a bucket come piece by
  /// piece.
  Item* RunShared(Item* items, Item* other) {
    const auto pieces = static_cast<size_t>((n_ + kSortPiece - 1) / kSortPiece);
    std::vector<uint32_t> counts(pieces * static_cast<size_t>(buckets_));
    const auto counts_of = [&](PieceRange piece) {
      return counts.data() + piece.begin / kSortPiece * buckets_;
    };
    for (int64_t d = 0; d < digits_; ++d) {
      RunRanges(n_, kSortPiece, n_, budget_, [&](PieceRange piece, int, Budget* own) {
        uint32_t* const own_counts = counts_of(piece);
        std::fill_n(own_counts, buckets_, 0);
        for (int64_t i = piece.begin; i < piece.end; ++i) ++own_counts[DigitOf(items[i], d)];
        own->Poll();
      });
      if (IsSame(counts, pieces, DigitOf(items[0], d))) continue;
      uint32_t sum = 0;
      for (size_t b = 0; b < static_cast<size_t>(buckets_); ++b) {
        for (size_t p = 0; p < pieces; ++p) {
          sum += std::exchange(counts[p * static_cast<size_t>(buckets_) + b], sum);
        }
      }
      RunRanges(n_, kSortPiece, n_, budget_, [&](PieceRange piece, int, Budget* own) {
        uint32_t* const positions = counts_of(piece);
        for (int64_t i = piece.begin; i < piece.end; ++i) {
          other[positions[DigitOf(items[i], d)]++] = items[i];
        }
        own->Poll();
      });
      std::swap(items, other);
    }
    return items;
  }

  // Whether all items have this digit.
  bool IsSame(const std::vector<uint32_t>& counts, size_t pieces, size_t digit) const {
    uint64_t sum = 0;
    for (size_t p = 0; p < pieces; ++p) sum += counts[p * static_cast<size_t>(buckets_) + digit];
    return sum == static_cast<uint64_t>(n_);
  }
#endif

  static constexpr int64_t kKeyBits = 8 * sizeof(typename Item::Key);

  size_t DigitOf(const Item& item, int64_t d) const {
    return static_cast<size_t>(item.key() >> (d * digit_bits_)) & static_cast<size_t>(buckets_ - 1);
  }

  void Count(const Item* items) {
    for (int64_t done = 0; done < n_; done += kPollElements) {
      const int64_t end = std::min(n_, done + kPollElements);
      for (int64_t i = done; i < end; ++i) {
        for (int64_t d = 0; d < digits_; ++d) {
          ++counts_[static_cast<size_t>(d * buckets_) + DigitOf(items[i], d)];
        }
      }
      budget_->Poll();
    }
  }

  void Distribute(const Item* from, Item* to, int64_t d, uint32_t* positions) {
    for (int64_t done = 0; done < n_; done += kPollElements) {
      const int64_t end = std::min(n_, done + kPollElements);
      for (int64_t i = done; i < end; ++i) to[positions[DigitOf(from[i], d)]++] = from[i];
      budget_->Poll();
    }
  }

  int64_t n_;
  int64_t digit_bits_;
  int64_t buckets_;
  int64_t digits_;
  std::vector<uint32_t> counts_;
  Budget* budget_;
};

template <typename Item>
Item* Sort(Item* items, Item* scratch, int64_t n, Budget* budget) {
  if (n >= kFewItems) return RadixSort<Item>(n, budget).Run(items, scratch);
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
void SelectItems(NarrowItem* items, int64_t n, int64_t count) { Select(items, n, count); }
void SelectItems(WideItem* items, int64_t n, int64_t count) { Select(items, n, count); }

}  // namespace hlo
