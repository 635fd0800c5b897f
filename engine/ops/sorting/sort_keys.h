// Stable sorting by the keys that a comparator compares.
#ifndef HLO_ENGINE_OPS_SORTING_SORT_KEYS_H_
#define HLO_ENGINE_OPS_SORTING_SORT_KEYS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/budget.h"
#include "engine/ops/sorting/comparator.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Sorts lines by one key after the other, least significant first, with keys mapped to unsigned
/// numbers.
class KeySorter {
 public:
  /// operands[i]: the elements of operand i in the type of the comparator's parameter, lines of
  /// `length` elements one after the other. Sorts at most `capacity` elements at a time, fewer than
  /// 2^32.
  KeySorter(const ComparatorKeys& keys, std::vector<Tensor> operands, int64_t length,
            int64_t capacity, Budget* budget);

  /// As BlockSorter::Sort.
  void Sort(int64_t base, int64_t lines, uint32_t* order);

  /// What computes keys; null: all of them are operands.
  RegionFunction* compute() const { return compute_; }
  /// One like it for another thread, with memory of its own.
  std::unique_ptr<KeySorter> Another() const {
    return std::make_unique<KeySorter>(keys_, operands_, length_, capacity_, budget_);
  }
  /// What computes keys, and what is polled, from now on.
  void Use(RegionFunction* compute, Budget* budget) {
    compute_ = compute;
    budget_ = budget;
  }

 private:
  template <typename Body>
  void ForEachPart(int64_t count, Body body);
  void ComputeKeys(int64_t base, int64_t count);
  template <typename Item>
  void SortBy(ElementOrder order, const std::byte* elements, int64_t lines, bool is_first,
              uint32_t* positions);

  const ComparatorKeys& keys_;
  RegionFunction* compute_;
  std::vector<Tensor> operands_;
  int64_t length_, capacity_;
  Budget* budget_;
  std::vector<std::shared_ptr<Buffer>> computed_;  // by key; null for operands
  std::shared_ptr<Buffer> numbers_;                // unsigned keys of the elements
  std::shared_ptr<Buffer> items_, other_items_;    // of one line
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_SORTING_SORT_KEYS_H_
