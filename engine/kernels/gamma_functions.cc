// log gamma, its derivatives, and the zeta function of Hurwitz. Sources of the formulas: NIST
// Digital Library of Mathematical Functions, 5.7 (series), 5.11 (for large arguments), 5.5
// (recurrence, reflection), 25.11.5 (Euler and Maclaurin's sum). Tables of coefficients were
// computed with 60 digits.
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>

#include "engine/kernels/constants.h"
#include "engine/kernels/special_functions.h"
#include "engine/lanes/exact_arithmetic.h"
#include "engine/lanes/f64_functions.h"

namespace hlo {
namespace {

constexpr double kLogPi = 1.1447298858494002;
constexpr double kHalfLogTwoPi = 0.9189385332046728;

/// The sum of coefficients[i] * x^i.
template <size_t kCount>
double Series(const double (&coefficients)[kCount], double x) {
  double sum = coefficients[kCount - 1];
  for (size_t i = kCount - 1; i-- > 0;) sum = sum * x + coefficients[i];
  return sum;
}

bool IsInteger(double x) { return x == std::floor(x); }

// ---- log gamma ----------------------------------------------------------------------------------

/// log gamma(2 + t) for |t| <= 0.5: (1 - Euler's constant) t + sum (-t)^k (zeta(k) - 1) / k.
double LogGammaNearTwo(double t) {
  static constexpr double kCoefficients[] = {
      0.42278433509846713,     0.3224670334241132,     -0.0673523010531981,
      0.020580808427784546,    -0.007385551028673986,  0.0028905103307415234,
      -0.001192753911703261,   0.0005096695247430425,  -0.00022315475845357939,
      9.945751278180853e-05,   -4.492623673813314e-05, 2.050721277567069e-05,
      -9.439488275268397e-06,  4.374866789907488e-06,  -2.039215753801366e-06,
      9.55141213040742e-07,    -4.492469198764566e-07, 2.1207184805554665e-07,
      -1.0043224823968099e-07, 4.7698101693639804e-08, -2.2711094608943164e-08,
      1.0838659214896955e-08,  -5.183475041970047e-09, 2.4836745438024785e-09,
      -1.1921401405860912e-09, 5.731367241678862e-10,  -2.7595228851242334e-10};
  return t * Series(kCoefficients, t);
}

/// From here on Stirling's series.
constexpr double kLargeGamma = 13;

/// What Stirling's formula leaves of log gamma(x), for x >= kLargeGamma.
double StirlingSeries(double x) {
  static constexpr double kCoefficients[] = {
      0.08333333333333333,   -0.002777777777777778,  0.0007936507936507937, -0.0005952380952380953,
      0.0008417508417508417, -0.0019175269175269176, 0.00641025641025641,   -0.029550653594771242};
  return Series(kCoefficients, 1 / (x * x)) / x;
}

/// log gamma(x) for x >= 1.5.
double LogGammaAbove(double x) {
  if (x >= kLargeGamma)
    return (x - 0.5) * (f64::Log(x) - 1) + (kHalfLogTwoPi - 0.5) + StirlingSeries(x);
  // gamma(x) = (x - 1) (x - 2) ... gamma(r), with r in [1.5, 2.5).
  double product = 1;
  while (x >= 2.5) {
    x -= 1;
    product *= x;
  }
  return product == 1 ? LogGammaNearTwo(x - 2) : f64::Log(product) + LogGammaNearTwo(x - 2);
}

}  // namespace

double Log1pRest(double y) {
  // log(1 + y) = 2 atanh(r), and y - 2 r = r y.
  static constexpr auto kOdd = [] {
    std::array<double, 15> inverse{};
    for (size_t i = 0; i < inverse.size(); ++i) inverse[i] = 1 / static_cast<double>(2 * i + 3);
    return inverse;
  }();
  const double r = y / (2 + y), square = r * r;
  double sum = 0;
  for (size_t i = kOdd.size(); i-- > 0;) sum = sum * square + kOdd[i];
  return 2 * r * square * sum - r * y;
}

double StirlingRest(double a) {
  // From a to a + 1 it falls by (a + 1/2) log(1 + 1 / a) - 1.
  double sum = 0;
  while (a < kLargeGamma) {
    const double y = 1 / a, log = f64::Log1p(y);
    sum += y > 0.7 ? (a + 0.5) * log - 1 : a * Log1pRest(y) + 0.5 * log;
    a += 1;
  }
  return sum + StirlingSeries(a);
}

double Gamma1p(double a) {
  if (a < 0.5) return f64::Exp(Lgamma1p(a));
  double product = 1;
  while (a >= 1.5) {
    product *= a;
    a -= 1;
  }
  return product * f64::Exp(LogGammaNearTwo(a - 1));
}

double Lgamma1p(double a) { return a < 0.5 ? LogGammaNearTwo(a) - f64::Log1p(a) : Lgamma(1 + a); }

double Lgamma(double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x) || (x <= 0 && IsInteger(x))) return kInfinity;
  if (x >= 1.5) return LogGammaAbove(x);
  if (x >= 0.5) return LogGammaNearTwo(x - 1) - f64::Log1p(x - 1);
  if (x > 0) return LogGammaNearTwo(x) - f64::Log1p(x) - f64::Log(x);
  if (x > -20) {
    // gamma(x) = gamma(r) / (x (x + 1) ... ): near a zero of the result both logarithms are small.
    double product = 1;
    while (x < 1.5) {
      product *= x;
      x += 1;
    }
    return LogGammaNearTwo(x - 2) - f64::Log(std::fabs(product));
  }
  // gamma(x) gamma(-x) = -pi / (x sin(pi x)).
  double fraction = -x - std::floor(-x);
  if (fraction > 0.5) fraction = 1 - fraction;
  return kLogPi - f64::Log(-x * f64::Sin(kPi * fraction)) - LogGammaAbove(-x);
}

