#include "engine/kernels/complex_math.h"

#include <algorithm>
#include <cmath>

#include "engine/kernels/constants.h"
#include "engine/lanes/exact_arithmetic.h"
#include "engine/lanes/f64_functions.h"

namespace hlo {
namespace {

// From here on exp and related functions are computed as a product of two halves.
constexpr double kExpNearOverflow = 700;

// start + x^2 + y^2 to nearly full precision in spite of cancellation; no overflow is expected.
double SumOfSquares(double start, double x, double y) {
  const Exact xx = TwoProduct(x, x);
  const Exact yy = TwoProduct(y, y);
  const Exact a = TwoSum(start, xx.value);
  const Exact b = TwoSum(a.value, yy.value);
  return b.value + (((a.error + b.error) + xx.error) + yy.error);
}

// log |x + iy|.
double LogAbs(double x, double y) {
  const double large = std::max(std::fabs(x), std::fabs(y));
  if (large > 0.5 && large < 1.5) {
    const double norm = f64::Hypot(x, y);
    if (norm > 0.7 && norm < 1.5) return 0.5 * f64::Log1p(SumOfSquares(-1, x, y));
    return f64::Log(norm);
  }
  // hypot must neither overflow nor lose the digits of a subnormal.
  if (large > 1e300) return f64::Log(f64::Hypot(x / 4, y / 4)) + 2 * kLn2;
  if (large < 1e-300 && large > 0) {
    return f64::Log(f64::Hypot(std::ldexp(x, 600), std::ldexp(y, 600))) - 600 * kLn2;
  }
  return f64::Log(f64::Hypot(x, y));
}

// i * z and -i * z.
Complex TimesI(Complex z) { return {-z.imag(), z.real()}; }
Complex TimesMinusI(Complex z) { return {z.imag(), -z.real()}; }

}  // namespace

Complex ComplexDivide(Complex a, Complex b) {
  double c = b.real();
  double d = b.imag();
  int scale = 0;
  const double large = std::max(std::fabs(c), std::fabs(d));
  if (std::isfinite(large) && large != 0) {
    scale = -std::ilogb(large);
    c = std::ldexp(c, scale);
    d = std::ldexp(d, scale);
  }
  const double norm = c * c + d * d;
  double x = std::ldexp((a.real() * c + a.imag() * d) / norm, scale);
  double y = std::ldexp((a.imag() * c - a.real() * d) / norm, scale);
  if (!std::isnan(x) || !std::isnan(y)) return {x, y};
  // Annex G.5.1: infinities and zeros that came out as NaN.
  const bool a_infinite = std::isinf(a.real()) || std::isinf(a.imag());
  const bool b_infinite = std::isinf(c) || std::isinf(d);
  if (norm == 0 && !(std::isnan(a.real()) && std::isnan(a.imag()))) {
    return {std::copysign(kInfinity, c) * a.real(), std::copysign(kInfinity, c) * a.imag()};
  }
  const auto unit = [](double v) { return std::copysign(std::isinf(v) ? 1.0 : 0.0, v); };
  if (a_infinite && std::isfinite(c) && std::isfinite(d)) {
    const double re = unit(a.real()), im = unit(a.imag());
    return {kInfinity * (re * c + im * d), kInfinity * (im * c - re * d)};
  }
  if (b_infinite && std::isfinite(a.real()) && std::isfinite(a.imag())) {
    const double re = unit(c), im = unit(d);
    return {0 * (a.real() * re + a.imag() * im), 0 * (a.imag() * re - a.real() * im)};
  }
  return {x, y};
}

Complex ComplexExp(Complex z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return {f64::Exp(x), y};
  // Annex G has zeros and infinities here for an infinite x; XLA's tests pin NaN.
  if (!std::isfinite(y)) return {kNan, kNan};
  if (std::fabs(x) > kExpNearOverflow && std::isfinite(x)) {
    const double half = f64::Exp(x / 2);
    return {half * f64::Cos(y) * half, half * f64::Sin(y) * half};
  }
  const double scale = f64::Exp(x);
  return {scale * f64::Cos(y), scale * f64::Sin(y)};
}

Complex ComplexExpm1(Complex z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return {f64::Expm1(x), y};
  if (!std::isfinite(x) || !std::isfinite(y) || x > kExpNearOverflow) return ComplexExp(z) - 1.0;
  const double s = f64::Sin(y / 2);
  return {f64::Expm1(x) * f64::Cos(y) - 2 * s * s, f64::Exp(x) * f64::Sin(y)};
}

Complex ComplexLog(Complex z) {
  return {LogAbs(z.real(), z.imag()), f64::Atan2(z.imag(), z.real())};
}

Complex ComplexLog1p(Complex z) {
  const double x = z.real(), y = z.imag();
  // 1 + x is exact where it matters.
  if (!(x > -0.5 && x < 2 && std::fabs(y) < 2)) return ComplexLog({1 + x, y});
  return {0.5 * f64::Log1p(SumOfSquares(2 * x, x, y)), f64::Atan2(y, 1 + x)};
}

Complex ComplexSquare(Complex z) {
  const double x = z.real(), y = z.imag(), half = x * y;
  const bool cancels = std::fabs(x) == std::fabs(y) && std::isfinite(x);
  return {cancels ? 0 : (x - y) * (x + y), half + half};
}

Complex ComplexSqrt(Complex z) {
  double x = z.real(), y = z.imag();
  if (x == 0 && y == 0) return {0, y};
  if (std::isinf(y)) return {kInfinity, y};
  if (std::isnan(x)) return {x, kNan};
  if (std::isinf(x)) {
    const double small = std::isnan(y) ? y : 0.0;
    if (x < 0) return {std::fabs(small), std::copysign(kInfinity, y)};
    return {x, std::isnan(y) ? y : std::copysign(0.0, y)};
  }
  // An even power of two, so that the sum under the root stays in range.
  int scale = 0;
  const double large = std::max(std::fabs(x), std::fabs(y));
  if (large > 1e300) scale = -4;
  if (large < 1e-290) scale = 200;
  x = std::ldexp(x, scale);
  y = std::ldexp(y, scale);
  const double root = std::sqrt((std::fabs(x) + f64::Hypot(x, y)) / 2);
  const double other = y / (2 * root);
  const Complex result =
      x >= 0 ? Complex(root, other) : Complex(std::fabs(other), std::copysign(root, y));
  return {std::ldexp(result.real(), -scale / 2), std::ldexp(result.imag(), -scale / 2)};
}

Complex ComplexCbrt(Complex z) {
  if (z == 0.0) return {0, std::copysign(0.0, z.imag())};
  const double angle = f64::Atan2(z.imag(), z.real()) / 3;
  const double large = std::max(std::fabs(z.real()), std::fabs(z.imag()));
  // Near 1, so that no power is too large or small.
  const int scale = std::isfinite(large) ? std::ilogb(large) / 3 : 0;
  const double size =
      f64::Hypot(std::ldexp(z.real(), -3 * scale), std::ldexp(z.imag(), -3 * scale));
  const double root = std::ldexp(f64::Cbrt(size), scale);
  return {root * f64::Cos(angle), angle == 0 ? angle : root * f64::Sin(angle)};
}

Complex ComplexLogistic(Complex z) {
  if (!(std::fabs(z.real()) < 1)) return ComplexDivide(1, 1.0 + ComplexExp(-z));
  // Where 1 + exp(-z) may cancel.
  const Complex half = ComplexTanh({z.real() / 2, z.imag() / 2});
  return {(1 + half.real()) / 2, half.imag() / 2};
}

Complex ComplexSinh(Complex z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return {f64::Sinh(x), y};
  if (std::isnan(x)) return {kNan, kNan};
  if (!std::isfinite(y)) return {x == 0 || std::isinf(x) ? x : kNan, kNan};
  if (std::fabs(x) > kExpNearOverflow && std::isfinite(x)) {
    const double half = f64::Exp(std::fabs(x) / 2);
    return {std::copysign(half, x) * (0.5 * f64::Cos(y)) * half, half * (0.5 * f64::Sin(y)) * half};
  }
  return {f64::Sinh(x) * f64::Cos(y), f64::Cosh(x) * f64::Sin(y)};
}

Complex ComplexCosh(Complex z) {
  const double x = z.real(), y = z.imag();
  if (std::isnan(x)) return {kNan, y == 0 ? y : kNan};
  if (y == 0) return {f64::Cosh(x), std::copysign(y, std::signbit(x) ? -y : y)};
  if (!std::isfinite(y)) return {std::isinf(x) ? kInfinity : kNan, x == 0 ? 0 : kNan};
  if (std::fabs(x) > kExpNearOverflow && std::isfinite(x)) {
    const double half = f64::Exp(std::fabs(x) / 2);
    return {half * (0.5 * f64::Cos(y)) * half, std::copysign(half, x) * (0.5 * f64::Sin(y)) * half};
  }
  return {f64::Cosh(x) * f64::Cos(y), f64::Sinh(x) * f64::Sin(y)};
}

Complex ComplexTanh(Complex z) {
  const double x = z.real(), y = z.imag();
  if (std::isnan(x)) return {kNan, y == 0 ? y : kNan};
  if (std::isinf(x)) {
    return {std::copysign(1, x), std::copysign(0, std::isfinite(y) ? f64::Sin(2 * y) : y)};
  }
  if (!std::isfinite(y)) return {kNan, kNan};
  if (y == 0) return {f64::Tanh(x), y};
  if (std::fabs(x) > 22) {  // 1 - |tanh| < 2^-60
    const double decay = f64::Exp(-std::fabs(x));
    return {std::copysign(1, x), 4 * f64::Sin(y) * f64::Cos(y) * decay * decay};
  }
  // Kahan, Branch cuts for complex elementary functions (1987).
  const double t = f64::Tan(y);
  const double beta = 1 + t * t;
  const double s = f64::Sinh(x);
  const double rho = std::sqrt(1 + s * s);
  if (std::isinf(t)) return {rho / s, 1 / t};
  const double denominator = 1 + beta * s * s;
  return {beta * rho * s / denominator, t / denominator};
}

Complex ComplexSin(Complex z) { return TimesMinusI(ComplexSinh(TimesI(z))); }
Complex ComplexCos(Complex z) { return ComplexCosh(TimesI(z)); }
Complex ComplexTan(Complex z) { return TimesMinusI(ComplexTanh(TimesI(z))); }

// Asin, acos, atanh: Kahan's formulas (see above) in the first quadrant, where no sum cancels, and
// the leading term of the series at infinity from 1e9 on, where the next one is below 2^-60.
Complex ComplexAsin(Complex z) {
  const double x = std::fabs(z.real()), y = std::fabs(z.imag());
  double re = 0, im = 0;
  if (std::isnan(x) || std::isnan(y)) {
    re = x == 0 ? 0 : kNan;
    im = std::isinf(x) || std::isinf(y) ? kInfinity : kNan;
  } else if (std::max(x, y) > 1e9) {
    re = f64::Atan2(x, y);
    im = LogAbs(x, y) + kLn2;
  } else {
    const Complex minus = ComplexSqrt({1 - x, -y});
    const Complex plus = ComplexSqrt({1 + x, y});
    re = f64::Atan2(x, minus.real() * plus.real() - minus.imag() * plus.imag());
    im = f64::Asinh(minus.real() * plus.imag() - minus.imag() * plus.real());
  }
  return {std::copysign(re, z.real()), std::copysign(im, z.imag())};
}

Complex ComplexAcos(Complex z) {
  const double x = z.real(), y = z.imag();
  const double im = -ComplexAsin(z).imag();
  if (std::isnan(x) || std::isnan(y)) return {x == 0 ? kHalfPi : kNan, im};
  if (std::max(std::fabs(x), std::fabs(y)) > 1e9) return {f64::Atan2(std::fabs(y), x), im};
  const Complex minus = ComplexSqrt({1 - x, -y});
  const Complex plus = ComplexSqrt({1 + x, y});
  return {2 * f64::Atan2(minus.real(), plus.real()), im};
}

Complex ComplexAsinh(Complex z) { return TimesI(ComplexAsin(TimesMinusI(z))); }

Complex ComplexAcosh(Complex z) {
  const Complex w = ComplexAcos(z);
  return {std::fabs(w.imag()), std::copysign(w.real(), z.imag())};
}

Complex ComplexAtanh(Complex z) {
  const double x = std::fabs(z.real()), y = std::fabs(z.imag());
  double re = 0, im = 0;
  if (std::isnan(x) || std::isnan(y)) {
    re = x == 0 || std::isinf(x) || std::isinf(y) ? 0 : kNan;
    im = std::isinf(y) ? kHalfPi : kNan;
  } else if (std::max(x, y) > 1e150) {
    const double norm = f64::Hypot(x / 4, y / 4);
    re = std::isinf(norm) ? 0 : (x / 4 / norm) / norm / 4;
    im = kHalfPi;
  } else {
    const double d = 1 - x;
    re = d == 0 && y < 1e-100 ? 0.5 * (kLn2 - f64::Log(y))
                              : 0.25 * f64::Log1p(4 * x / (d * d + y * y));
    im = 0.5 * f64::Atan2(2 * y, d * (1 + x) - y * y);
  }
  return {std::copysign(re, z.real()), std::copysign(im, z.imag())};
}

Complex ComplexAtan(Complex z) { return TimesMinusI(ComplexAtanh(TimesI(z))); }

Complex ComplexPower(Complex base, Complex exponent) {
  const double x = exponent.real();
  if (exponent == 0.0 || base == 1.0) return 1;
  if (exponent.imag() == 0 && base.imag() == 0 && base.real() >= 0) {
    return {f64::Pow(std::fabs(base.real()), x), 0};
  }
  if (base == 0.0 && x > 0) return 0;
  const Complex log = ComplexLog(base);
  if (exponent.imag() == 0) return ComplexExp({x * log.real(), x * log.imag()});
  return ComplexExp(exponent * log);
}

Complex ComplexAtan2(Complex y, Complex x) {
  const Complex norm = ComplexSqrt(x * x + y * y);
  return TimesMinusI(ComplexLog(ComplexDivide(x + TimesI(y), norm)));
}

}  // namespace hlo
