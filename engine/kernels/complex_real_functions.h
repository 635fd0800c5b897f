// The functions of f64 that functions of complex numbers are made of, of one number and of four.
#ifndef HLO_ENGINE_KERNELS_COMPLEX_REAL_FUNCTIONS_H_
#define HLO_ENGINE_KERNELS_COMPLEX_REAL_FUNCTIONS_H_

#include "engine/lanes/f64_functions.h"

namespace hlo::complex {

/// Of D, double or four of them: what specialisations of Functions (complex_parts.h) derive from.
template <typename D>
struct RealFunctions {
  static D Exp(D x) { return f64::Exp(x); }
  static D Expm1(D x) { return f64::Expm1(x); }
  static D Log(D x) { return f64::Log(x); }
  static D Log1p(D x) { return f64::Log1p(x); }
  static D Sin(D x) { return f64::Sin(x); }
  static D Cos(D x) { return f64::Cos(x); }
  static D Tan(D x) { return f64::Tan(x); }
  static D Sinh(D x) { return f64::Sinh(x); }
  static D Cosh(D x) { return f64::Cosh(x); }
  static D Tanh(D x) { return f64::Tanh(x); }
  static D Asinh(D x) { return f64::Asinh(x); }
  static D Cbrt(D x) { return f64::Cbrt(x); }
  static D Atan2(D y, D x) { return f64::Atan2(y, x); }
  static D Hypot(D x, D y) { return f64::Hypot(x, y); }
};

}  // namespace hlo::complex

#endif  // HLO_ENGINE_KERNELS_COMPLEX_REAL_FUNCTIONS_H_