// ---- Its derivatives ----------------------------------------------------------------------------

namespace {

/// digamma(x) for x in [0.9, 2): Taylor's series around its zero, which is given as the sum of two
/// doubles.
double DigammaNearZero(double x) {
  constexpr double kZero = 1.4616321449683622, kZeroRest = 9.549995429965697e-17;
  static constexpr double kCoefficients[] = {
      0.9676722454476212,      -0.4427631689835921,     0.258499760955651,
      -0.16394270544240652,    0.10782405069126237,     -0.07219956125645471,
      0.04880428816414311,     -0.03316112647484736,    0.022597648232218104,
      -0.01542476590494896,    0.010538791616612175,    -0.007204534386356869,
      0.004926781395729853,    -0.003369801655439328,   0.002305126326734928,
      -0.0015769367714301972,  0.0010788252019162967,   -0.0007380709389960052,
      0.000504953265834602,    -0.0003454680251063077,  0.00023635601564027053,
      -0.00016170622091974803, 0.0001106337276874741,   -7.569179582195066e-05,
      5.178575795222081e-05,   -3.5430070947659604e-05, 2.424006611860132e-05,
      -1.6584242271854135e-05, 1.134638458466385e-05,   -7.762817668462094e-06,
      5.3110609208898636e-06,  -3.6336507898010456e-06, 2.486022733129538e-06,
      -1.7008538854332607e-06, 1.1636675363548843e-06,  -7.96142543124197e-07,
      5.446941930669446e-07};
  const double t = (x - kZero) - kZeroRest;
  return t * Series(kCoefficients, t);
}

/// log(x) - digamma(x) for x >= 12.
double LogMinusDigammaOfLarge(double x) {
  static constexpr double kCoefficients[] = {
      0.08333333333333333,  -0.008333333333333333, 0.003968253968253968, -0.004166666666666667,
      0.007575757575757576, -0.021092796092796094, 0.08333333333333333};
  const double r = 1 / (x * x);
  return 0.5 / x + r * Series(kCoefficients, r);
}

}  // namespace

double Digamma(double x) {
  if (x == 0) return -kInfinity;
  if (x < 0) {
    if (IsInteger(x)) return kNan;
    // What is left of x when the nearest integer is taken off, exactly.
    const double reduced = x - std::floor(x + 0.5);
    return Digamma(1 - x) - kPi / f64::Tan(kPi * reduced);
  }
  if (x >= 12) return f64::Log(x) - LogMinusDigammaOfLarge(x);
  if (x < 0.96) return DigammaNearZero(x + 1) - 1 / x;
  double sum = 0;
  for (; x >= 1.96; sum += 1 / x) x -= 1;
  return sum + DigammaNearZero(x);
}

double LogMinusDigamma(double a) {
  return a >= 12 ? LogMinusDigammaOfLarge(a) : f64::Log(a) - Digamma(a);
}

