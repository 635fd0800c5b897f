#include <algorithm>
#include <cmath>

#include "engine/lanes/f64_functions.h"
#include "engine/lanes/f64_kernels.h"

namespace hlo::f64 {
namespace {

/// Above any exponent of a result that is neither 0 nor infinite.
constexpr double kBeyond = 1100;

/// For a size from 0 to infinity but 1, and an exponent that is not 0.
double PowerOfSize(double size, double y) {
  const double vanished = y < 0 ? kInfinity : 0, grown = y < 0 ? 0 : kInfinity;
  if (size == 0) return vanished;
  if (size == kInfinity) return grown;
  if (std::isinf(y)) return size < 1 ? vanished : grown;
  const Exact log = LogOf({size, 0});
  const double estimate = log.value * y;
  if (!(std::fabs(estimate) < kBeyond)) return estimate < 0 ? 0 : kInfinity;
  const Exact product = TwoProduct(log.value, y);
  return ScaledExp({product.value, product.error + log.error * y}, 0);
}

}  // namespace

double Pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (std::isnan(x) || std::isnan(y)) return kNaN;
  const bool is_odd = std::floor(y) == y && std::floor(y / 2) != y / 2;
  if (x < 0 && std::isfinite(x) && std::floor(y) != y) return kNaN;
  const double power = x == -1 ? 1 : PowerOfSize(std::fabs(x), y);
  return std::signbit(x) && is_odd ? -power : power;
}

double Cbrt(double x) {
  const double size = std::fabs(x);
  if (size == 0 || !(size < kInfinity)) return x;
  return std::copysign(ScaledExp(Over(LogOf({size, 0}), {3, 0}), 0), x);
}

double Hypot(double x, double y) {
  x = std::fabs(x);
  y = std::fabs(y);
  if (x == kInfinity || y == kInfinity) return kInfinity;
  if (std::isnan(x) || std::isnan(y)) return kNaN;
  const double large = std::max(x, y), small = std::min(x, y);
  if (!(small > large * 0x1p-60)) return x + y;
  const int exponent = std::ilogb(large);
  const double a = Scaled(large, -exponent), b = Scaled(small, -exponent);
  return Scaled(RootOf(Plus(TwoProduct(a, a), TwoProduct(b, b))).value, exponent);
}

}  // namespace hlo::f64
