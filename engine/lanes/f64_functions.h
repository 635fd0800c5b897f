// Functions of an f64 that are the same bits everywhere: nothing but IEEE operations is used, none
// of which may be contracted to a fused multiply-add. What would lose digits is computed with pairs
// of f64 (exact_arithmetic.h). The largest errors that `make ulp` found are listed in this
// directory's README: all are below one unit in the last place, but for Erfc's, which is below 3.
//
// Special values and signs of zero are those of C99's Annex F. NaN gives NaN, but for powers.
#ifndef HLO_ENGINE_LANES_F64_FUNCTIONS_H_
#define HLO_ENGINE_LANES_F64_FUNCTIONS_H_

#include "engine/lanes/four_lanes.h"

namespace hlo::f64 {

// ---- f64_exponentials.cc ------------------------------------------------------------------------

double Exp(double x);
/// e^x - 1.
double Expm1(double x);
/// 1 / (1 + e^-x).
double Logistic(double x);
double Sinh(double x);
double Cosh(double x);
double Tanh(double x);

// ---- f64_logarithms.cc --------------------------------------------------------------------------

double Log(double x);
/// log(1 + x).
double Log1p(double x);
double Asinh(double x);
/// NaN below 1.
double Acosh(double x);
double Atanh(double x);

// ---- f64_powers.cc ------------------------------------------------------------------------------

/// x to the power of y; anything to the power 0 and 1 to any power are 1, even of NaN.
double Pow(double x, double y);
double Cbrt(double x);
/// The square root of x^2 + y^2, which may over- or underflow. XLA: infinite if x or y is.
double Hypot(double x, double y);

// ---- f64_angles.cc ------------------------------------------------------------------------------

double Sin(double x);
double Cos(double x);
double Tan(double x);

// ---- f64_arcs.cc --------------------------------------------------------------------------------

double Asin(double x);
double Acos(double x);
double Atan(double x);
/// The angle of the point (x, y), from -pi to pi.
double Atan2(double y, double x);

// ---- f64_error_function.cc ----------------------------------------------------------------------

double Erf(double x);
/// 1 - erf(x), with full precision where it is small.
double Erfc(double x);

#ifndef HLO_SMALL  // what the page loads first goes without them

// ---- f64_four_lanes.cc --------------------------------------------------------------------------

using lanes::FourLanes;
#define UNARY(Function) FourLanes<double> Function(FourLanes<double> x);
#define BINARY(Function) FourLanes<double> Function(FourLanes<double> x, FourLanes<double> y);
#include "engine/lanes/f64_four_lanes.def"

#endif

}  // namespace hlo::f64

#endif  // HLO_ENGINE_LANES_F64_FUNCTIONS_H_
