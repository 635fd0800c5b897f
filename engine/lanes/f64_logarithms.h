// log x and what is made of it, as templates over numbers (algebra.h): generated code has the same.
#ifndef HLO_ENGINE_LANES_F64_LOGARITHMS_H_
#define HLO_ENGINE_LANES_F64_LOGARITHMS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/lanes/algebra.h"
#include "engine/lanes/exact_arithmetic.h"
#include "engine/lanes/f64_kernels.h"

namespace hlo::f64::generic {

// Numbers from 11 / 16 to 11 / 8 are in 64 groups by their leading bits, each with a factor of ten
// bits that brings them near 1.
inline constexpr uint64_t kLeast = 0x3fe6000000000000, kGroups = 64;
inline constexpr int kGroupShift = 46;

/// The nearest multiple of 2^-42.
constexpr double Truncated(double x) { return (x + 0x1.8p10) - 0x1.8p10; }
inline constexpr double kLn2Part1 = Truncated(kLn2.value);
inline constexpr double kLn2Part2 = (kLn2.value - kLn2Part1) + kLn2.error;

/// By atanh's series: a multiple of 2^-42, and a rest.
constexpr Exact MinusLog(double factor) {
  const Exact s = Over({1 - factor, 0}, {1 + factor, 0});
  const Exact square = Times(s, s);
  Exact sum = {0, 0};
  for (int n = 45; n > 0; n -= 2) sum = Plus(Over({1, 0}, {double(n), 0}), Times(sum, square));
  const Exact log = Times({2 * s.value, 2 * s.error}, sum);
  const double high = Truncated(log.value);
  return {high, (log.value - high) + log.error};
}

/// Of each group three numbers: the factor, and the parts of its logarithm, negated.
inline constexpr auto kFactors = [] {
  std::array<double, 3 * kGroups> factors{};
  for (uint64_t i = 0; i < kGroups; ++i) {
    const double middle =
        __builtin_bit_cast(double, kLeast + (2 * i + 1) * (1ull << kGroupShift) / 2);
    // Beside 1 the logarithm must be precise relatively.
    const bool is_one = middle > 0.99 && middle < 1.01;
    // NOLINTNEXTLINE(bugprone-incorrect-roundings): lround is no constant expression
    const double factor = is_one ? 1 : static_cast<int>(512 / middle + 0.5) / 512.0;
    const Exact minus_log = MinusLog(factor);
    factors[3 * i] = factor;
    factors[3 * i + 1] = minus_log.value;
    factors[3 * i + 2] = minus_log.error;
  }
  return factors;
}();

/// log(1 + r) - r + r^2 / 2 over r^3, for r from -0.0094 to 2^-6; 2^-52 (Sollya, fpminimax).
inline constexpr double kCubic[] = {
    0.33333333333333343, -0.24999999999999228, 0.19999999998705756, -0.16666666680943742,
    0.14285746422428461, -0.12500750578723396, 0.10897926960145637};

/// The logarithm of a finite number above 0; within 2^-66 of the result or so. The error of a
/// subnormal is 0.
template <typename D>
ExactOf<D> LogOf(ExactOf<D> x) {
  const auto is_small = x.value < 0x1p-1022;
  const D value = Select(is_small, x.value * 0x1p54, x.value);
  const D less_exponent = Select(is_small, Like(x.value, -54), Like(x.value, 0));
  const auto above = BitsOf(value) - kLeast;
  const auto shift = AsSigned(above) >> 52;
  const auto place = ((above >> kGroupShift) & (kGroups - 1)) * uint64_t{3};
  const D factor = ElementOf(kFactors, place);
  const ExactOf<D> minus_log = {ElementOf(kFactors, place + uint64_t{1}),
                                ElementOf(kFactors, place + uint64_t{2})};
  const D m = FromBits(BitsOf(value) - (AsUnsigned(shift) << 52));
  // Products of the factor and a half of m are exact.
  const D high = FromBits(BitsOf(m) >> 21 << 21);
  const D rest = (m - high) * factor;
  ExactOf<D> r = TwoSum(high * factor - 1.0, rest);
  r = TwoSum(r.value, r.error + Scaled(x.error * factor, int64_t{0} - shift));
  // r^2 / 2, and what is left of it.
  const D half = Split(r.value).value;
  const D square = 0.5 * half * half;
  const D square_rest = 0.5 * (r.value - half) * (r.value + half) + r.value * r.error;
  const D cube = r.value * r.value * (r.value * Series(kCubic, r.value));
  const D k = less_exponent + AsDouble(shift);
  const ExactOf<D> sum = TwoSum(k * kLn2Part1 + minus_log.value, r.value);
  const ExactOf<D> less = TwoSum(sum.value, -square);
  return OrderedSum(less.value, ((cube - square_rest) + (k * kLn2Part2 + minus_log.error)) +
                                    (r.error + (sum.error + less.error)));
}

/// log(1 + x), relatively as precise, for 1 + x that is not subnormal.
template <typename D>
ExactOf<D> Log1pOf(ExactOf<D> x) {
  const ExactOf<D> sum = TwoSum(1.0, x.value);
  return LogOf(OrderedSum(sum.value, sum.error + x.error));
}

template <typename D>
D Log(D x) {
  const auto special = [&] {
    const D other = Select(x < 0.0, Like(x, kNaN), x);
    return Select(x == 0.0, Like(x, -kInfinity), other);
  };
  return Either((x > 0.0) && (x < kInfinity), [&] { return LogOf(Whole(x)).value; }, special);
}

template <typename D>
D Log1p(D x) {
  const auto other = [&] {
    return Either(
        x > -1.0, [&] { return Log1pOf(Whole(x)).value; },
        [&] { return Select(x == -1.0, Like(x, -kInfinity), Like(x, kNaN)); });
  };
  return Either((Abs(x) >= 0x1p-54) && (x < kInfinity), other, [&] { return x; });
}

/// From here on the square root of x^2 + 1 or x^2 - 1 is x.
inline constexpr double kLarge = 0x1p30;

template <typename D>
D Asinh(D x) {
  constexpr Exact kOne = {1, 0};
  const D size = Abs(x);
  const auto middle = [&] {
    // size + size^2 / (1 + sqrt(1 + size^2)) loses nothing to cancellation.
    const ExactOf<D> square = TwoProduct(size, size);
    const ExactOf<D> root = RootOf(Plus(kOne, square));
    return Log1pOf(Plus(Whole(size), Over(square, Plus(kOne, root)))).value;
  };
  const auto any = [&] {
    const D result = Either(
        size > kLarge, [&] { return Plus(LogOf(Whole(size)), kLn2).value; }, middle);
    return CopySign(result, x);
  };
  return Either((size >= kTiny) && (size < kInfinity), any, [&] { return x; });
}

template <typename D>
D Acosh(D x) {
  const auto middle = [&] {
    const ExactOf<D> above = TwoSum(x, -1.0);
    const ExactOf<D> root = RootOf(Times(above, TwoSum(x, 1.0)));
    return Log1pOf(Plus(above, root)).value;
  };
  const auto large = [&] {
    return Either(
        x == kInfinity, [&] { return x; }, [&] { return Plus(LogOf(Whole(x)), kLn2).value; });
  };
  return Either(
      x >= 1.0, [&] { return Either(x > kLarge, large, middle); }, [&] { return Like(x, kNaN); });
}

template <typename D>
D Atanh(D x) {
  const D size = Abs(x);
  const auto middle = [&] {
    const ExactOf<D> ratio = Over(Whole(size + size), TwoSum(1.0, -size));
    return CopySign(0.5 * Log1pOf(ratio).value, x);
  };
  const auto outside = [&] { return Select(size == 1.0, x * kInfinity, Like(x, kNaN)); };
  return Either(
      size < kTiny, [&] { return x; }, [&] { return Either(size < 1.0, middle, outside); });
}

}  // namespace hlo::f64::generic

#endif  // HLO_ENGINE_LANES_F64_LOGARITHMS_H_
