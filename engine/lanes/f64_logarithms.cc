#include <array>
#include <cmath>

#include "engine/lanes/f64_functions.h"
#include "engine/lanes/f64_kernels.h"

namespace hlo::f64 {
namespace {

// Numbers from 11 / 16 to 11 / 8 are in 64 groups by their leading bits, each with a factor of ten
// bits that brings them near 1.
constexpr uint64_t kLeast = 0x3fe6000000000000, kGroups = 64;
constexpr int kGroupShift = 46;
struct Factor {
  double factor;
  Exact minus_log;  // a multiple of 2^-42, and a rest
};

/// The nearest multiple of 2^-42.
constexpr double Truncated(double x) { return (x + 0x1.8p10) - 0x1.8p10; }
constexpr double kLn2Part1 = Truncated(kLn2.value);
constexpr double kLn2Part2 = (kLn2.value - kLn2Part1) + kLn2.error;

/// By atanh's series.
constexpr Exact MinusLog(double factor) {
  const Exact s = Over({1 - factor, 0}, {1 + factor, 0});
  const Exact square = Times(s, s);
  Exact sum = {0, 0};
  for (int n = 45; n > 0; n -= 2) sum = Plus(Over({1, 0}, {double(n), 0}), Times(sum, square));
  const Exact log = Times({2 * s.value, 2 * s.error}, sum);
  const double high = Truncated(log.value);
  return {high, (log.value - high) + log.error};
}

constexpr auto kFactors = [] {
  std::array<Factor, kGroups> factors{};
  for (uint64_t i = 0; i < kGroups; ++i) {
    const double middle =
        __builtin_bit_cast(double, kLeast + (2 * i + 1) * (1ull << kGroupShift) / 2);
    // Beside 1 the logarithm must be precise relatively.
    const bool is_one = middle > 0.99 && middle < 1.01;
    const double factor = is_one ? 1 : static_cast<int>(512 / middle + 0.5) / 512.0;
    factors[i] = {factor, MinusLog(factor)};
  }
  return factors;
}();

/// log(1 + r) - r + r^2 / 2 over r^3, for r from -0.0094 to 2^-6; 2^-52 (Sollya, fpminimax).
constexpr double kCubic[] = {0.33333333333333343,  -0.24999999999999228, 0.19999999998705756,
                             -0.16666666680943742, 0.14285746422428461,  -0.12500750578723396,
                             0.10897926960145637};

}  // namespace

Exact LogOf(Exact x) {
  int64_t exponent = 0;
  if (x.value < 0x1p-1022) {
    x.value *= 0x1p54;
    exponent = -54;
  }
  const uint64_t above = lanes::BitsOf(x.value) - kLeast;
  const auto shift = static_cast<int64_t>(above) >> 52;
  const Factor& group = kFactors[(above >> kGroupShift) % kGroups];
  const double m = lanes::FromBits(lanes::BitsOf(x.value) - (static_cast<uint64_t>(shift) << 52));
  // Products of the factor and a half of m are exact.
  const double high = lanes::FromBits(lanes::BitsOf(m) >> 21 << 21);
  const double rest = (m - high) * group.factor;
  Exact r = TwoSum(high * group.factor - 1, rest);
  r = TwoSum(r.value, r.error + Scaled(x.error * group.factor, -shift));
  // r^2 / 2, and what is left of it.
  const double half = Split(r.value).value;
  const double square = 0.5 * half * half;
  const double square_rest = 0.5 * (r.value - half) * (r.value + half) + r.value * r.error;
  const double cube = r.value * r.value * (r.value * Series(kCubic, r.value));
  const auto k = static_cast<double>(exponent + shift);
  const Exact sum = TwoSum(k * kLn2Part1 + group.minus_log.value, r.value);
  const Exact less = TwoSum(sum.value, -square);
  return OrderedSum(less.value, ((cube - square_rest) + (k * kLn2Part2 + group.minus_log.error)) +
                                    (r.error + (sum.error + less.error)));
}

Exact Log1pOf(Exact x) {
  const Exact sum = TwoSum(1, x.value);
  return LogOf(OrderedSum(sum.value, sum.error + x.error));
}

double Log(double x) {
  if (x == 0) return -kInfinity;
  if (!(x < kInfinity)) return x;
  return x < 0 ? kNaN : LogOf({x, 0}).value;
}

double Log1p(double x) {
  if (std::fabs(x) < 0x1p-54 || !(x < kInfinity)) return x;
  if (x <= -1) return x == -1 ? -kInfinity : kNaN;
  return Log1pOf({x, 0}).value;
}

/// From here on the square root of x^2 + 1 or x^2 - 1 is x.
constexpr double kLarge = 0x1p30;

double Asinh(double x) {
  const double size = std::fabs(x);
  if (size < kTiny || !(size < kInfinity)) return x;
  if (size > kLarge) return std::copysign(Plus(LogOf({size, 0}), kLn2).value, x);
  // size + size^2 / (1 + sqrt(1 + size^2)) loses nothing to cancellation.
  const Exact square = TwoProduct(size, size);
  const Exact root = RootOf(Plus({1, 0}, square));
  const Exact above = Plus({size, 0}, Over(square, Plus({1, 0}, root)));
  return std::copysign(Log1pOf(above).value, x);
}

double Acosh(double x) {
  if (!(x >= 1)) return kNaN;
  if (x > kLarge) return x == kInfinity ? x : Plus(LogOf({x, 0}), kLn2).value;
  const Exact above = TwoSum(x, -1);
  const Exact root = RootOf(Times(above, TwoSum(x, 1)));
  return Log1pOf(Plus(above, root)).value;
}

double Atanh(double x) {
  const double size = std::fabs(x);
  if (size < kTiny) return x;
  if (!(size < 1)) return size == 1 ? x * kInfinity : kNaN;
  return std::copysign(0.5 * Log1pOf(Over({size + size, 0}, TwoSum(1, -size))).value, x);
}

}  // namespace hlo::f64
