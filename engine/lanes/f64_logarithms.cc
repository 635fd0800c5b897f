#include "engine/lanes/f64_logarithms.h"

#include "engine/lanes/f64_functions.h"

namespace hlo::f64 {

double Log(double x) { return generic::Log(x); }
double Log1p(double x) { return generic::Log1p(x); }
double Asinh(double x) { return generic::Asinh(x); }
double Acosh(double x) { return generic::Acosh(x); }
double Atanh(double x) { return generic::Atanh(x); }

}  // namespace hlo::f64
