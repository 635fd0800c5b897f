// What ops ask of the sizes of dimensions when the sizes of a whole program are changed.
#ifndef HLO_ENGINE_OPS_SIZE_RULES_H_
#define HLO_ENGINE_OPS_SIZE_RULES_H_

#include <cstdint>
#include <vector>

#include "engine/ops/attributes.h"
#include "engine/types/shape.h"

namespace hlo {

/// Relations between sizes of dimensions, for a change that replaces every size n by some f(n),
/// wherever it occurs. Dimensions of equal sizes stay equal by that alone; only what goes beyond
/// equality is a rule.
struct SizeRules {
  /// The product of the sizes of `a` is that of `b`.
  struct Product {
    Dims a, b;
  };
  /// `total` is the sum of `parts`.
  struct Sum {
    int64_t total;
    Dims parts;
  };
  /// `small` is at most `large`.
  struct Order {
    int64_t small, large;
  };
  /// `large` stays as many times `small` as it is.
  struct Ratio {
    int64_t large, small;
  };
  Dims kept;  ///< must not change
  std::vector<Product> products;
  std::vector<Sum> sums;
  std::vector<Order> orders;
  std::vector<Ratio> ratios;

  /// Sizes of a dimension that a window slides over, before and after, stay as they are where the
  /// window is more than the element itself.
  void KeepUnder(const WindowDim& window, int64_t before, int64_t after) {
    const WindowDim plain{.reversal = window.reversal};
    if (window == plain) return;
    Keep(before);
    Keep(after);
  }
  /// Sizes stay as they are.
  void Keep(int64_t size) { kept.push_back(size); }
  void KeepAll(const Shape& shape) {
    for (int64_t size : shape.dims()) Keep(size);
  }
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_SIZE_RULES_H_
