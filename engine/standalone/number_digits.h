// The digits of numbers of f64, in kernels.
#ifndef HLO_ENGINE_STANDALONE_NUMBER_DIGITS_H_
#define HLO_ENGINE_STANDALONE_NUMBER_DIGITS_H_

#include <cstdint>

#include "engine/codegen/lane.h"

namespace hlo {

/// The 53 digits of a number and its exponent: |x| = digits 2^(exponent - 1075), for x that is
/// neither 0 nor infinite.
struct Digits {
  lanes::Lane<uint64_t> digits;
  lanes::Lane<int64_t> exponent;
};
inline Digits DigitsOf(lanes::Lane<double> x) {
  using lanes::Lane;
  constexpr uint64_t kHidden = uint64_t{1} << 52;
  const Lane<uint64_t> bits = BitsOf(x), rest = bits & (kHidden - 1);
  const Lane<int64_t> exponent = AsSigned((bits << 1) >> 53);
  const Lane<bool> is_small = exponent == int64_t{0};
  const Lane<uint64_t> digits = Select(is_small, rest, rest | kHidden);
  // Those of subnormals begin further to the right.
  const Lane<uint64_t> moved = LeadingZeros(digits) - uint64_t{11};
  return {ShiftedLeft(digits, moved), Select(is_small, int64_t{1}, exponent) - AsSigned(moved)};
}

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_NUMBER_DIGITS_H_
