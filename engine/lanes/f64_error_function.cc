#include "engine/lanes/f64_error_function.h"

#include <cmath>

#include "engine/lanes/f64_functions.h"

namespace hlo::f64 {

double Erf(double x) { return generic::Erf(x); }

double Erfc(double x) {
  if (std::fabs(x) < generic::kNearEnd) {
    const Exact sum = TwoSum(1, -x);
    return sum.value + (sum.error - x * Series(generic::kNear, x * x));
  }
  if (x < 0) return 1 + Erf(-x);
  if (x < generic::kMiddleEnd) return Plus({1, 0}, Minus(generic::Middle(x))).value;
  return x < 28 ? generic::FarErfc(x) : std::isnan(x) ? x : 0;
}

}  // namespace hlo::f64
