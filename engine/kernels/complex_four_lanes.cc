// The functions of complex numbers for four at a time: complex_math.h.
#ifndef HLO_SMALL

#include "engine/kernels/complex_functions.h"
#include "engine/kernels/complex_math.h"
#include "engine/kernels/complex_real_functions.h"
#include "engine/lanes/four_lanes.h"

namespace hlo {
namespace complex {

/// What Either takes where lanes differ, found by its arguments.
inline FourComplex Select(lanes::FourLanes<bool> condition, const FourComplex& on_true,
                          const FourComplex& on_false) {
  return Chosen(condition, on_true, on_false);
}

template <>
struct Functions<lanes::FourLanes<double>> : RealFunctions<lanes::FourLanes<double>> {
  using RealFunctions::Exp;
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
