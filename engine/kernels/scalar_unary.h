// The unary scalar operations: what each one means for one element.
// A struct per operation; `kTypes` is what it is defined for, `Run` the meaning for one class of
// types. Sources: the operation semantics document, and XLA's evaluator
// (hlo_evaluator_typed_visitor.h).
#ifndef HLO_ENGINE_KERNELS_SCALAR_UNARY_H_
#define HLO_ENGINE_KERNELS_SCALAR_UNARY_H_

#include <cmath>
#include <complex>
#include <limits>

#include "engine/kernels/complex_math.h"
#include "engine/kernels/element_loop.h"
#include "engine/kernels/scalar_types.h"
#include "engine/lanes/f64_functions.h"
#include "engine/lanes/float_functions.h"

namespace hlo {

// Of numbers of C++; of others they are found where those are.
using lanes::Narrowed;
using lanes::Widened;

/// What the loops may assume of an operation unless it says otherwise.
struct ScalarOp {
  /// The bits of the result do not depend on whether the operands are read as signed or unsigned.
  static constexpr bool kIgnoresSign = false;
  /// Reads integers only as numbers and stays in the range of its operands.
  static constexpr bool kStaysInRange = false;
  /// c64 is computed in c128 and rounded once.
  static constexpr bool kComplexInDouble = true;
  /// Rare in programs: its loop in f32 is not made of vectors, which takes a lot of code.
  static constexpr bool kIsRare = false;
};

/// A function of f64: of one number, and of four at a time (typed_loops.h).
#define HLO_RUN_OF_F64(function)                           \
  static double Run(double a) { return f64::function(a); } \
  template <lanes::FourDoubles D>                          \
  static D RunFour(D a) {                                  \
    return f64::function(a);                               \
  }

/// A function of complex numbers, likewise.
#define HLO_RUN_OF_COMPLEX(function)                             \
  static Complex Run(Complex a) { return Complex##function(a); } \
  template <lanes::FourDoubles D>                                \
  static complex::Pair<D> RunFour(complex::Pair<D> a) {          \
    return Complex##function(a);                                 \
  }

struct AbsOp : ScalarOp {
  static constexpr TypeSet kTypes = kSignedTypes | kFloatTypes | kComplexTypes;
  template <IntegerElement T>
  static T Run(T a) {
    return ToNumber(a) < 0 ? FromBits<T>(0 - ToBits(a)) : a;
  }
  template <RealElement T>
  static T Run(T a) {
    return std::fabs(a);
  }
  static constexpr bool kComplexInDouble = false;
  static double Run(Complex a) { return f64::Hypot(a.real(), a.imag()); }
  static float Run(std::complex<float> a) { return lanes::Hypot(a.real(), a.imag()); }
};

struct NegateOp : ScalarOp {
  static constexpr TypeSet kTypes = kNumberTypes;
  static constexpr bool kIgnoresSign = true;
  static constexpr bool kComplexInDouble = false;
  template <IntegerElement T>
  static T Run(T a) {
    return FromBits<T>(0 - ToBits(a));
  }
  template <RealElement T>
  static T Run(T a) {
    return -a;
  }
  template <ComplexElement T>
  static T Run(T a) {
    return {-a.real(), -a.imag()};
  }
};

struct SignOp : ScalarOp {
  static constexpr TypeSet kTypes = kSignedTypes | kFloatTypes | kComplexTypes;
  static constexpr bool kStaysInRange = true;
  template <IntegerElement T>
  static T Run(T a) {
    return static_cast<T>((ToNumber(a) > 0) - (ToNumber(a) < 0));
  }
  template <RealElement T>
  static T Run(T a) {
    return a > 0 ? T(1) : a < 0 ? T(-1) : a;  // zeros and NaN are kept
  }
  static Complex Run(Complex a) {
    const double norm = f64::Hypot(a.real(), a.imag());
    return norm == 0 ? Complex(0) : Complex(a.real() / norm, a.imag() / norm);
  }
};

struct NotOp : ScalarOp {
  static constexpr TypeSet kTypes = kPredTypes | kIntegerTypes;
  static constexpr bool kIgnoresSign = true;
  static bool Run(bool a) { return !a; }
  template <IntegerElement T>
  static T Run(T a) {
    return FromBits<T>(~ToBits(a));
  }
};

struct CountLeadingZerosOp : ScalarOp {
  static constexpr TypeSet kTypes = kIntegerTypes;
  static constexpr bool kIgnoresSign = true;
  template <IntegerElement T>
  static T Run(T a) {
    const auto bits = ToBits(a);
    if (bits == 0) return static_cast<T>(kWidthOf<T>);
    return static_cast<T>(__builtin_clzll(bits) - (64 - kWidthOf<T>));
  }
};

struct PopcntOp : ScalarOp {
  static constexpr TypeSet kTypes = kIntegerTypes;
  static constexpr bool kIgnoresSign = true;
  template <IntegerElement T>
  static T Run(T a) {
    return static_cast<T>(__builtin_popcountll(ToBits(a)));
  }
};

struct IsFiniteOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes;
  template <RealElement T>
  static bool Run(T a) {
    return std::fabs(a) < std::numeric_limits<T>::infinity();
  }
};

struct RealOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  static constexpr bool kComplexInDouble = false;
  template <RealElement T>
  static T Run(T a) {
    return a;
  }
  template <ComplexElement T>
  static typename T::value_type Run(T a) {
    return a.real();
  }
};

struct ImagOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  static constexpr bool kComplexInDouble = false;
  template <RealElement T>
  static T Run(T) {
    return 0;
  }
  template <ComplexElement T>
  static typename T::value_type Run(T a) {
    return a.imag();
  }
};

