// e^x and what is made of it, as templates over numbers (algebra.h): generated code has the same.
#ifndef HLO_ENGINE_LANES_F64_EXPONENTIALS_H_
#define HLO_ENGINE_LANES_F64_EXPONENTIALS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/lanes/algebra.h"
#include "engine/lanes/exact_arithmetic.h"
#include "engine/lanes/f64_kernels.h"

namespace hlo::f64::generic {

inline constexpr int kRootCount = 16;  // to a power of two

/// 2^(i / kRootCount) - 1 for i from -8 to 7, each with its error.
inline constexpr auto kRoots = [] {
  std::array<double, size_t{2} * kRootCount> roots{};
  for (size_t i = 0; i < kRootCount; ++i) {
    const Exact x = Times(kLn2, {double(i) / kRootCount - 0.5, 0});
    // x (1 + x / 2 (1 + x / 3 (...
    Exact sum = {1, 0};
    for (int n = 30; n > 1; --n) sum = Plus({1, 0}, Times(sum, Over(x, {double(n), 0})));
    const Exact root = Times(x, sum);
    roots[2 * i] = root.value;
    roots[2 * i + 1] = root.error;
  }
  return roots;
}();

/// From here on e^x and e^-x differ by more digits than an f64 has.
inline constexpr double kOneSided = 40;
/// Beyond this, e^x is infinite, and e^-x is 0 a little later.
inline constexpr double kOverflow = 711, kUnderflow = -746;

/// e^x = 2^exponent (1 + rest), with rest from -0.31 to 0.42, within 2^-58 of it.
template <typename D>
struct Exponential {
  decltype(AsSigned(BitsOf(D{}))) exponent;
  ExactOf<D> rest;
};

/// For |x| below 2^13.
template <typename D>
Exponential<D> ExpOf(ExactOf<D> x) {
  constexpr double kRounder = 0x1.8p52;
  // ln 2 / 16 in parts, of which the first has 36 bits: multiples of it are exact.
  constexpr double kPart1 = 0x1.62e42fefap-5, kPart2 = 0x1.cf79abc9e3b3ap-44;
  // Of (e^r - 1 - r) / r^2, up to ln 2 / 32; 2^-62 (Sollya, fpminimax).
  constexpr double kRest[] = {0.5,
                              0.16666666666666669,
                              0.041666666666666650,
                              0.0083333333328819842,
                              0.0013888888889659913,
                              0.00019841485013383388,
                              0.000024801618117483394};
  const D rounded = x.value * (kRootCount / kLn2.value) + kRounder;
  const D n = rounded - kRounder;
  // Rounded, the whole number is in the low bits.
  const auto steps = AsSigned(BitsOf(rounded) - BitsOf(kRounder)) + int64_t{kRootCount / 2};
  const auto place = (AsUnsigned(steps) & uint64_t{kRootCount - 1}) << 1;
  const ExactOf<D> root = {ElementOf(kRoots, place), ElementOf(kRoots, place + uint64_t{1})};
  const ExactOf<D> less = TwoSum(x.value - n * kPart1, -n * kPart2);
  const ExactOf<D> r = TwoSum(less.value, less.error + x.error);
  const D square = r.value * r.value;
  const D low = r.error + square * Series(kRest, r.value);
  // (1 + root) (1 + r) - 1
  const ExactOf<D> sum = TwoSum(root.value, r.value);
  const D rest = low + root.value * (r.value + low);
  return {steps >> 4, OrderedSum(sum.value, sum.error + (root.error + rest))};
}

/// e^x 2^shift, rounded.
template <typename D>
D ScaledExp(ExactOf<D> x, int64_t shift) {
  const Exponential<D> e = ExpOf(x);
  const ExactOf<D> sum = OrderedSum(1.0, e.rest.value);
  return Scaled(sum.value + (sum.error + e.rest.error), e.exponent + shift);
}

/// e^x - 1, for x from -700 to 700.
template <typename D>
ExactOf<D> Expm1Of(ExactOf<D> x) {
  const Exponential<D> e = ExpOf(x);
  const D power = PowerOfTwo(e.exponent);
  const ExactOf<D> whole = TwoSum(power, -1.0);
  const ExactOf<D> sum = TwoSum(whole.value, power * e.rest.value);
  return OrderedSum(sum.value, sum.error + (whole.error + power * e.rest.error));
}

/// e^x, for |x| below 700.
template <typename D>
ExactOf<D> FullExpOf(D x) {
  const Exponential<D> e = ExpOf(Whole(x));
  const D power = PowerOfTwo(e.exponent);
  const ExactOf<D> sum = OrderedSum(1.0, e.rest.value);
  return {power * sum.value, power * (sum.error + e.rest.error)};
}

template <typename D>
D Exp(D x) {
  return Either(
      x < kUnderflow, [&] { return Like(x, 0); },
      [&] {
        return Either(
            x < kOverflow, [&] { return ScaledExp(Whole(x), 0); }, [&] { return x * kInfinity; });
      });
}

template <typename D>
D Expm1(D x) {
  const auto other = [&] {
    return Either(
        x > 2 * kOneSided, [&] { return Exp(x); }, [&] { return Expm1Of(Whole(x)).value; });
  };
  return Either((Abs(x) < 0x1p-54) || (x != x), [&] { return x; },
                [&] {
                  return Either(
                      x < -kOneSided, [&] { return Like(x, -1); }, other);
                });
}

template <typename D>
D Logistic(D x) {
  constexpr Exact kOne = {1, 0};
  const auto middle = [&] { return Over(kOne, Plus(kOne, FullExpOf(-x))).value; };
  return Either(
      x < -kOneSided, [&] { return Exp(x); },
      [&] {
        return Either(x <= kOneSided, middle, [&] { return Select(x != x, x, Like(x, 1)); });
      });
}

template <typename D>
D Sinh(D x) {
  const D size = Abs(x);
  const auto middle = [&] {
    const ExactOf<D> e = Expm1Of(Whole(size));
    return CopySign(0.5 * Plus(e, Over(e, Plus(e, Exact{1, 0}))).value, x);
  };
  return Either((size >= kTiny) && (size < kOverflow),
                [&] {
                  return Either(
                      size > kOneSided, [&] { return CopySign(ScaledExp(Whole(size), -1), x); },
                      middle);
                },
                [&] { return x * Select(size < kTiny, Like(x, 1), Like(x, kInfinity)); });
}

template <typename D>
D Cosh(D x) {
  const D size = Abs(x);
  const auto middle = [&] {
    const ExactOf<D> e = FullExpOf(size);
    return 0.5 * Plus(e, Over(Exact{1, 0}, e)).value;
  };
  return Either(
      size < kOverflow,
      [&] {
        return Either(
            size > kOneSided, [&] { return ScaledExp(Whole(size), -1); }, middle);
      },
      [&] { return size * kInfinity; });
}

template <typename D>
D Tanh(D x) {
  const D size = Abs(x);
  const auto middle = [&] {
    const ExactOf<D> e = Expm1Of(Whole(size + size));
    return CopySign(Over(e, Plus(e, Exact{2, 0})).value, x);
  };
  return Either((size < kTiny) || (x != x), [&] { return x; },
                [&] {
                  return Either(
                      size > kOneSided / 2, [&] { return CopySign(Like(x, 1), x); }, middle);
                });
}

}  // namespace hlo::f64::generic

#endif  // HLO_ENGINE_LANES_F64_EXPONENTIALS_H_
