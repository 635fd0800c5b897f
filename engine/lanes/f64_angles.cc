#include "engine/lanes/f64_angles.h"

#include "engine/lanes/f64_functions.h"

namespace hlo::f64 {

double Sin(double x) { return generic::Sin(x); }
double Cos(double x) { return generic::Cos(x); }
double Tan(double x) { return generic::Tan(x); }

}  // namespace hlo::f64
