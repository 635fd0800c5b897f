#include <cmath>

#include "engine/lanes/f64_angle_parts.h"
#include "engine/lanes/f64_functions.h"

namespace hlo::f64 {
namespace {

/// The angle less a multiple of pi / 2, from -pi / 4 to pi / 4, and the multiple modulo 4.
struct Angle {
  Exact rest;
  uint64_t quadrant;
};

Angle ReduceSmall(double x) {
  constexpr double kRounder = 0x1.8p52;
  // Of the first three parts, of 33 bits each, multiples are exact.
  constexpr double kPart1 = 0x1.921fb544p+0, kPart2 = 0x1.0b4611a6p-34, kPart3 = 0x1.3198a2ep-69,
                   kPart4 = 0x1.b839a252049c1p-104;
  const double rounded = x * (1 / kHalfPi.value) + kRounder;
  const double n = rounded - kRounder;
  const Exact second = TwoSum(x - n * kPart1, -n * kPart2);
  const Exact third = TwoSum(second.value, -n * kPart3);
  const double low = (second.error + third.error) - n * kPart4;
  return {OrderedSum(third.value, low), lanes::BitsOf(rounded) % 4};
}

Angle ReduceLarge(double x) {
  const uint64_t bits = lanes::BitsOf(x) & (~uint64_t{0} >> 1);
  const uint64_t m = (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
  const auto begin = static_cast<uint64_t>(62 + static_cast<int>(bits >> 52) - 1075);
  const uint64_t* const at = kTwoByPi + begin / 64;
  const uint64_t words[] = {at[0], at[1], at[2], at[3]};
  const auto large = ReduceWords(words, begin % 64, m);
  const Exact angle = Times(large.turns, kHalfPi);
  return {(large.is_below != 0) != (x < 0) ? Minus(angle) : angle,
          (x < 0 ? 0 - large.quadrant : large.quadrant) % 4};
}

/// Of a finite angle.
Angle Reduce(double x) { return std::fabs(x) > kLargestAngle ? ReduceLarge(x) : ReduceSmall(x); }

/// The sine of an angle this many quadrants further.
Exact SineOf(const Angle& angle, uint64_t further) {
  const uint64_t quadrant = angle.quadrant + further;
  const Exact sine = (quadrant & 1) != 0 ? CosineOfRest(angle.rest) : SineOfRest(angle.rest);
  return (quadrant & 2) != 0 ? Minus(sine) : sine;
}

}  // namespace

double Sin(double x) {
  if (std::fabs(x) < kTiny) return x;
  return std::isfinite(x) ? SineOf(Reduce(x), 0).value : kNaN;
}

double Cos(double x) { return std::isfinite(x) ? SineOf(Reduce(x), 1).value : kNaN; }

double Tan(double x) {
  if (std::fabs(x) < kTiny) return x;
  if (!std::isfinite(x)) return kNaN;
  const Angle angle = Reduce(x);
  return Over(SineOf(angle, 0), SineOf(angle, 1)).value;
}

}  // namespace hlo::f64
