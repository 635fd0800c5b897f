// Comparators that compare keys: what a compiled region tells sort about itself.
#ifndef HLO_ENGINE_OPS_SORTING_COMPARATOR_H_
#define HLO_ENGINE_OPS_SORTING_COMPARATOR_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/kernels/order_keys.h"
#include "engine/ops/eval.h"

namespace hlo {

/// One value that a comparator computes of either side's elements, to compare the two.
struct SortKey {
  static constexpr int kComputed = -1;
  /// The operand that is the key, or kComputed: the next result of ComparatorKeys::compute.
  int operand = kComputed;
  ElementOrder order;
};

/// The keys, first the one that decides first.
struct ComparatorKeys {
  std::vector<SortKey> keys;
  /// Of the elements of one side, an argument for every operand: the computed keys, in order. Null
  /// when all keys are operands.
  std::unique_ptr<RegionFunction> compute;
  /// The last comparison holds for equals too (LE, GE): a merge sort turns them round.
  bool reverses_equals = false;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_SORTING_COMPARATOR_H_
