#include "engine/kernels/complex_math.h"

#ifdef HLO_SMALL

#include "engine/base/budget.h"

// The page's first load goes without them: what has complex numbers runs in the full engine
// (wasm/pair.ts).
#define HLO_ABSENT(name) \
  Complex Complex##name(Complex) { ThrowComplexAbsent(); }
#define HLO_ABSENT_BINARY(name) \
  Complex Complex##name(Complex, Complex) { ThrowComplexAbsent(); }

namespace hlo {

void ThrowComplexAbsent() {
  throw RunError(DiagCode::kNotExecutable, "functions of complex numbers are in the full engine");
}

HLO_ABSENT_BINARY(Divide)
HLO_ABSENT_BINARY(Power)
HLO_ABSENT_BINARY(Atan2)
HLO_ABSENT(Square)
HLO_ABSENT(Sqrt)
HLO_ABSENT(Exp)
HLO_ABSENT(Expm1)
HLO_ABSENT(Log)
HLO_ABSENT(Log1p)
HLO_ABSENT(Cbrt)
HLO_ABSENT(Logistic)
HLO_ABSENT(Sinh)
HLO_ABSENT(Cosh)
HLO_ABSENT(Tanh)
HLO_ABSENT(Sin)
HLO_ABSENT(Cos)
HLO_ABSENT(Tan)
HLO_ABSENT(Asin)
HLO_ABSENT(Acos)
HLO_ABSENT(Asinh)
HLO_ABSENT(Acosh)
HLO_ABSENT(Atan)
HLO_ABSENT(Atanh)

}  // namespace hlo

#undef HLO_ABSENT
#undef HLO_ABSENT_BINARY

#else

#include <cmath>

#include "engine/kernels/complex_functions.h"
#include "engine/kernels/complex_real_functions.h"
#include "engine/lanes/f64_functions.h"

namespace hlo {
namespace {

using ComplexPair = complex::Pair<double>;

ComplexPair PairOf(Complex z) { return {z.real(), z.imag()}; }
Complex ComplexOf(ComplexPair z) { return {z.real, z.imag}; }

}  // namespace

namespace complex {

template <>
struct Functions<double> : RealFunctions<double> {
  using RealFunctions::Exp, RealFunctions::Log;
  static double Pow(double x, double y) { return f64::Pow(x, y); }
  static ComplexPair Exp(ComplexPair z) { return PairOf(ComplexExp(ComplexOf(z))); }
  static ComplexPair Log(ComplexPair z) { return PairOf(ComplexLog(ComplexOf(z))); }
  static ComplexPair Sqrt(ComplexPair z) { return PairOf(ComplexSqrt(ComplexOf(z))); }
  static ComplexPair Times(ComplexPair a, ComplexPair b) {
    return PairOf(ComplexOf(a) * ComplexOf(b));
  }
  static ComplexPair Divide(ComplexPair a, ComplexPair b) {
    return PairOf(ComplexDivide(ComplexOf(a), ComplexOf(b)));
  }
};

}  // namespace complex

Complex ComplexSquare(Complex z) {
  const double x = z.real(), y = z.imag(), half = x * y;
  const bool cancels = std::fabs(x) == std::fabs(y) && std::isfinite(x);
  return {cancels ? 0 : (x - y) * (x + y), half + half};
}

Complex ComplexDivide(Complex a, Complex b) {
  return ComplexOf(complex::Divide(PairOf(a), PairOf(b)));
}
Complex ComplexPower(Complex base, Complex exponent) {
  return ComplexOf(complex::Power(PairOf(base), PairOf(exponent)));
}
Complex ComplexAtan2(Complex y, Complex x) {
  return ComplexOf(complex::Atan2(PairOf(y), PairOf(x)));
}

Complex ComplexSqrt(Complex z) { return ComplexOf(complex::Root(PairOf(z))); }
Complex ComplexExp(Complex z) { return ComplexOf(complex::Exp(PairOf(z))); }
Complex ComplexExpm1(Complex z) { return ComplexOf(complex::Expm1(PairOf(z))); }
Complex ComplexLog(Complex z) { return ComplexOf(complex::Log(PairOf(z))); }
Complex ComplexLog1p(Complex z) { return ComplexOf(complex::Log1p(PairOf(z))); }
Complex ComplexCbrt(Complex z) { return ComplexOf(complex::Cbrt(PairOf(z))); }
Complex ComplexLogistic(Complex z) { return ComplexOf(complex::Logistic(PairOf(z))); }
Complex ComplexSinh(Complex z) { return ComplexOf(complex::Sinh(PairOf(z))); }
Complex ComplexCosh(Complex z) { return ComplexOf(complex::Cosh(PairOf(z))); }
Complex ComplexTanh(Complex z) { return ComplexOf(complex::Tanh(PairOf(z))); }
Complex ComplexSin(Complex z) { return ComplexOf(complex::Sin(PairOf(z))); }
Complex ComplexCos(Complex z) { return ComplexOf(complex::Cos(PairOf(z))); }
Complex ComplexTan(Complex z) { return ComplexOf(complex::Tan(PairOf(z))); }
Complex ComplexAsin(Complex z) { return ComplexOf(complex::Asin(PairOf(z))); }
Complex ComplexAcos(Complex z) { return ComplexOf(complex::Acos(PairOf(z))); }
Complex ComplexAsinh(Complex z) { return ComplexOf(complex::Asinh(PairOf(z))); }
Complex ComplexAcosh(Complex z) { return ComplexOf(complex::Acosh(PairOf(z))); }
Complex ComplexAtan(Complex z) { return ComplexOf(complex::Atan(PairOf(z))); }
Complex ComplexAtanh(Complex z) { return ComplexOf(complex::Atanh(PairOf(z))); }

}  // namespace hlo

#endif  // HLO_SMALL
