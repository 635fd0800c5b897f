#include "engine/kernels/sort_items.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/kernels/move_loops.h"

namespace hlo {
namespace {

/// Below this many items comparing is faster than counting digits.
constexpr int64_t kFewItems = 80;
/// From here on wide digits pay: their counters are small beside the items.
constexpr int64_t kManyItems = int64_t{1} << 14;

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
