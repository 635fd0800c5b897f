// Elementary functions of complex numbers, in f64; c64 computes in f64 and rounds once. Our own,
// because the two standard libraries differ in special values and by many ulps near cancellation.
// Special values are those of C99 Annex G unless noted otherwise. Each part of a result is within 3
// ulps, but for expm1, whose real part may cancel: there it is within 3e-16 of the larger of its
// terms, exp(x) cos(y) and 1; and for tan, tanh, rsqrt and logistic, within 6.
#ifndef HLO_ENGINE_KERNELS_COMPLEX_MATH_H_
#define HLO_ENGINE_KERNELS_COMPLEX_MATH_H_

#include <complex>

#include "engine/kernels/complex_parts.h"
#include "engine/lanes/four_lanes.h"

namespace hlo {

using Complex = std::complex<double>;

#ifdef HLO_SMALL
/// Throws RunError: what the page loads first has no functions of complex numbers.
[[noreturn]] void ThrowComplexAbsent();
#endif

/// a / b; a finite number over an infinite one is 0, a number over 0 is infinite.
Complex ComplexDivide(Complex a, Complex b);
/// NaN in both parts when the imaginary part of z is not finite.
Complex ComplexExp(Complex z);
Complex ComplexExpm1(Complex z);
Complex ComplexLog(Complex z);
Complex ComplexLog1p(Complex z);
/// Zero is the real part where the parts are equally large, also where their squares overflow.
Complex ComplexSquare(Complex z);
Complex ComplexSqrt(Complex z);
/// The principal root, whose angle is a third of z's.
Complex ComplexCbrt(Complex z);
/// 1 / (1 + exp(-z)).
Complex ComplexLogistic(Complex z);
Complex ComplexSinh(Complex z);
Complex ComplexCosh(Complex z);
Complex ComplexTanh(Complex z);
Complex ComplexSin(Complex z);
Complex ComplexCos(Complex z);
Complex ComplexTan(Complex z);
Complex ComplexAsin(Complex z);
Complex ComplexAcos(Complex z);
Complex ComplexAsinh(Complex z);
Complex ComplexAcosh(Complex z);
Complex ComplexAtan(Complex z);
Complex ComplexAtanh(Complex z);
/// exp(exponent * log(base)), but: anything to the power 0 and 1 to any power are 1; +infinity to a
/// positive real power is itself and to a negative one 0; 0 to a positive real power is 0.
Complex ComplexPower(Complex base, Complex exponent);
/// -i log((x + iy) / sqrt(x^2 + y^2)).
Complex ComplexAtan2(Complex y, Complex x);

/// Four complex numbers.
using FourComplex = complex::Pair<lanes::FourLanes<double>>;

#ifndef HLO_SMALL
FourComplex ComplexDivide(FourComplex a, FourComplex b);
#define UNARY(Name, Template) FourComplex Complex##Name(FourComplex z);
#include "engine/kernels/complex_functions.def"
#endif

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_COMPLEX_MATH_H_
