// The functions of complex_math.h as templates over numbers (lanes/algebra.h): generated code has
// the same.
#ifndef HLO_ENGINE_KERNELS_COMPLEX_FUNCTIONS_H_
#define HLO_ENGINE_KERNELS_COMPLEX_FUNCTIONS_H_

#include "engine/kernels/complex_parts.h"

namespace hlo::complex {

template <typename D>
Pair<D> Exp(Pair<D> z) {
  using F = Functions<D>;
  const D x = z.real, y = z.imag;
  const D none = Like(x, kNan);
  const auto halves = [&] {
    const D half = F::Exp(x / 2.0);
    return Pair<D>{half * F::Cos(y) * half, half * F::Sin(y) * half};
  };
  const auto whole = [&] {
    const D scale = F::Exp(x);
    return Pair<D>{scale * F::Cos(y), scale * F::Sin(y)};
  };
  const auto finite = [&] {
    return Either((Abs(x) > kExpNearOverflow) && IsFinite(x), halves, whole);
  };
  // Annex G has zeros and infinities here for an infinite x; XLA's tests pin NaN.
  const auto other = [&] {
    return Either(IsFinite(y), finite, [&] { return Pair<D>{none, none}; });
  };
  return Either(
      y == 0.0,
      [&] {
        return Pair<D>{F::Exp(x), y};
      },
      other);
}

template <typename D>
Pair<D> Expm1(Pair<D> z) {
  using F = Functions<D>;
  const D x = z.real, y = z.imag;
  const auto large = [&] {
    const Pair<D> exp = F::Exp(z);
    return Pair<D>{exp.real - 1.0, exp.imag};
  };
  const auto plain = [&] {
    const D s = F::Sin(y / 2.0);
    return Pair<D>{F::Expm1(x) * F::Cos(y) - 2.0 * s * s, F::Exp(x) * F::Sin(y)};
  };
  const auto is_large = (!IsFinite(x)) || (!IsFinite(y)) || (x > kExpNearOverflow);
  return Either(
      y == 0.0,
      [&] {
        return Pair<D>{F::Expm1(x), y};
      },
      [&] { return Either(is_large, large, plain); });
}

template <typename D>
Pair<D> Log(Pair<D> z) {
  return {LogAbs(z.real, z.imag), Functions<D>::Atan2(z.imag, z.real)};
}

template <typename D>
Pair<D> Log1p(Pair<D> z) {
  using F = Functions<D>;
  const D x = z.real, y = z.imag;
  // 1 + x is exact where it matters.
  const auto near = [&] {
    return Pair<D>{0.5 * F::Log1p(SumOfSquares(2.0 * x, x, y)), F::Atan2(y, 1.0 + x)};
  };
  const auto far = [&] { return Log(Pair<D>{1.0 + x, y}); };
  return Either((x > -0.5) && (x < 2.0) && (Abs(y) < 2.0), near, far);
}

template <typename D>
Pair<D> Sinh(Pair<D> z) {
  using F = Functions<D>;
  const D x = z.real, y = z.imag, none = Like(x, kNan);
  const auto unbounded = [&] {
    const auto keeps = (!IsNone(x)) && ((x == 0.0) || IsInfinite(x));
    return Pair<D>{Select(keeps, x, none), none};
  };
  const auto halves = [&] {
    const D half = F::Exp(Abs(x) / 2.0);
    // Half of the smallest sine would be none.
    return Pair<D>{CopySign(half, x) * F::Cos(y) * (0.5 * half), half * F::Sin(y) * (0.5 * half)};
  };
  const auto plain = [&] { return Pair<D>{F::Sinh(x) * F::Cos(y), F::Cosh(x) * F::Sin(y)}; };
  const auto finite = [&] {
    return Either((Abs(x) > kExpNearOverflow) && IsFinite(x), halves, plain);
  };
  const auto other = [&] { return Either(IsNone(x) || (!IsFinite(y)), unbounded, finite); };
  return Either(
      y == 0.0,
      [&] {
        return Pair<D>{F::Sinh(x), y};
      },
      other);
}

template <typename D>
Pair<D> Cosh(Pair<D> z) {
  using F = Functions<D>;
  const D x = z.real, y = z.imag, none = Like(x, kNan), zero = Like(x, 0);
  const auto unbounded = [&] {
    const D real = Select(IsInfinite(x), Like(x, kInfinity), none);
    const D imag = Select(x == 0.0, zero, none);
    const Pair<D> of_none = {none, Select(y == 0.0, y, none)};
    return Chosen(IsNone(x), of_none, Pair<D>{real, imag});
  };
  const auto halves = [&] {
    const D half = F::Exp(Abs(x) / 2.0);
    return Pair<D>{half * F::Cos(y) * (0.5 * half), CopySign(half, x) * F::Sin(y) * (0.5 * half)};
  };
  const auto plain = [&] { return Pair<D>{F::Cosh(x) * F::Cos(y), F::Sinh(x) * F::Sin(y)}; };
  const auto finite = [&] {
    return Either((Abs(x) > kExpNearOverflow) && IsFinite(x), halves, plain);
  };
  const auto line = [&] { return Pair<D>{F::Cosh(x), CopySign(y, Select(HasSign(x), -y, y))}; };
  const auto bounded = [&] { return Either(y == 0.0, line, finite); };
  return Either(IsNone(x) || (!IsFinite(y)), unbounded, bounded);
}

/// Kahan, Branch cuts for complex elementary functions (1987).
template <typename D>
Pair<D> KahanTanh(D x, D y) {
  using F = Functions<D>;
  const D t = F::Tan(y);
  const D beta = 1.0 + t * t;
  const D s = F::Sinh(x);
  const D rho = Sqrt(1.0 + s * s);
  const D denominator = 1.0 + beta * s * s;
  const Pair<D> plain = {beta * rho * s / denominator, t / denominator};
  return Chosen(IsInfinite(t), Pair<D>{rho / s, 1.0 / t}, plain);
}

template <typename D>
Pair<D> Tanh(Pair<D> z) {
  using F = Functions<D>;
  const D x = z.real, y = z.imag, none = Like(x, kNan), zero = Like(x, 0), one = Like(x, 1);
  const auto infinite = [&] {
    const D angle = Either(
        IsFinite(y), [&] { return F::Sin(2.0 * y); }, [&] { return y; });
    return Pair<D>{CopySign(one, x), CopySign(zero, angle)};
  };
  const auto of_none = [&] { return Pair<D>{none, Select(y == 0.0, y, none)}; };
  const auto unbounded = [&] { return Either(IsInfinite(x), infinite, of_none); };
  const auto far = [&] {
    const D decay = F::Exp(-Abs(x));
    return Pair<D>{CopySign(one, x), 4.0 * F::Sin(y) * F::Cos(y) * decay * decay};
  };
  const auto finite = [&] {
    return Either(Abs(x) > 22.0, far, [&] { return KahanTanh(x, y); });  // 1 - |tanh| < 2^-60
  };
  const auto bounded = [&] {
    return Either(
        y == 0.0,
        [&] {
          return Pair<D>{F::Tanh(x), y};
        },
        finite);
  };
  return Either((!IsFinite(x)) || (!IsFinite(y)), unbounded, bounded);
}

template <typename D>
Pair<D> Logistic(Pair<D> z) {
  using F = Functions<D>;
  const D one = Like(z.real, 1), zero = Like(z.real, 0);
  const auto far = [&] {
    const Pair<D> exp = F::Exp(Pair<D>{-z.real, -z.imag});
    return F::Divide(Pair<D>{one, zero}, Pair<D>{1.0 + exp.real, exp.imag});
  };
  // Where 1 + exp(-z) may cancel.
  const auto near = [&] {
    const Pair<D> half = Tanh(Pair<D>{z.real / 2.0, z.imag / 2.0});
    return Pair<D>{(1.0 + half.real) / 2.0, half.imag / 2.0};
  };
  return Either(Abs(z.real) < 1.0, near, far);
}

template <typename D>
Pair<D> Sin(Pair<D> z) {
  return TimesMinusI(Sinh(TimesI(z)));
}
template <typename D>
Pair<D> Cos(Pair<D> z) {
  return Cosh(TimesI(z));
}
template <typename D>
Pair<D> Tan(Pair<D> z) {
  return TimesMinusI(Tanh(TimesI(z)));
}

// Asin, acos, atanh: Kahan's formulas (see above) in the first quadrant, where no sum cancels, and
// the leading term of the series at infinity from 1e9 on, where the next one is below 2^-60.
template <typename D>
Pair<D> Asin(Pair<D> z) {
  using F = Functions<D>;
  const D x = Abs(z.real), y = Abs(z.imag);
  const D none = Like(x, kNan), zero = Like(x, 0), infinite = Like(x, kInfinity);
  const auto special = [&] {
    return Pair<D>{Select(x == 0.0, zero, none),
                   Select(IsInfinite(x) || IsInfinite(y), infinite, none)};
  };
  const auto far = [&] { return Pair<D>{F::Atan2(x, y), LogAbs(x, y) + kLn2}; };
  const auto near = [&] {
    const Pair<D> minus = F::Sqrt(Pair<D>{1.0 - x, -y});
    const Pair<D> plus = F::Sqrt(Pair<D>{1.0 + x, y});
    return Pair<D>{F::Atan2(x, minus.real * plus.real - minus.imag * plus.imag),
                   F::Asinh(minus.real * plus.imag - minus.imag * plus.real)};
  };
  const auto any = [&] { return Either(LargerSize(x, y) > 1e9, far, near); };
  const Pair<D> result = Either(IsNone(x) || IsNone(y), special, any);
  return {CopySign(result.real, z.real), CopySign(result.imag, z.imag)};
}

template <typename D>
Pair<D> Acos(Pair<D> z) {
  using F = Functions<D>;
  const D x = z.real, y = z.imag;
  const D im = -Asin(z).imag;
  const auto special = [&] {
    return Pair<D>{Select(x == 0.0, Like(x, kHalfPi), Like(x, kNan)), im};
  };
  const auto far = [&] { return Pair<D>{F::Atan2(Abs(y), x), im}; };
  const auto near = [&] {
    const Pair<D> minus = F::Sqrt(Pair<D>{1.0 - x, -y});
    const Pair<D> plus = F::Sqrt(Pair<D>{1.0 + x, y});
    return Pair<D>{2.0 * F::Atan2(minus.real, plus.real), im};
  };
  const auto any = [&] { return Either(LargerSize(x, y) > 1e9, far, near); };
  return Either(IsNone(x) || IsNone(y), special, any);
}

template <typename D>
Pair<D> Asinh(Pair<D> z) {
  return TimesI(Asin(TimesMinusI(z)));
}

template <typename D>
Pair<D> Acosh(Pair<D> z) {
  const Pair<D> w = Acos(z);
  return {Abs(w.imag), CopySign(w.real, z.imag)};
}

template <typename D>
Pair<D> Atanh(Pair<D> z) {
  using F = Functions<D>;
  const D x = Abs(z.real), y = Abs(z.imag);
  const D none = Like(x, kNan), zero = Like(x, 0), quarter_turn = Like(x, kHalfPi);
  const auto special = [&] {
    return Pair<D>{Select((x == 0.0) || IsInfinite(x) || IsInfinite(y), zero, none),
                   Select(IsInfinite(y), quarter_turn, none)};
  };
  const auto far = [&] {
    const D norm = F::Hypot(x / 4.0, y / 4.0);
    const D real = (x / 4.0 / norm) / norm / 4.0;
    return Pair<D>{Select(IsInfinite(norm), zero, real), quarter_turn};
  };
  const auto near = [&] {
    const D d = 1.0 - x;
    const D real = Either((d == 0.0) && (y < 1e-100), [&] { return 0.5 * (kLn2 - F::Log(y)); },
                          [&] { return 0.25 * F::Log1p(4.0 * x / (d * d + y * y)); });
    return Pair<D>{real, 0.5 * F::Atan2(2.0 * y, d * (1.0 + x) - y * y)};
  };
  const auto any = [&] { return Either(LargerSize(x, y) > 1e150, far, near); };
  const Pair<D> result = Either(IsNone(x) || IsNone(y), special, any);
  return {CopySign(result.real, z.real), CopySign(result.imag, z.imag)};
}

template <typename D>
Pair<D> Atan(Pair<D> z) {
  return TimesMinusI(Atanh(TimesI(z)));
}

template <typename D>
Pair<D> Power(Pair<D> base, Pair<D> exponent) {
  using F = Functions<D>;
  const D x = exponent.real, one = Like(x, 1), zero = Like(x, 0);
  const auto is_one =
      ((x == 0.0) && (exponent.imag == 0.0)) || ((base.real == 1.0) && (base.imag == 0.0));
  const auto is_real = exponent.imag == 0.0;
  const auto general = [&] {
    const Pair<D> log = F::Log(base);
    const Pair<D> product = Either(
        is_real,
        [&] {
          return Pair<D>{x * log.real, x * log.imag};
        },
        [&] { return F::Times(exponent, log); });
    return F::Exp(product);
  };
  const auto of_zero = [&] {
    const auto is_zero = (base.real == 0.0) && (base.imag == 0.0) && (x > 0.0);
    return Either(
        is_zero,
        [&] {
          return Pair<D>{zero, zero};
        },
        general);
  };
  const auto other = [&] {
    return Either(
        is_real && (base.imag == 0.0) && (base.real >= 0.0),
        [&] {
          return Pair<D>{F::Pow(Abs(base.real), x), zero};
        },
        of_zero);
  };
  return Either(
      is_one,
      [&] {
        return Pair<D>{one, zero};
      },
      other);
}

template <typename D>
Pair<D> Atan2(Pair<D> y, Pair<D> x) {
  using F = Functions<D>;
  const Pair<D> xx = F::Times(x, x), yy = F::Times(y, y);
  const Pair<D> norm = F::Sqrt(Pair<D>{xx.real + yy.real, xx.imag + yy.imag});
  const Pair<D> turned = TimesI(y);
  const Pair<D> sum = {x.real + turned.real, x.imag + turned.imag};
  return TimesMinusI(F::Log(F::Divide(sum, norm)));
}

/// To the norm 1, or 0.
template <typename D>
Pair<D> Sign(Pair<D> a) {
  const D norm = Functions<D>::Hypot(a.real, a.imag), zero = Like(norm, 0);
  return Chosen(norm == 0.0, Pair<D>{zero, zero}, Pair<D>{a.real / norm, a.imag / norm});
}

}  // namespace hlo::complex

#endif  // HLO_ENGINE_KERNELS_COMPLEX_FUNCTIONS_H_
