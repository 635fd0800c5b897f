// The incomplete gamma and beta functions, as integrals of their densities from the end that does
// not cancel. The densities are taken as functions of log t and of log(t / (1 - t)): there the part
// beyond x is the density at x times the integral over s > 0 of an exponential that starts at 1 and
// only falls, so neither overflows, and small results keep their full precision.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "engine/kernels/constants.h"
#include "engine/kernels/special_functions.h"
#include "engine/lanes/exact_arithmetic.h"
#include "engine/lanes/f64_functions.h"

namespace hlo {
namespace {

/// a (log(1 + y) - y), where 1 + y is `ratio`: two numbers, because close to 0 the one has all
/// digits, and close to 1 the other.
double PowerRest(double a, double ratio, double y) {
  return y < -0.4 || y > 0.7 ? a * (f64::Log(ratio) - y) : a * Log1pRest(y);
}

/// exp(y) - 1 - y.
double Expm1Rest(double y) {
  if (std::fabs(y) > 1) return f64::Expm1(y) - y;
  static constexpr auto kInverseFactorials = [] {
    std::array<double, 17> inverse{0.5};
    for (size_t i = 1; i < inverse.size(); ++i) inverse[i] = inverse[i - 1] / double(i + 2);
    return inverse;
  }();
  double sum = 0;
  for (size_t i = kInverseFactorials.size(); i-- > 0;) sum = sum * y + kInverseFactorials[i];
  return y * y * sum;
}

// The integral of f over s > 0, by Takahasi and Mori's double exponential substitution: s = scale
// exp(pi / 2 sinh t) and the trapezoidal rule in t, with steps of 1/2, 1/4, ...
constexpr int kEnd = 9, kHalvings = 8;  // half the largest |t|; after the first step

/// A point of the rule: s over scale, and what f there counts.
struct Point {
  double s, weight;
};

/// Those that halving number `level` adds, in ascending order; those of the first step for 0.
const std::vector<Point>& PointsOf(int level) {
  static const auto levels = [] {
    std::array<std::vector<Point>, kHalvings + 1> all;
    for (int i = 0; i <= kHalvings; ++i) {
      const int points = i == 0 ? 2 * kEnd + 1 : kEnd << i;
      const double step = std::ldexp(0.5, i == 0 ? 0 : 1 - i), first = i == 0 ? 0 : step / 2;
      for (int k = 0; k < points; ++k) {
        const double t = first + k * step - kEnd * 0.5;
        const double s = f64::Exp(kTwoPi / 4 * f64::Sinh(t));
        all[static_cast<size_t>(i)].push_back({s, kTwoPi / 4 * s * f64::Cosh(t)});
      }
    }
    return all;
  }();
  return levels[static_cast<size_t>(level)];
}

/// f is finite at 0, does not change its sign, and vanishes beyond some multiple of `scale`.
template <typename F>
double Integrate(double scale, F&& f) {
  const auto term = [&](const Point& point) {
    const double s = scale * point.s;
    return s < kInfinity ? f(s) * point.weight : 0;
  };
  double terms[2 * kEnd + 1], sum = 0;
  for (int i = 0; i <= 2 * kEnd; ++i) sum += terms[i] = term(PointsOf(0)[static_cast<size_t>(i)]);
  // What is outside adds nothing.
  int first = 0, last = 2 * kEnd;
  const double least = kEpsilon / 64 * std::fabs(sum);
  while (first < last && !(std::fabs(terms[first]) > least)) ++first;
  while (first < last && !(std::fabs(terms[last]) > least)) --last;
  first = std::max(first - 1, 0);
  last = std::min(last + 1, 2 * kEnd);
  int level = 0;
  while (level < kHalvings) {
    const double before = sum;
    ++level;
    const std::vector<Point>& points = PointsOf(level);
    const int between = 1 << (level - 1);
    for (int k = first * between; k < last * between; ++k) {
      sum += term(points[static_cast<size_t>(k)]);
    }
    // The number of right digits doubles every time.
    if (!(std::fabs(sum / 2 - before) > 1e-11 * std::fabs(before))) break;
  }
  return scale * std::ldexp(sum, -1 - level);
}

// ---- Gamma --------------------------------------------------------------------------------------

/// Up to here power series.
constexpr double kSmall = 1;

/// x^a exp(-x) / gamma(a + 1): the density as a function of log x, over a.
double GammaDensity(double a, double x) {
  if (a < 13) return f64::Pow(x, a) * f64::Exp(-x) / Gamma1p(a);
  return f64::Exp(PowerRest(a, x / a, (x - a) / a) - StirlingRest(a)) / std::sqrt(kTwoPi * a);
}

/// Sums over n = 0, 1, ... of x^n / ((a + 1) ... (a + n)), and of its derivatives with respect to
/// a.
struct LowerSeries {
  double sum = 1, slope = 0;
  LowerSeries(double a, double x) {
    double term = 1, logarithm = 0;
    for (double n = 1; term > kEpsilon / 16; ++n) {
      term *= x / (a + n);
      logarithm += 1 / (a + n);
      sum += term;
      slope -= term * logarithm;
    }
  }
};

/// Integrals of the density over log t, below and above log x, over a times GammaDensity(a, x);
/// `weight` is a function of |log t - log x|.
template <typename F>
double GammaBelow(double a, double x, F&& weight) {
  return Integrate(1 / (std::max(a - x, 0.0) + std::sqrt(x)), [&](double s) {
    return weight(s) * f64::Exp(-(a - x) * s - x * Expm1Rest(-s));
  });
}
template <typename F>
double GammaAbove(double a, double x, F&& weight) {
  return Integrate(1 / (std::max(x - a, 0.0) + std::sqrt(x)),
                   [&](double s) { return weight(s) * f64::Exp(-(x - a) * s - x * Expm1Rest(s)); });
}

double Unweighted(double) { return 1; }

/// The derivative of P with respect to a, over GammaDensity(a, x), for positive finite a and x: the
/// integral below x of log t - digamma(a), or minus that above, whichever does not change its sign.
double GammaSlope(double a, double x) {
  if (x <= kSmall) {
    const LowerSeries series(a, x);
    return series.sum * (f64::Log(x) - Digamma(a + 1)) + series.slope;
  }
  const double distance =
      a < 13 ? f64::Log(x) - Digamma(a) : f64::Log1p((x - a) / a) + LogMinusDigamma(a);
  if (distance <= 0) return a * GammaBelow(a, x, [&](double s) { return distance - s; });
  return -a * GammaAbove(a, x, [&](double s) { return distance + s; });
}

bool IsGammaDomain(double a, double x) { return a > 0 && x >= 0; }

}  // namespace

double Igamma(double a, double x) {
  if (!IsGammaDomain(a, x)) return kNan;
  if (x == 0 || a == kInfinity) return x == kInfinity && a == kInfinity ? kNan : 0;
  if (x == kInfinity) return 1;
  if (x <= kSmall) return GammaDensity(a, x) * LowerSeries(a, x).sum;
  if (x <= a) return a * GammaDensity(a, x) * GammaBelow(a, x, Unweighted);
  return 1 - Igammac(a, x);
}

double Igammac(double a, double x) {
  if (std::isnan(a) || std::isnan(x)) return kNan;
  if (a <= 0 || x <= 0) return 1;
  if (x == kInfinity) return a == kInfinity ? kNan : 0;
  if (x > kSmall && x > a) return a * GammaDensity(a, x) * GammaAbove(a, x, Unweighted);
  if (x > kSmall || a >= 1) return 1 - Igamma(a, x);
  // Of x^a / gamma(a + 1) sum (-x)^n a / (n! (a + n)) the first term is all but 1.
  const double first = a * f64::Log(x) - Lgamma1p(a);
  double term = 1, sum = 0;
  for (double n = 1; std::fabs(term) > kEpsilon / 16; ++n) {
    term *= -x / n;
    sum += term / (a + n);
  }
  return -f64::Expm1(first) - f64::Exp(first) * a * sum;
}

double IgammaGradA(double a, double x) {
  if (!IsGammaDomain(a, x)) return kNan;
  if (x == 0 || x == kInfinity || a == kInfinity) return 0;
  const double density = GammaDensity(a, x);
  return density == 0 ? 0 : density * GammaSlope(a, x);
}

double RandomGammaGrad(double a, double x) {
  if (!IsGammaDomain(a, x)) return kNan;
  if (x == 0) return 0;
  if (x == kInfinity || a == kInfinity) return kNan;
  return -x / a * GammaSlope(a, x);
}

// ---- Beta ---------------------------------------------------------------------------------------

namespace {

/// I_x(a, b) for x up to about a / (a + b); w = 1 - x and distance = a w - b x.
double BetaBelow(double a, double b, double x, double w, double distance) {
  const double n = a + b;
  // x^a w^b / B(a, b). Loader, Fast and accurate computation of binomial probabilities (2000).
  const double exponent = StirlingRest(n) - StirlingRest(a) - StirlingRest(b) +
                          PowerRest(a, x / a * n, -distance / a) +
                          PowerRest(b, w / b * n, distance / b);
  const double density = f64::Exp(exponent) * std::sqrt(a / n * b / kTwoPi);
  if (density == 0) return 0;
  // The smaller of x and w is what log(w + x exp(-s)) is written with.
  const double scale = 1 / (std::max(distance, 0.0) + std::sqrt(n * x * w));
  return density * Integrate(scale, [&](double s) {
           if (s > 700) return f64::Exp(-a * s - n * f64::Log(w + x * f64::Exp(-s)));
           const double part = x <= w ? x : w, e = x <= w ? -s : s;
           const double y = part * f64::Expm1(e);
           const double rest =
               std::fabs(y) < 0.5 ? Log1pRest(y) + part * Expm1Rest(e) : f64::Log1p(y) - part * e;
           return f64::Exp(-distance * s - n * rest);
         });
}

}  // namespace

double RegularizedIncompleteBeta(double a, double b, double x) {
  if (!(a > 0 && b > 0 && x >= 0 && x <= 1) || a == kInfinity || b == kInfinity) return kNan;
  if (x == 0 || x == 1) return x;
  // a (1 - x) - b x, of exact products.
  const Exact ax = TwoProduct(a, x), bx = TwoProduct(b, x);
  const Exact first = TwoSum(a, -ax.value), all = TwoSum(first.value, -bx.value);
  const double distance = all.value + (all.error + first.error - ax.error - bx.error);
  if (distance >= 0) return BetaBelow(a, b, x, 1 - x, distance);
  return 1 - BetaBelow(b, a, 1 - x, x, -distance);
}

}  // namespace hlo
