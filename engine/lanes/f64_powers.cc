#include "engine/lanes/f64_powers.h"

#include "engine/lanes/f64_functions.h"

namespace hlo::f64 {

double Pow(double x, double y) { return generic::Pow(x, y); }
double Cbrt(double x) { return generic::Cbrt(x); }
double Hypot(double x, double y) { return generic::Hypot(x, y); }

}  // namespace hlo::f64
