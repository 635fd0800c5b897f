// Comparators that compare keys: what a compiled region reveals to sort about itself.
#ifndef HLO_ENGINE_OPS_SORTING_COMPARATOR_H_
#define HLO_ENGINE_OPS_SORTING_COMPARATOR_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "engine/kernels/order_keys.h"
#include "engine/ops/eval.h"

namespace hlo {

/// One value that a comparator computes from the elements of either side, to compare the two.
struct SortKey {
  static constexpr int kComputed = -1;
  /// The operand that is the key, or kComputed: the next result of ComparatorKeys::compute.
  int operand = kComputed;
  ElementOrder order;
};

/// The keys, most significant first.
struct ComparatorKeys {
  std::vector<SortKey> keys;
  /// Computes the computed keys, in order, from the elements of one side (one argument per
  /// operand). Null if all keys are operands.
  std::unique_ptr<RegionFunction> compute;
  /// The last comparison is non-strict (LE, GE): a merge sort reverses the order of equal elements.
  bool reverses_equals = false;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_SORTING_COMPARATOR_H_
