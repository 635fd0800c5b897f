// Sines of f64 as templates over numbers (algebra.h): generated code has the same.
#ifndef HLO_ENGINE_LANES_F64_ANGLES_H_
#define HLO_ENGINE_LANES_F64_ANGLES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/lanes/algebra.h"
#include "engine/lanes/exact_arithmetic.h"
#include "engine/lanes/f64_kernels.h"

namespace hlo::f64 {

/// Angles up to here are reduced by parts of pi / 2.
inline constexpr double kLargestAngle = 0x1p20;

/// 64 zeros, then 2 / pi.
inline constexpr std::array<uint64_t, 20> kTwoByPi = {
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

/// A product of two numbers of 64 bits.
template <typename U>
struct WideProduct {
  U high, low;
};
template <typename U>
WideProduct<U> Multiplied(U a, U b) {
  constexpr uint64_t kLow = 0xffffffff;
  const U low = (a & kLow) * (b & kLow);
  const U first = (a >> 32) * (b & kLow) + (low >> 32);
  const U second = (a & kLow) * (b >> 32) + (first & kLow);
  return {(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), a * b};
}

/// An angle less its quadrants.
template <typename U, typename D>
struct LargeAngle {
  U quadrant;        ///< modulo 4, of |x|
  U is_below;        ///< whether the rest is less than 0: 1 or 0
  ExactOf<D> turns;  ///< the size of the rest, in quarters of a turn
};

/// Payne and Hanek, "Radian reduction for trigonometric functions" (1983): of 2 / pi only the bits
/// matter that are neither multiples of a full turn nor too small. For |x| = m 2^e, m of 53 bits,
/// `words` are the first four words of kTwoByPi from bit 62 + e of it on, and the bits of the first
/// of them before that bit are `skipped`.
template <typename U>
auto ReduceWords(const U (&words)[4], U skipped, U m) {
  using lanes::AsDouble, lanes::FromBits, lanes::LeadingZeros, lanes::Select, lanes::ShiftedLeft,
      lanes::ShiftedRight;
  using D = decltype(AsDouble(m));
  const auto word = [&](int i) {
    const U rest = ShiftedRight(words[i + 1] >> 1, skipped ^ uint64_t{63});
    return ShiftedLeft(words[i], skipped) | rest;
  };
  const auto or_zero = [](auto condition, U number) {
    return Select(condition, number, number & uint64_t{0});
  };
  // Quadrants in the two highest bits, modulo 4.
  const WideProduct<U> low = Multiplied(word(2), m), middle = Multiplied(word(1), m);
  U rest = middle.low + low.high;
  const U carry = or_zero(rest < low.high, (m & uint64_t{0}) | uint64_t{1});
  U high = word(0) * m + middle.high + carry;
  const U quadrant = (high + (uint64_t{1} << 61)) >> 62;
  // The rest in units of 2^-126, with a sign; no f64 is nearer to a multiple than 2^-61.
  high = high - (quadrant << 62);
  const U is_below = high >> 63;
  const U flip = (m & uint64_t{0}) - is_below;
  high = high ^ flip;
  rest = rest ^ flip;
  const U last = low.low ^ flip;
  const U zeros = LeadingZeros(high);
  const U back = zeros ^ uint64_t { 63 };
  high = ShiftedLeft(high, zeros) | ShiftedRight(rest >> 1, back);
  rest = ShiftedLeft(rest, zeros) | ShiftedRight(last >> 1, back);
  constexpr uint64_t kMantissa = (uint64_t{1} << 53) - 1;
  const D unit = FromBits(((zeros & uint64_t{0}) + (uint64_t{1023} - 51) - zeros) << 52);
  const D upper = AsDouble(high >> 11) * unit;
  const D lower = AsDouble(((high << 42) | (rest >> 22)) & kMantissa) * unit * 0x1p-53;
  return LargeAngle<U, D>{quadrant, is_below, {upper, lower}};
}

/// sin(r) and cos(r) for |r| <= pi / 4, within 2^-56. Coefficients by Sollya, fpminimax.
template <typename D>
ExactOf<D> SineOfRest(ExactOf<D> r) {
  // Of (sin(r) / r - 1) / r^2 in r^2; 2^-55.
  constexpr double kSine[] = {-0.16666666666666666,  0.00833333333333131,    -0.0001984126983708634,
                              2.755731622356832e-06, -2.505115138316042e-08, 1.591927597914086e-10};
  constexpr double kLowOfSixth = -9.25185853854297e-18;  // -1/6 less the first one
  const ExactOf<D> square = TwoProduct(r.value, r.value);
  const D cube = r.value * square.value;
  // What r^3 / 6 misses, which counts most.
  const D missed = r.value * square.error * kSine[0] + cube * kLowOfSixth;
  const D fifth = cube * (square.value * Series<1>(kSine, square.value));
  const D low = (missed + r.error * (1 - 0.5 * square.value)) + fifth;
  const ExactOf<D> sum = OrderedSum(r.value, cube * kSine[0]);
  return OrderedSum(sum.value, sum.error + low);
}
template <typename D>
ExactOf<D> CosineOfRest(ExactOf<D> r) {
  // Of (cos(r) - 1 + r^2 / 2) / r^4 in r^2; 2^-58.
  constexpr double kCosine[] = {0.041666666666666664,   -0.0013888888888887061,
                                2.4801587298460354e-05, -2.7557317158347916e-07,
                                2.087612784297271e-09,  -1.1381543392970092e-11};
  const ExactOf<D> square = TwoProduct(r.value, r.value);
  const D fourth = square.value * (square.value * Series(kCosine, square.value));
  const ExactOf<D> sum = OrderedSum(1.0, -0.5 * square.value);
  return OrderedSum(sum.value, sum.error - 0.5 * square.error - r.value * r.error + fourth);
}

namespace generic {

/// An angle less a multiple of pi / 2, from -pi / 4 to pi / 4, and the multiple modulo 4.
template <typename D>
struct Angle {
  ExactOf<D> rest;
  decltype(BitsOf(D{})) quadrant;
};

template <typename D>
Angle<D> ReduceSmall(D x) {
  constexpr double kRounder = 0x1.8p52;
  // Of the first three parts, of 33 bits each, multiples are exact.
  constexpr double kPart1 = 0x1.921fb544p+0, kPart2 = 0x1.0b4611a6p-34, kPart3 = 0x1.3198a2ep-69,
                   kPart4 = 0x1.b839a252049c1p-104;
  const D rounded = x * (1 / kHalfPi.value) + kRounder;
  const D n = rounded - kRounder;
  const ExactOf<D> second = TwoSum(x - n * kPart1, -n * kPart2);
  const ExactOf<D> third = TwoSum(second.value, -n * kPart3);
  const D low = (second.error + third.error) - n * kPart4;
  return {OrderedSum(third.value, low), BitsOf(rounded) & uint64_t{3}};
}

/// The number, or its opposite.
template <typename D, typename Condition>
ExactOf<D> Turned(Condition condition, ExactOf<D> x) {
  return {Select(condition, -x.value, x.value), Select(condition, -x.error, x.error)};
}

template <typename D>
Angle<D> ReduceLarge(D x) {
  const auto bits = BitsOf(x) & (~uint64_t{0} >> 1);
  const auto m = (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
  const auto begin = (bits >> 52) - uint64_t{1075 - 62};
  const auto at = begin >> 6;
  const decltype(BitsOf(x)) words[] = {
      ElementOf(kTwoByPi, at), ElementOf(kTwoByPi, at + uint64_t{1}),
      ElementOf(kTwoByPi, at + uint64_t{2}), ElementOf(kTwoByPi, at + uint64_t{3})};
  const auto large = ReduceWords(words, begin & uint64_t{63}, m);
  const ExactOf<D> angle = Times(large.turns, kHalfPi);
  const auto is_negative = x < 0.0;
  const auto flips = is_negative != (large.is_below != uint64_t{0});
  const auto back = uint64_t{0} - large.quadrant;
  return {Turned(flips, angle), Select(is_negative, back, large.quadrant) & uint64_t{3}};
}

/// Of a finite angle.
template <typename D>
Angle<D> Reduce(D x) {
  return Either(
      Abs(x) > kLargestAngle, [&] { return ReduceLarge(x); }, [&] { return ReduceSmall(x); });
}

/// The sine of an angle this many quadrants further.
template <typename D>
ExactOf<D> SineOf(const Angle<D>& angle, uint64_t further) {
  const auto quadrant = angle.quadrant + further;
  const ExactOf<D> sine =
      Either((quadrant & uint64_t{1}) != uint64_t{0}, [&] { return CosineOfRest(angle.rest); },
             [&] { return SineOfRest(angle.rest); });
  return Turned((quadrant & uint64_t{2}) != uint64_t{0}, sine);
}

/// What `function` computes of a finite number, or none.
template <typename D, typename Function>
D OfFinite(D x, Function function) {
  return Either(Abs(x) < kInfinity, function, [&] { return Like(x, kNaN); });
}

template <typename D>
D Sin(D x) {
  const auto sine = [&] { return OfFinite(x, [&] { return SineOf(Reduce(x), 0).value; }); };
  return Either(
      Abs(x) < kTiny, [&] { return x; }, sine);
}

template <typename D>
D Cos(D x) {
  return OfFinite(x, [&] { return SineOf(Reduce(x), 1).value; });
}

template <typename D>
D Tan(D x) {
  const auto ratio = [&] {
    const Angle<D> angle = Reduce(x);
    return Over(SineOf(angle, 0), SineOf(angle, 1)).value;
  };
  return Either(
      Abs(x) < kTiny, [&] { return x; }, [&] { return OfFinite(x, ratio); });
}

}  // namespace generic

}  // namespace hlo::f64

#endif  // HLO_ENGINE_LANES_F64_ANGLES_H_
