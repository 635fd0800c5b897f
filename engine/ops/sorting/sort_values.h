// Sorting elements that are their own keys.
#ifndef HLO_ENGINE_OPS_SORTING_SORT_VALUES_H_
#define HLO_ENGINE_OPS_SORTING_SORT_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/budget.h"
#include "engine/ops/sorting/comparator.h"
#include "engine/types/six_bits.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Sorts lines of a single operand by its elements: the keys themselves are sorted, without the
/// places that elements come from. Elements that differ and yet have equal keys (zeros of both
/// signs, NaNs) are put back in the order in which they stood.
class ValueSorter {
 public:
  /// Whether a comparator of one operand compares nothing but its elements, whose bits keys have.
  static bool Serves(const ComparatorKeys& keys) {
    return keys.keys.size() == 1 && keys.keys[0].operand == 0 &&
           !HasSixBits(keys.keys[0].order.type);
  }

  /// For comparators that it serves. Sorts up to `group` lines of `length` elements at a time.
  ValueSorter(const ComparatorKeys& keys, int64_t length, int64_t group, Budget* budget)
      : ValueSorter(keys.keys[0].order, keys.reverses_equals, length, group, budget) {}

  /// Reads `lines` lines, one after the other, and writes them sorted. `to` is not `from`.
  void Sort(const std::byte* from, int64_t lines, std::byte* to);

  /// One like it for another thread, with memory of its own.
  ValueSorter Another() const;
  /// What is polled from now on.
  void Use(Budget* budget) { budget_ = budget; }

 private:
  ValueSorter(ElementOrder order, bool reverses_equals, int64_t length, int64_t group,
              Budget* budget);

  struct EqualRange;

  template <typename Key>
  void SortBy(const std::byte* from, int64_t lines, std::byte* to);
  template <typename Key, typename Body>
  void ForEachKey(const std::byte* from, Body body);

  ElementOrder order_;
  bool reverses_equals_;
  int64_t length_, group_;
  Budget* budget_;
  std::shared_ptr<Buffer> keys_;   // of all lines
  std::shared_ptr<Buffer> other_;  // of one line; null: what is written has room for its keys
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_SORTING_SORT_VALUES_H_