namespace {

/// q^x times the zeta function, for x > 1 and q > 0.
double ScaledZeta(double x, double q) {
  // B(2k) / (2k)!
  static constexpr double kBernoulli[] = {
      0.08333333333333333,    -0.001388888888888889,   3.306878306878307e-05,
      -8.267195767195768e-07, 2.08767569878681e-08,    -5.284190138687493e-10,
      1.3382536530684679e-11, -3.3896802963225827e-13, 8.586062056277845e-15,
      -2.174868698558062e-16, 5.5090028283602295e-18,  -1.3954464685812522e-19};
  constexpr double kLeastBase = 12;
  if (q == kInfinity) return 1;
  double sum = 0, base = q, power = 1;
  // Terms, until the sum is done or the rest is known: Euler and Maclaurin's sum from `base` on is
  // exact to the last bit when base is large, also against x. Either is so after 60 of them.
  for (double k = 1; power > kEpsilon / 16 * sum; ++k) {
    if (base >= kLeastBase + 0.7 * x) break;
    sum += power;
    base = q + k;
    power = base < 0x1p52 ? f64::Pow(q / base, x) : f64::Exp(-x * f64::Log1p(k / q));
  }
  if (!(power > kEpsilon / 16 * sum)) return sum;
  double rest = 0;
  const double inverse_square = 1 / (base * base);
  for (size_t k = std::size(kBernoulli); k-- > 0;) {
    const double next = kBernoulli[k] + rest;
    const double i = 2 * static_cast<double>(k);
    rest = k == 0 ? next : next * (x + i) * (x + i - 1) * inverse_square;
  }
  return sum + power * (base / (x - 1) + 0.5 + x / base * rest);
}

/// The sum over k = 0, 1, ... of (q + k)^-x, for q < 0 that is no integer and whole x > 1, given
/// the same for positive q. The sum over all k, also the negative ones, only depends on the
/// fraction of q; it is zeta(x, q) + (-1)^x zeta(x, 1 - q).
template <typename F>
double Reflected(double x, double q, F&& positive) {
  const double fraction = q - std::floor(q), sign = std::fmod(x, 2) == 0 ? 1 : -1;
  return positive(fraction) + sign * (positive(1 - fraction) - positive(1 - q));
}

/// inf at the poles of zeta(x, q) where both sides agree, NaN elsewhere.
double AtPole(double x) { return std::fmod(x, 2) == 0 ? kInfinity : kNan; }

/// The factorials that are finite, rounded.
constexpr int kFactorials = 171;
struct Factorials {
  double of[kFactorials] = {};
  constexpr Factorials() {
    // Two numbers and a scale, so that neither the halves' products round nor anything overflows.
    constexpr double kScale = 0x1p-60;
    double high = kScale, low = 0;
    of[0] = 1;
    for (int n = 1; n < kFactorials; ++n) {
      const Exact halves = Split(high);
      const Exact product = TwoSum(halves.value * n, halves.error * n);
      const Exact whole = TwoSum(product.value, product.error + low * n);
      high = whole.value;
      low = whole.error;
      of[n] = high / kScale;
    }
  }
};
constexpr Factorials kFactorial;

/// n! zeta(n + 1, q) for n >= 1 and q > 0.
double FactorialTimesZeta(double n, double q) {
  const double power = f64::Pow(q, -(n + 1)), scaled = ScaledZeta(n + 1, q);
  if (n < kFactorials && power >= std::numeric_limits<double>::min()) {
    return kFactorial.of[static_cast<int>(n)] * power * scaled;
  }
  // Neither factor alone is a number.
  const double log_factorial = Lgamma(n + 1);
  return log_factorial == kInfinity ? kInfinity
                                    : f64::Exp(log_factorial - (n + 1) * f64::Log(q)) * scaled;
}

}  // namespace

double Zeta(double x, double q) {
  if (std::isnan(x) || std::isnan(q)) return kNan;
  if (x == 1) return kInfinity;
  if (x < 1) return kNan;
  const auto positive = [x](double p) { return f64::Pow(p, -x) * ScaledZeta(x, p); };
  if (q > 0) return positive(q);
  if (!IsInteger(x)) return kNan;
  return IsInteger(q) ? AtPole(x) : Reflected(x, q, positive);
}

double Polygamma(double n, double x) {
  if (std::isnan(n) || std::isnan(x) || n < 0 || !IsInteger(n)) return kNan;
  if (n == 0) return Digamma(x);
  const double sign = std::fmod(n, 2) == 0 ? -1 : 1;
  const auto positive = [n](double p) { return FactorialTimesZeta(n, p); };
  if (x > 0) return sign * positive(x);
  return sign * (IsInteger(x) ? AtPole(n + 1) : Reflected(n + 1, x, positive));
}

}  // namespace hlo
