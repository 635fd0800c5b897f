#include <cmath>

#include "engine/lanes/float_functions.h"

namespace hlo::lanes {

namespace {

/// The angle less a multiple of pi / 2, and the multiple modulo 4.
///
/// Payne and Hanek, "Radian reduction for trigonometric functions" (1983): of 2 / pi only the bits
/// matter that are neither multiples of a full turn nor too small.
AngleOf<double> ReduceToQuadrant(float x) {
  using Wide = unsigned __int128;
  // 64 zeros, then 2 / pi.
  constexpr uint64_t kTwoByPi[] = {0,
                                   0xa2f9836e4e441529,
                                   0xfc2757d1f534ddc0,
                                   0xdb6295993c439041,
                                   0xfe5163abdebbc561,
                                   0xb7246e3a424dd2e0};
  int exponent = 0;
  const double mantissa = std::frexp(std::fabs(static_cast<double>(x)), &exponent);
  const auto m = static_cast<uint64_t>(std::ldexp(mantissa, 24));
  // x = m 2^e. The window begins with the bit of 2 / pi that e makes a 2.
  const int e = exponent - 24, begin = 62 + e;
  const int word = begin / 64, shift = begin % 64;
  Wide window = static_cast<Wide>(kTwoByPi[word]) << 64 | kTwoByPi[word + 1];
  if (shift > 0) window = window << shift | kTwoByPi[word + 2] >> (64 - shift);
  // Quadrants in the two highest bits, modulo 4.
  const Wide turns = window * m;
  const auto quadrant = static_cast<uint64_t>((turns + (Wide{1} << 125)) >> 126);
  const auto rest = static_cast<__int128>(turns - (static_cast<Wide>(quadrant) << 126));
  const double high = static_cast<double>(static_cast<int64_t>(rest >> 64));
  const double low = static_cast<double>(static_cast<uint64_t>(rest));
  const double angle = (high * 0x1p64 + low) * 0x1p-126 * kHalfPi;
  if (x < 0) return {-angle, 0 - quadrant};
  return {angle, quadrant};
}

}  // namespace

AngleOf<double> ReduceAnyAngle(float x, double offset) {
  if (!IsLargeAngle(x)) return ReduceAngle<double>(x, offset);
  if (!std::isfinite(x)) return {static_cast<double>(x - x), 0};
  AngleOf<double> angle = ReduceToQuadrant(x);
  // Quadrants of the other kind belong to the multiple beside them.
  const uint64_t wanted = offset == 0 ? 0 : 1;
  if ((angle.turns & 1) != wanted && angle.rest > 0) {
    angle = {angle.rest - kHalfPi, angle.turns + 1};
  } else if ((angle.turns & 1) != wanted) {
    angle = {angle.rest + kHalfPi, angle.turns - 1};
  }
  return {angle.rest, (angle.turns - wanted) >> 1};
}

}  // namespace hlo::lanes
