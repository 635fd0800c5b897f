// The functions of complex numbers for four at a time: complex_math.h.
#ifndef HLO_SMALL

#include "engine/kernels/complex_functions.h"
#include "engine/kernels/complex_math.h"
#include "engine/lanes/f64_functions.h"
#include "engine/lanes/four_lanes.h"

namespace hlo {
namespace complex {

/// What Either takes where lanes differ, found by its arguments.
inline FourComplex Select(lanes::FourLanes<bool> condition, const FourComplex& on_true,
                          const FourComplex& on_false) {
  return Chosen(condition, on_true, on_false);
}

template <>
struct Functions<lanes::FourLanes<double>> {
  using Four = lanes::FourLanes<double>;
  static Four Exp(Four x) { return f64::Exp(x); }
  static Four Expm1(Four x) { return f64::Expm1(x); }
  static Four Log(Four x) { return f64::Log(x); }
  static Four Log1p(Four x) { return f64::Log1p(x); }
  static Four Sin(Four x) { return f64::Sin(x); }
  static Four Cos(Four x) { return f64::Cos(x); }
  static Four Tan(Four x) { return f64::Tan(x); }
  static Four Sinh(Four x) { return f64::Sinh(x); }
  static Four Cosh(Four x) { return f64::Cosh(x); }
  static Four Tanh(Four x) { return f64::Tanh(x); }
  static Four Asinh(Four x) { return f64::Asinh(x); }
  static Four Cbrt(Four x) { return f64::Cbrt(x); }
  static Four Atan2(Four y, Four x) { return f64::Atan2(y, x); }
  static Four Hypot(Four x, Four y) { return f64::Hypot(x, y); }
  static FourComplex Exp(FourComplex z) { return ComplexExp(z); }
  static FourComplex Sqrt(FourComplex z) { return ComplexSqrt(z); }
  static FourComplex Divide(FourComplex a, FourComplex b) { return ComplexDivide(a, b); }
};

}  // namespace complex

FourComplex ComplexDivide(FourComplex a, FourComplex b) { return complex::Divide(a, b); }

#define UNARY(Name, Template) \
  FourComplex Complex##Name(FourComplex z) { return complex::Template(z); }
#include "engine/kernels/complex_functions.def"

}  // namespace hlo

#endif  // HLO_SMALL
