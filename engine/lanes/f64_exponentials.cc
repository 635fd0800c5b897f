#include "engine/lanes/f64_exponentials.h"

#include "engine/lanes/f64_functions.h"

namespace hlo::f64 {

double Exp(double x) { return generic::Exp(x); }
double Expm1(double x) { return generic::Expm1(x); }
double Logistic(double x) { return generic::Logistic(x); }
double Sinh(double x) { return generic::Sinh(x); }
double Cosh(double x) { return generic::Cosh(x); }
double Tanh(double x) { return generic::Tanh(x); }

}  // namespace hlo::f64
