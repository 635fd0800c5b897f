// Powers and roots as templates over numbers (algebra.h): generated code has the same.
#ifndef HLO_ENGINE_LANES_F64_POWERS_H_
#define HLO_ENGINE_LANES_F64_POWERS_H_

#include "engine/lanes/f64_exponentials.h"
#include "engine/lanes/f64_logarithms.h"

namespace hlo::f64::generic {

/// Above any exponent of a result that is neither 0 nor infinite.
inline constexpr double kBeyond = 1100;

/// For a size from 0 to infinity but 1, and an exponent that is not 0.
template <typename D>
D PowerOfSize(D size, D y) {
  const D zero = Like(y, 0), infinite = Like(y, kInfinity);
  const auto special = [&] {
    const D vanished = Select(y < 0.0, infinite, zero), grown = Select(y < 0.0, zero, infinite);
    return Select((size == 0.0) || ((size < 1.0) && (size != kInfinity)), vanished, grown);
  };
  const auto other = [&] {
    const ExactOf<D> log = LogOf(Whole(size));
    const D estimate = log.value * y;
    return Either(
        Abs(estimate) < kBeyond,
        [&] {
          const ExactOf<D> product = TwoProduct(log.value, y);
          return ScaledExp(ExactOf<D>{product.value, product.error + log.error * y}, 0);
        },
        [&] { return Select(estimate < 0.0, zero, infinite); });
  };
  return Either((size == 0.0) || (size == kInfinity) || (Abs(y) == kInfinity), special, other);
}

template <typename D>
D Pow(D x, D y) {
  const auto is_whole = Floor(y) == y;
  const D half = y / 2.0;
  const auto other = [&] {
    const D power = Either(
        x == -1.0, [&] { return Like(x, 1); }, [&] { return PowerOfSize(Abs(x), y); });
    return Select(HasSign(x) && is_whole && (Floor(half) != half), -power, power);
  };
  const auto is_none = (x != x) || (y != y) || ((x < 0.0) && (Abs(x) < kInfinity) && !is_whole);
  const auto none_or_other = [&] {
    return Either(
        is_none, [&] { return Like(x, kNaN); }, other);
  };
  return Either((y == 0.0) || (x == 1.0), [&] { return Like(x, 1); }, none_or_other);
}

template <typename D>
D Cbrt(D x) {
  const D size = Abs(x);
  const auto root = [&] {
    return CopySign(ScaledExp(Over(LogOf(Whole(size)), Exact{3, 0}), 0), x);
  };
  return Either((size > 0.0) && (size < kInfinity), root, [&] { return x; });
}

template <typename D>
D Hypot(D x_side, D y_side) {
  const D x = Abs(x_side), y = Abs(y_side);
  const auto is_less = x < y;
  const D large = Select(is_less, y, x), small = Select(is_less, x, y);
  const auto special = [&] {
    return Select((x == kInfinity) || (y == kInfinity), Like(x, kInfinity), Like(x, kNaN));
  };
  const auto root = [&] {
    const auto exponent = ExponentOf(large);
    const auto back = int64_t{0} - exponent;
    const D a = Scaled(large, back), b = Scaled(small, back);
    return Scaled(RootOf(Plus(TwoProduct(a, a), TwoProduct(b, b))).value, exponent);
  };
  const auto finite = [&] { return Either(small > large * 0x1p-60, root, [&] { return x + y; }); };
  return Either((x < kInfinity) && (y < kInfinity), finite, special);
}

}  // namespace hlo::f64::generic

#endif  // HLO_ENGINE_LANES_F64_POWERS_H_
