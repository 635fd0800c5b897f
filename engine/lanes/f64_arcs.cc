#include "engine/lanes/f64_arcs.h"

#include "engine/lanes/f64_functions.h"

namespace hlo::f64 {

double Asin(double x) { return generic::Asin(x); }
double Acos(double x) { return generic::Acos(x); }
double Atan(double x) { return Atan2(x, 1); }
double Atan2(double y, double x) { return generic::Atan2(y, x); }

}  // namespace hlo::f64
