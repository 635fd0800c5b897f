// How far the arrays of a value are from those of another one.
#ifndef HLO_ENGINE_PRECISION_VALUE_ERROR_H_
#define HLO_ENGINE_PRECISION_VALUE_ERROR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/types/tensor.h"

namespace hlo {

/// An element that is not the same in both values. Complex numbers: of the part that is further
/// off.
struct WorstElement {
  Dims index;
  double first = 0, second = 0;  ///< its values
  double ulp = 0;                ///< 0 for integers
  double relative = 0;           ///< infinite where the second is zero, or one of them not finite
};

/// How far the arrays of a value are from those of another one.
struct ValueError {
  /// Errors in ulp: none, up to 1/2, up to 1, 2, 4, ... ; the last one has all larger ones.
  static constexpr int kBuckets = 60;
  int64_t elements = 0;
  int64_t differing = 0;
  double absolute = 0;  ///< largest, like the next two; of finite elements
  double relative =
      0;            ///< infinite, like the next, where only one is finite, or they are not equal
  double ulp = 0;   ///< in the narrower type of the two; 0 for integers
  double norm = 0;  ///< root of the sum of squared errors, relative to that of the second value
  std::vector<int64_t> path;                 ///< of the array with the worst element in a tuple
  Dims index;                                ///< of the worst element
  double worst_first = 0, worst_second = 0;  ///< its values
  int64_t overflows = 0;                     ///< infinite only in the first
  int64_t underflows = 0;  ///< zero only in the first, for being too small for its type
  int64_t nans = 0;        ///< NaN only in the first
  bool same_shape = true;
  std::array<int64_t, kBuckets> histogram{};
  std::vector<WorstElement> worst_elements;  ///< as many as were asked for, the worst first
};
/// Compares values of the same structure; arrays in their run-time sizes. `worst`: how many of the
/// worst elements are listed.
ValueError ErrorOf(const Value& first, const Value& second, size_t worst = 0);

/// One array of a result on one device.
struct ArrayError {
  int64_t device = 0;
  std::vector<int64_t> path;  ///< in a tuple
  ValueError error;
};
/// The same, array by array, in the order of the tuple's elements. Where the structures differ, one
/// entry says so.
std::vector<ArrayError> ArrayErrorsOf(const Value& first, const Value& second, int64_t device,
                                      size_t worst);

}  // namespace hlo

#endif  // HLO_ENGINE_PRECISION_VALUE_ERROR_H_