struct SqrtOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  template <RealElement T>
  static T Run(T a) {
    return std::sqrt(a);
  }
  HLO_RUN_OF_COMPLEX(Sqrt)
};

struct RsqrtOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  template <RealElement T>
  static T Run(T a) {
    return 1 / std::sqrt(a);
  }
  static Complex Run(Complex a) { return ComplexDivide(1, ComplexSqrt(a)); }
};

struct LogisticOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  template <lanes::SingleNumber F>
  HLO_LANE static F Run(F a) {
    return Narrowed(lanes::Logistic(Widened(a)));
  }
  HLO_RUN_OF_F64(Logistic)
  HLO_RUN_OF_COMPLEX(Logistic)
};

struct CbrtOp : ScalarOp {
  static constexpr bool kIsRare = true;
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  template <lanes::SingleNumber F>
  HLO_LANE static F Run(F a) {
    return Narrowed(lanes::Cbrt(Widened(a)));
  }
  HLO_RUN_OF_F64(Cbrt)
  HLO_RUN_OF_COMPLEX(Cbrt)
};

/// An operation that is a function of the C library for floats.
#define HLO_REAL_FUNCTION(Name, function)          \
  struct Name##Op : ScalarOp {                     \
    static constexpr TypeSet kTypes = kFloatTypes; \
    template <RealElement T>                       \
    static T Run(T a) {                            \
      return std::function(a);                     \
    }                                              \
  };
HLO_REAL_FUNCTION(Ceil, ceil)
HLO_REAL_FUNCTION(Floor, floor)
HLO_REAL_FUNCTION(RoundNearestAfz, round)
HLO_REAL_FUNCTION(RoundNearestEven, nearbyint)  // in the default rounding mode
#undef HLO_REAL_FUNCTION

struct ErfOp : ScalarOp {
  static constexpr bool kIsRare = true;
  static constexpr TypeSet kTypes = kFloatTypes;
  template <lanes::SingleNumber F>
  HLO_LANE static F Run(F a) {
    return Narrowed(lanes::Erf(Widened(a)));
  }
  HLO_RUN_OF_F64(Erf)
};

/// A function of engine/lanes for floats, of complex_math.h for complex numbers.
#define HLO_COMPLEX_FUNCTION(Name, function, is_rare)              \
  struct Name##Op : ScalarOp {                                     \
    static constexpr bool kIsRare = is_rare;                       \
    static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes; \
    template <lanes::SingleNumber F>                               \
    HLO_LANE static F Run(F a) {                                   \
      return Narrowed(lanes::Name(Widened(a)));                    \
    }                                                              \
    HLO_RUN_OF_F64(function)                                       \
    HLO_RUN_OF_COMPLEX(function)                                   \
  };

/// The same for functions of angles.
#define HLO_ANGLE_FUNCTION(Name, function, is_rare)                          \
  struct Name##Op : ScalarOp {                                               \
    static constexpr bool kIsRare = is_rare;                                 \
    static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;           \
    template <lanes::SingleNumber F>                                         \
    HLO_LANE static F RunCommon(F a) {                                       \
      return Narrowed(lanes::Small##Name(Widened(a)));                       \
    }                                                                        \
    template <lanes::SingleNumber F>                                         \
    HLO_LANE static auto IsRareOperand(F a) {                                \
      return lanes::IsLargeAngle(a);                                         \
    }                                                                        \
    static float Run(float a) { return static_cast<float>(lanes::Name(a)); } \
    HLO_RUN_OF_F64(function)                                                 \
    HLO_RUN_OF_COMPLEX(function)                                             \
  };

/// In f32 two ways: Run is for every operand, RunCommon is quicker and for those that are not rare.
struct ExponentialOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  template <lanes::SingleNumber F>
  HLO_LANE static F Run(F a) {
    return lanes::Exponential(a);
  }
  template <lanes::SingleNumber F>
  HLO_LANE static F RunCommon(F a) {
    return lanes::SmallExponential(a);
  }
  template <lanes::SingleNumber F>
  HLO_LANE static auto IsRareOperand(F a) {
    return lanes::IsLargeExponent(a);
  }
  HLO_RUN_OF_F64(Exp)
  HLO_RUN_OF_COMPLEX(Exp)
};
struct TanhOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  template <lanes::SingleNumber F>
  HLO_LANE static F Run(F a) {
    return lanes::Tanh(a);
  }
  HLO_RUN_OF_F64(Tanh)
  HLO_RUN_OF_COMPLEX(Tanh)
};
HLO_COMPLEX_FUNCTION(Acos, Acos, true)
HLO_COMPLEX_FUNCTION(Acosh, Acosh, true)
HLO_COMPLEX_FUNCTION(Asin, Asin, true)
HLO_COMPLEX_FUNCTION(Asinh, Asinh, true)
HLO_COMPLEX_FUNCTION(Atan, Atan, true)
HLO_COMPLEX_FUNCTION(Atanh, Atanh, true)
HLO_COMPLEX_FUNCTION(Cosh, Cosh, true)
HLO_COMPLEX_FUNCTION(ExponentialMinusOne, Expm1, true)
HLO_COMPLEX_FUNCTION(Log, Log, true)
HLO_COMPLEX_FUNCTION(LogPlusOne, Log1p, true)
HLO_COMPLEX_FUNCTION(Sinh, Sinh, true)
HLO_ANGLE_FUNCTION(Cosine, Cos, false)
HLO_ANGLE_FUNCTION(Sine, Sin, false)
HLO_ANGLE_FUNCTION(Tan, Tan, true)
#undef HLO_ANGLE_FUNCTION
#undef HLO_COMPLEX_FUNCTION
#undef HLO_RUN_OF_COMPLEX
#undef HLO_RUN_OF_F64

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_SCALAR_UNARY_H_
