// Comparing a value with the expected one.
#ifndef HLO_ENGINE_RUN_COMPARE_H_
#define HLO_ENGINE_RUN_COMPARE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/types/tensor.h"

namespace hlo {

/// a is close to the expected b when |a - b| <= abs + rel * |b|.
struct Tolerance {
  double abs = 0;
  double rel = 0;
  bool nan_equal = true;     ///< NaN equals NaN, whatever its bits
  bool signed_zero = false;  ///< -0 differs from +0
};

/// How two values differ.
struct Difference {
  /// In words: "element {1,2}: 1.5, expected 1.25 (absolute 0.25, relative 0.2, 2097152 ulp); 3 of
  /// 6 elements differ", or that the shapes differ.
  std::string message;
  std::vector<int64_t> path;  ///< of the first differing array in a tuple
  Dims index;                 ///< of its first differing element
  int64_t differing = 0;      ///< elements of that array that differ; 0: the shapes differ
  double max_abs = 0;         ///< largest errors of that array's elements
  double max_rel = 0;
  uint64_t max_ulp = 0;  ///< for f16, bf16, f32, f64
};

/// Nothing when `actual` is equal to `expected` within the tolerance. Arrays with dynamic
/// dimensions are compared in their run-time sizes.
std::optional<Difference> Compare(const Value& actual, const Value& expected,
                                  const Tolerance& tolerance);

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_COMPARE_H_
