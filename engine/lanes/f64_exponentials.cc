#include <array>
#include <cmath>

#include "engine/lanes/f64_functions.h"
#include "engine/lanes/f64_kernels.h"

namespace hlo::f64 {
namespace {

constexpr int kRootCount = 16;  // to a power of two

/// 2^(i / kRootCount) - 1 for i from -8 to 7.
constexpr auto kRoots = [] {
  std::array<Exact, kRootCount> roots{};
  for (int i = 0; i < kRootCount; ++i) {
    const Exact x = Times(kLn2, {(i - kRootCount / 2) / double{kRootCount}, 0});
    // x (1 + x / 2 (1 + x / 3 (...
    Exact sum = {1, 0};
    for (int n = 30; n > 1; --n) sum = Plus({1, 0}, Times(sum, Over(x, {double(n), 0})));
    roots[i] = Times(x, sum);
  }
  return roots;
}();

/// From here on e^x and e^-x differ by more digits than an f64 has.
constexpr double kOneSided = 40;
/// Beyond this, e^x is infinite, and e^-x is 0 a little later.
constexpr double kOverflow = 711, kUnderflow = -746;

/// e^x, for |x| below 700.
Exact FullExpOf(double x) {
  const Exponential e = ExpOf({x, 0});
  const double power = PowerOfTwo(e.exponent);
  const Exact sum = OrderedSum(1, e.rest.value);
  return {power * sum.value, power * (sum.error + e.rest.error)};
}

}  // namespace

Exponential ExpOf(Exact x) {
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
  const double rounded = x.value * (kRootCount / kLn2.value) + kRounder;
  const double n = rounded - kRounder;
  const auto steps = static_cast<int64_t>(n) + kRootCount / 2;
  const Exact root = kRoots[static_cast<uint64_t>(steps) % kRootCount];
  const Exact less = TwoSum(x.value - n * kPart1, -n * kPart2);
  const Exact r = TwoSum(less.value, less.error + x.error);
  const double square = r.value * r.value;
  const double low = r.error + square * Series(kRest, r.value);
  // (1 + root) (1 + r) - 1
  const Exact sum = TwoSum(root.value, r.value);
  const double rest = low + root.value * (r.value + low);
  return {steps >> 4, OrderedSum(sum.value, sum.error + (root.error + rest))};
}

double ScaledExp(Exact x, int64_t shift) {
  const Exponential e = ExpOf(x);
  const Exact sum = OrderedSum(1, e.rest.value);
  return Scaled(sum.value + (sum.error + e.rest.error), e.exponent + shift);
}

Exact Expm1Of(Exact x) {
  const Exponential e = ExpOf(x);
  const double power = PowerOfTwo(e.exponent);
  const Exact whole = TwoSum(power, -1);
  const Exact sum = TwoSum(whole.value, power * e.rest.value);
  return OrderedSum(sum.value, sum.error + (whole.error + power * e.rest.error));
}

double Exp(double x) {
  if (x < kUnderflow) return 0;
  if (!(x < kOverflow)) return x * kInfinity;
  return ScaledExp({x, 0}, 0);
}

double Expm1(double x) {
  if (std::fabs(x) < 0x1p-54 || std::isnan(x)) return x;
  if (x < -kOneSided) return -1;
  if (x > 2 * kOneSided) return Exp(x);
  const Exact result = Expm1Of({x, 0});
  return result.value;
}

double Logistic(double x) {
  if (x < -kOneSided) return Exp(x);
  if (!(x <= kOneSided)) return std::isnan(x) ? x : 1;
  return Over({1, 0}, Plus({1, 0}, FullExpOf(-x))).value;
}

double Sinh(double x) {
  const double size = std::fabs(x);
  if (size < kTiny || !(size < kOverflow)) return x * (size < kTiny ? 1 : kInfinity);
  if (size > kOneSided) return std::copysign(ScaledExp({size, 0}, -1), x);
  const Exact e = Expm1Of({size, 0});
  return std::copysign(0.5 * Plus(e, Over(e, Plus(e, {1, 0}))).value, x);
}

double Cosh(double x) {
  const double size = std::fabs(x);
  if (!(size < kOverflow)) return size * kInfinity;
  if (size > kOneSided) return ScaledExp({size, 0}, -1);
  const Exact e = FullExpOf(size);
  return 0.5 * Plus(e, Over({1, 0}, e)).value;
}

double Tanh(double x) {
  const double size = std::fabs(x);
  if (size < kTiny || std::isnan(x)) return x;
  if (size > kOneSided / 2) return std::copysign(1, x);
  const Exact e = Expm1Of({size + size, 0});
  return std::copysign(Over(e, Plus(e, {2, 0})).value, x);
}

}  // namespace hlo::f64
