#include <cmath>

#include "engine/lanes/f64_functions.h"
#include "engine/lanes/f64_kernels.h"

namespace hlo::f64 {
namespace {

/// The angle less a multiple of pi / 2, from -pi / 4 to pi / 4, and the multiple modulo 4.
struct Angle {
  Exact rest;
  uint64_t quadrant;
};

/// Angles up to here are reduced by parts of pi / 2.
constexpr double kLargestAngle = 0x1p20;

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

/// Payne and Hanek, "Radian reduction for trigonometric functions" (1983): of 2 / pi only the bits
/// matter that are neither multiples of a full turn nor too small.
Angle ReduceLarge(double x) {
  using Wide = unsigned __int128;
  // 64 zeros, then 2 / pi.
  constexpr uint64_t kTwoByPi[] = {
      0,
      0xa2f9836e4e441529,
      0xfc2757d1f534ddc0,
      0xdb6295993c439041,
      0xfe5163abdebbc561,
      0xb7246e3a424dd2e0,
      0x06492eea09d1921c,
      0xfe1deb1cb129a73e,
      0xe88235f52ebb4484,
      0xe99c7026b45f7e41,
      0x3991d639835339f4,
      0x9c845f8bbdf9283b,
      0x1ff897ffde05980f,
      0xef2f118b5a0a6d1f,
      0x6d367ecf27cb09b7,
      0x4f463f669e5fea2d,
      0x7527bac7ebe5f17b,
      0x3d0739f78a5292ea,
      0x6bfb5fb11f8d5d08,
      0x56033046fc7b6bab,
  };
  // |x| = m 2^e. The window of 192 bits begins with the bit of 2 / pi that e makes a 2.
  const uint64_t bits = lanes::BitsOf(x) & (~uint64_t{0} >> 1);
  const uint64_t m = (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
  const auto begin = static_cast<uint64_t>(62 + static_cast<int>(bits >> 52) - 1075);
  const uint64_t* const words = kTwoByPi + begin / 64;
  const uint64_t shift = begin % 64;
  const auto word = [&](int i) {
    return shift == 0 ? words[i] : words[i] << shift | words[i + 1] >> (64 - shift);
  };
  // Quadrants in the two highest bits, modulo 4.
  const Wide low = Wide{word(2)} * m;
  const Wide middle = Wide{word(1)} * m + (low >> 64);
  const uint64_t high = word(0) * m + static_cast<uint64_t>(middle >> 64);
  const uint64_t quadrant = (high + (uint64_t{1} << 61)) >> 62;
  // The rest in units of 2^-126, with a sign; no f64 is nearer to a multiple than 2^-61.
  Wide rest = Wide{high - (quadrant << 62)} << 64 | static_cast<uint64_t>(middle);
  uint64_t last = static_cast<uint64_t>(low);
  const bool is_below = rest >> 127 != 0;
  if (is_below) {
    rest = ~rest;
    last = ~last;
  }
  const int zeros = __builtin_clzll(static_cast<uint64_t>(rest >> 64));
  if (zeros > 0) rest = rest << zeros | last >> (64 - zeros);
  const double unit = PowerOfTwo(-51 - zeros);
  const Exact turns = {
      static_cast<double>(static_cast<uint64_t>(rest >> 75)) * unit,
      static_cast<double>(static_cast<uint64_t>(rest >> 22) % (uint64_t{1} << 53)) * unit *
          0x1p-53};
  const Exact angle = Times(turns, kHalfPi);
  return {is_below != (x < 0) ? Minus(angle) : angle, (x < 0 ? 0 - quadrant : quadrant) % 4};
}

/// Of a finite angle.
Angle Reduce(double x) { return std::fabs(x) > kLargestAngle ? ReduceLarge(x) : ReduceSmall(x); }

/// sin(r) and cos(r) for |r| <= pi / 4, within 2^-56. Coefficients by Sollya, fpminimax.
Exact SineOfRest(Exact r) {
  // Of (sin(r) / r - 1) / r^2 in r^2; 2^-55.
  constexpr double kSine[] = {-0.16666666666666666,  0.00833333333333131,    -0.0001984126983708634,
                              2.755731622356832e-06, -2.505115138316042e-08, 1.591927597914086e-10};
  constexpr double kLowOfSixth = -9.25185853854297e-18;  // -1/6 less the first one
  const Exact square = TwoProduct(r.value, r.value);
  const double cube = r.value * square.value;
  // What r^3 / 6 misses, which counts most.
  const double missed = r.value * square.error * kSine[0] + cube * kLowOfSixth;
  const double fifth = cube * (square.value * Series<1>(kSine, square.value));
  const double low = (missed + r.error * (1 - 0.5 * square.value)) + fifth;
  const Exact sum = OrderedSum(r.value, cube * kSine[0]);
  return OrderedSum(sum.value, sum.error + low);
}
Exact CosineOfRest(Exact r) {
  // Of (cos(r) - 1 + r^2 / 2) / r^4 in r^2; 2^-58.
  constexpr double kCosine[] = {0.041666666666666664,   -0.0013888888888887061,
                                2.4801587298460354e-05, -2.7557317158347916e-07,
                                2.087612784297271e-09,  -1.1381543392970092e-11};
  const Exact square = TwoProduct(r.value, r.value);
  const double fourth = square.value * (square.value * Series(kCosine, square.value));
  const Exact sum = OrderedSum(1, -0.5 * square.value);
  return OrderedSum(sum.value, sum.error - 0.5 * square.error - r.value * r.error + fourth);
}

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
