#include <algorithm>
#include <array>
#include <cmath>

#include "engine/lanes/f64_functions.h"
#include "engine/lanes/f64_kernels.h"

namespace hlo::f64 {
namespace {

constexpr int kArcCount = 8;  // from a tangent of 0 to 1

/// The angles of the tangents i / kArcCount.
constexpr auto kArcs = [] {
  std::array<Exact, kArcCount + 1> arcs{};
  for (int i = 0; i <= kArcCount; ++i) {
    const Exact x = {i / double{kArcCount}, 0};
    // Euler's series: y (1 + 2/3 y (1 + 4/5 y (... / x, with y = x^2 / (1 + x^2).
    const Exact square = Times(x, x), sum = Plus({1, 0}, square), y = Over(square, sum);
    Exact series = {1, 0};
    for (int n = 110; n > 0; --n) {
      const Exact ratio = Over({2.0 * n, 0}, {2.0 * n + 1, 0});
      series = Plus({1, 0}, Times(series, Times(ratio, y)));
    }
    arcs[i] = Times(series, Over(x, sum));
  }
  return arcs;
}();

/// The angle of (x, y) for 0 <= y <= x, of which x is neither 0 nor far from 1. Between two of the
/// angles above by the difference of tangents.
Exact NearArc(Exact y, Exact x) {
  // Of (atan(t) / t - 1) / t^2 in t^2, up to 1/16; 2^-55 (Sollya, fpminimax).
  constexpr double kArc[] = {-0.3333333333333333, 0.1999999999999078,   -0.1428571427272488,
                             0.11111103499919893, -0.09088872037289862, 0.07463438028055373};
  const auto step = static_cast<int>(y.value / x.value * kArcCount + 0.5);
  const Exact tangent = {step / double{kArcCount}, 0};
  const Exact t =
      step == 0 ? Over(y, x) : Over(Plus(y, Minus(Times(tangent, x))), Plus(x, Times(tangent, y)));
  const double square = t.value * t.value;
  const double cubic = t.value * (square * Series(kArc, square));
  const Exact sum = TwoSum(kArcs[static_cast<size_t>(step)].value, t.value);
  return OrderedSum(sum.value,
                    sum.error + (kArcs[static_cast<size_t>(step)].error + t.error + cubic));
}

/// The same from 0 to pi / 2.
Exact Arc(Exact y, Exact x) {
  return y.value > x.value ? Plus(kHalfPi, Minus(NearArc(x, y))) : NearArc(y, x);
}

/// The side of a right triangle whose hypotenuse is 1.
Exact OtherSide(double x) { return RootOf(Times(TwoSum(1, -x), TwoSum(1, x))); }

}  // namespace

double Asin(double x) {
  const double size = std::fabs(x);
  if (size < kTiny) return x;
  if (!(size <= 1)) return kNaN;
  return std::copysign(Arc({size, 0}, OtherSide(size)).value, x);
}

double Acos(double x) {
  const double size = std::fabs(x);
  if (!(size <= 1)) return kNaN;
  const Exact arc = Arc(OtherSide(size), {size, 0});
  return x < 0 ? Plus(kPi, Minus(arc)).value : arc.value;
}

double Atan(double x) { return Atan2(x, 1); }

double Atan2(double y, double x) {
  if (std::isnan(x) || std::isnan(y)) return kNaN;
  double height = std::fabs(y), width = std::fabs(x);
  const bool is_steep = height > width;
  if (is_steep) std::swap(height, width);
  if (height == kInfinity) height = width = 1;
  const double ratio = width == 0 ? 0 : height / width;
  Exact arc = {ratio, 0};
  if (ratio > kTiny) {
    const int exponent = std::ilogb(width);
    arc = NearArc({Scaled(height, -exponent), 0}, {Scaled(width, -exponent), 0});
  } else if (ratio > 0x1p-500) {
    arc = NearArc({ratio, 0}, {1, 0});
  }
  if (is_steep) arc = Plus(kHalfPi, Minus(arc));
  if (std::signbit(x)) arc = Plus(kPi, Minus(arc));
  return std::copysign(arc.value, y);
}

}  // namespace hlo::f64
