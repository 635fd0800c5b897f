// Complex numbers as templates over numbers (lanes/algebra.h): parts, quotients and roots.
#ifndef HLO_ENGINE_KERNELS_COMPLEX_PARTS_H_
#define HLO_ENGINE_KERNELS_COMPLEX_PARTS_H_

#include <cstdint>

#include "engine/kernels/constants.h"
#include "engine/lanes/algebra.h"
#include "engine/lanes/exact_arithmetic.h"

namespace hlo::complex {

using lanes::Abs, lanes::CopySign, lanes::Either, lanes::ExponentOf, lanes::HasSign, lanes::Like,
    lanes::Select, lanes::Shifted, lanes::Sqrt;

/// A complex number; D: double, or what has its operations.
template <typename D>
struct Pair {
  D real, imag;
};

/// The functions of f64 for numbers D: a specialisation has them as static functions. Times is a
/// product of two complex numbers as C++ has it (C99, Annex G.5.1).
template <typename D>
struct Functions;

/// From here on exp and related functions are computed as a product of two halves.
inline constexpr double kExpNearOverflow = 700;

template <typename D>
auto IsFinite(D x) {
  return Abs(x) < kInfinity;
}
template <typename D>
auto IsInfinite(D x) {
  return Abs(x) == kInfinity;
}
template <typename D>
auto IsNone(D x) {
  return x != x;
}
/// The larger size; x if either is NaN.
template <typename D>
D LargerSize(D x, D y) {
  const D a = Abs(x), b = Abs(y);
  return Select(a < b, b, a);
}
/// The pair where the condition holds.
template <typename C, typename D>
Pair<D> Chosen(C condition, Pair<D> on_true, Pair<D> on_false) {
  return {Select(condition, on_true.real, on_false.real),
          Select(condition, on_true.imag, on_false.imag)};
}

/// start + x^2 + y^2 to nearly full precision in spite of cancellation; no overflow is expected.
template <typename D>
D SumOfSquares(D start, D x, D y) {
  const ExactOf<D> xx = TwoProduct(x, x);
  const ExactOf<D> yy = TwoProduct(y, y);
  const ExactOf<D> a = TwoSum(start, xx.value);
  const ExactOf<D> b = TwoSum(a.value, yy.value);
  return b.value + (((a.error + b.error) + xx.error) + yy.error);
}

/// log |x + iy|.
template <typename D>
D LogAbs(D x, D y) {
  using F = Functions<D>;
  const D large = LargerSize(x, y);
  const auto near = [&] {
    const D norm = F::Hypot(x, y);
    return Either((norm > 0.7) && (norm < 1.5),
                  [&] { return 0.5 * F::Log1p(SumOfSquares(Like(x, -1), x, y)); },
                  [&] { return F::Log(norm); });
  };
  // hypot must neither overflow nor lose the digits of a subnormal.
  const auto high = [&] { return F::Log(F::Hypot(x / 4.0, y / 4.0)) + 2 * kLn2; };
  const auto low = [&] {
    const D norm = F::Hypot(Shifted(x, int64_t{600}), Shifted(y, int64_t{600}));
    return F::Log(norm) - 600 * kLn2;
  };
  const auto plain = [&] { return F::Log(F::Hypot(x, y)); };
  const auto not_high = [&] { return Either((large < 1e-300) && (large > 0.0), low, plain); };
  const auto far = [&] { return Either(large > 1e300, high, not_high); };
  return Either((large > 0.5) && (large < 1.5), near, far);
}

/// i z and -i z.
template <typename D>
Pair<D> TimesI(Pair<D> z) {
  return {-z.imag, z.real};
}
template <typename D>
Pair<D> TimesMinusI(Pair<D> z) {
  return {z.imag, -z.real};
}

/// 1 of an infinity, 0 of others, with the sign.
template <typename D>
D UnitOf(D v) {
  return CopySign(Select(IsInfinite(v), Like(v, 1), Like(v, 0)), v);
}

/// Annex G.5.1: infinities and zeros that came out as NaN. c and d are those of the divisor,
/// scaled.
template <typename D>
Pair<D> RecoveredQuotient(Pair<D> a, D c, D d, D norm, Pair<D> quotient) {
  const auto is_by_zero = (norm == 0.0) && (!(IsNone(a.real) && IsNone(a.imag)));
  const D large = CopySign(Like(c, kInfinity), c);
  const Pair<D> by_zero = {large * a.real, large * a.imag};
  const auto is_infinite = (IsInfinite(a.real) || IsInfinite(a.imag)) && IsFinite(c) && IsFinite(d);
  const D a_real = UnitOf(a.real), a_imag = UnitOf(a.imag);
  const Pair<D> infinite = {kInfinity * (a_real * c + a_imag * d),
                            kInfinity * (a_imag * c - a_real * d)};
  const auto vanishes = (IsInfinite(c) || IsInfinite(d)) && IsFinite(a.real) && IsFinite(a.imag);
  const D b_real = UnitOf(c), b_imag = UnitOf(d);
  const Pair<D> vanished = {0.0 * (a.real * b_real + a.imag * b_imag),
                            0.0 * (a.imag * b_real - a.real * b_imag)};
  return Chosen(is_by_zero, by_zero,
                Chosen(is_infinite, infinite, Chosen(vanishes, vanished, quotient)));
}

template <typename D>
Pair<D> Divide(Pair<D> a, Pair<D> b) {
  const D large = LargerSize(b.real, b.imag);
  const auto is_scaled = IsFinite(large) && (large != 0.0);
  const auto scale = int64_t{0} - ExponentOf(Select(is_scaled, large, Like(large, 1)));
  const D c = Shifted(b.real, scale), d = Shifted(b.imag, scale);
  const D norm = c * c + d * d;
  const D x = Shifted((a.real * c + a.imag * d) / norm, scale);
  const D y = Shifted((a.imag * c - a.real * d) / norm, scale);
  const Pair<D> quotient = {x, y};
  return Either(
      IsNone(x) && IsNone(y), [&] { return RecoveredQuotient(a, c, d, norm, quotient); },
      [&] { return quotient; });
}

/// The root of a finite number that is not 0.
template <typename D>
Pair<D> FiniteSqrt(Pair<D> z) {
  // An even power of two, so that the sum under the root stays in range.
  const D large = LargerSize(z.real, z.imag);
  const auto scaled = [&](int64_t scale) {
    const D x = Shifted(z.real, scale), y = Shifted(z.imag, scale);
    const D root = Sqrt((Abs(x) + Functions<D>::Hypot(x, y)) / 2.0);
    const D other = y / (2.0 * root);
    const auto is_right = x >= 0.0;
    const D real = Select(is_right, root, Abs(other));
    const D imag = Select(is_right, other, CopySign(root, y));
    return Pair<D>{Shifted(real, -scale / 2), Shifted(imag, -scale / 2)};
  };
  const auto not_high = [&] {
    return Either(
        large < 1e-290, [&] { return scaled(200); }, [&] { return scaled(0); });
  };
  return Either(
      large > 1e300, [&] { return scaled(-4); }, not_high);
}

template <typename D>
Pair<D> Root(Pair<D> z) {
  const D x = z.real, y = z.imag;
  const D zero = Like(x, 0), infinite = Like(x, kInfinity);
  const auto y_or_zero = Select(IsNone(y), y, zero);
  const Pair<D> left = {Abs(y_or_zero), CopySign(infinite, y)};
  const Pair<D> right = {x, Select(IsNone(y), y, CopySign(zero, y))};
  const auto unbounded = [&] {
    const Pair<D> special = Chosen(x < 0.0, left, right);
    const Pair<D> none = {x, Like(x, kNan)};
    return Chosen(IsInfinite(y), Pair<D>{infinite, y}, Chosen(IsNone(x), none, special));
  };
  const auto other = [&] {
    return Either(IsInfinite(y) || (!IsFinite(x)), unbounded, [&] { return FiniteSqrt(z); });
  };
  return Either((x == 0.0) && (y == 0.0), [&] { return Pair<D>{zero, y}; }, other);
}

template <typename D>
Pair<D> Rsqrt(Pair<D> z) {
  return Functions<D>::Divide(Pair<D>{Like(z.real, 1), Like(z.real, 0)}, Functions<D>::Sqrt(z));
}

template <typename D>
Pair<D> Cbrt(Pair<D> z) {
  using F = Functions<D>;
  const auto root = [&] {
    const D angle = F::Atan2(z.imag, z.real) / 3.0;
    const D large = LargerSize(z.real, z.imag);
    // Near 1, so that no power is too large or small.
    const auto scale = ExponentOf(Select(IsFinite(large), large, Like(large, 1))) / int64_t{3};
    const auto back = scale * int64_t{-3};
    const D size = F::Hypot(Shifted(z.real, back), Shifted(z.imag, back));
    const D length = Shifted(F::Cbrt(size), scale);
    return Pair<D>{length * F::Cos(angle), Select(angle == 0.0, angle, length * F::Sin(angle))};
  };
  const D zero = Like(z.real, 0);
  return Either((z.real == 0.0) && (z.imag == 0.0),
                [&] {
                  return Pair<D>{zero, CopySign(zero, z.imag)};
                },
                root);
}

}  // namespace hlo::complex

#endif  // HLO_ENGINE_KERNELS_COMPLEX_PARTS_H_
