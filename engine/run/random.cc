#include "engine/run/random.h"

#include <cmath>

namespace hlo {
namespace {

// ln x for x > 0 with additions, multiplications and divisions only: x = m * 2^e with m near 1,
// then ln m = 2 atanh((m - 1) / (m + 1)).
double Logarithm(double x) {
  constexpr double kLn2 = 0.6931471805599453;
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.7071067811865476) {
    m *= 2;
    --exponent;
  }
  const double t = (m - 1) / (m + 1);
  const double square = t * t;
  double sum = 0;
  for (int k = 21; k >= 1; k -= 2) sum = sum * square + 1.0 / k;
  return 2 * t * sum + exponent * kLn2;
}

}  // namespace

double Random::Normal() {
  while (true) {
    const double x = 2 * Uniform() - 1;
    const double y = 2 * Uniform() - 1;
    const double r = x * x + y * y;
    if (r > 0 && r < 1) return x * std::sqrt(-2 * Logarithm(r) / r);
  }
}

}  // namespace hlo
