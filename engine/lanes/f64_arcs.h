// Angles of points as templates over numbers (algebra.h): generated code has the same.
#ifndef HLO_ENGINE_LANES_F64_ARCS_H_
#define HLO_ENGINE_LANES_F64_ARCS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/lanes/algebra.h"
#include "engine/lanes/exact_arithmetic.h"
#include "engine/lanes/f64_kernels.h"

namespace hlo::f64::generic {

inline constexpr int kArcCount = 8;  // from a tangent of 0 to 1

/// The angles of the tangents i / kArcCount, each with its error.
inline constexpr auto kArcs = [] {
  std::array<double, size_t{2} * (kArcCount + 1)> arcs{};
  for (size_t i = 0; i <= kArcCount; ++i) {
    const Exact x = {double(i) / kArcCount, 0};
    // Euler's series: y (1 + 2/3 y (1 + 4/5 y (... / x, with y = x^2 / (1 + x^2).
    const Exact square = Times(x, x), sum = Plus({1, 0}, square), y = Over(square, sum);
    Exact series = {1, 0};
    for (int n = 110; n > 0; --n) {
      const Exact ratio = Over({2.0 * n, 0}, {2.0 * n + 1, 0});
      series = Plus({1, 0}, Times(series, Times(ratio, y)));
    }
    const Exact arc = Times(series, Over(x, sum));
    arcs[2 * i] = arc.value;
    arcs[2 * i + 1] = arc.error;
  }
  return arcs;
}();

/// The angle of (x, y) for 0 <= y <= x, of which x is neither 0 nor far from 1. Between two of the
/// angles above by the difference of tangents.
template <typename D>
ExactOf<D> NearArc(ExactOf<D> y, ExactOf<D> x) {
  // Of (atan(t) / t - 1) / t^2 in t^2, up to 1/16; 2^-55 (Sollya, fpminimax).
  constexpr double kArc[] = {-0.3333333333333333, 0.1999999999999078,   -0.1428571427272488,
                             0.11111103499919893, -0.09088872037289862, 0.07463438028055373};
  const auto step = AsUnsigned(AsInteger(y.value / x.value * kArcCount + 0.5));
  const D near = AsDouble(step) / kArcCount;
  const auto shifted = [&] {
    const ExactOf<D> tangent = Whole(near);
    return Over(Plus(y, Minus(Times(tangent, x))), Plus(x, Times(tangent, y)));
  };
  const ExactOf<D> t = Either(
      step == uint64_t{0}, [&] { return Over(y, x); }, shifted);
  const D square = t.value * t.value;
  const D cubic = t.value * (square * Series(kArc, square));
  const auto place = step << 1;
  const ExactOf<D> sum = TwoSum(ElementOf(kArcs, place), t.value);
  return OrderedSum(sum.value,
                    sum.error + (ElementOf(kArcs, place + uint64_t{1}) + t.error + cubic));
}

/// The same from 0 to pi / 2.
template <typename D>
ExactOf<D> Arc(ExactOf<D> y, ExactOf<D> x) {
  return Either(
      y.value > x.value, [&] { return Plus(kHalfPi, Minus(NearArc(x, y))); },
      [&] { return NearArc(y, x); });
}

/// The side of a right triangle whose hypotenuse is 1.
template <typename D>
ExactOf<D> OtherSide(D x) {
  return RootOf(Times(TwoSum(1.0, -x), TwoSum(1.0, x)));
}

template <typename D>
D Asin(D x) {
  const D size = Abs(x);
  const auto arc = [&] { return CopySign(Arc(Whole(size), OtherSide(size)).value, x); };
  const auto other = [&] { return Either(size <= 1.0, arc, [&] { return Like(x, kNaN); }); };
  return Either(
      size < kTiny, [&] { return x; }, other);
}

template <typename D>
D Acos(D x) {
  const D size = Abs(x);
  const auto arc = [&] {
    const ExactOf<D> near = Arc(OtherSide(size), Whole(size));
    return Select(x < 0.0, Plus(kPi, Minus(near)).value, near.value);
  };
  return Either(size <= 1.0, arc, [&] { return Like(x, kNaN); });
}

/// The angle of a point of which no number is NaN.
template <typename D>
D AngleOf(D y, D x) {
  const auto is_steep = Abs(y) > Abs(x);
  const D larger = Select(is_steep, Abs(y), Abs(x)), smaller = Select(is_steep, Abs(x), Abs(y));
  const auto is_corner = smaller == kInfinity;
  const D height = Select(is_corner, Like(x, 1), smaller);
  const D width = Select(is_corner, Like(x, 1), larger);
  const D ratio = Select(width == 0.0, Like(x, 0), height / width);
  const auto usual = [&] {
    const auto back = int64_t{0} - ExponentOf(width);
    return NearArc(Whole(Scaled(height, back)), Whole(Scaled(width, back)));
  };
  const auto small = [&] {
    return Either(
        ratio > 0x1p-500, [&] { return NearArc(Whole(ratio), Whole(Like(x, 1))); },
        [&] { return Whole(ratio); });
  };
  const ExactOf<D> arc = Either(ratio > kTiny, usual, small);
  const ExactOf<D> half = Either(
      is_steep, [&] { return Plus(kHalfPi, Minus(arc)); }, [&] { return arc; });
  const ExactOf<D> whole = Either(
      HasSign(x), [&] { return Plus(kPi, Minus(half)); }, [&] { return half; });
  return CopySign(whole.value, y);
}

template <typename D>
D Atan2(D y, D x) {
  return Either((x != x) || (y != y), [&] { return Like(x, kNaN); }, [&] { return AngleOf(y, x); });
}

template <typename D>
D Atan(D x) {
  return generic::Atan2(x, Like(x, 1));
}

}  // namespace hlo::f64::generic

#endif  // HLO_ENGINE_LANES_F64_ARCS_H_
