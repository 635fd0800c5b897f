// The scalar operations that are custom-call targets, not HLO ops: see scalar_unary.h. What they
// compute is in special_functions.h; f32 computes in f64 and rounds once.
#ifndef HLO_ENGINE_KERNELS_SCALAR_SPECIAL_H_
#define HLO_ENGINE_KERNELS_SCALAR_SPECIAL_H_

#include <cmath>
#include <limits>

#include "engine/kernels/scalar_unary.h"
#include "engine/kernels/special_functions.h"

namespace hlo {

#define HLO_SPECIAL_UNARY(Name)                    \
  struct Name##Op : ScalarOp {                     \
    static constexpr TypeSet kTypes = kFloatTypes; \
    template <RealElement T>                       \
    static T Run(T x) {                            \
      return static_cast<T>(Name(x));              \
    }                                              \
  };
HLO_SPECIAL_UNARY(BesselI0e)
HLO_SPECIAL_UNARY(BesselI1e)
HLO_SPECIAL_UNARY(Digamma)
HLO_SPECIAL_UNARY(Erfc)
HLO_SPECIAL_UNARY(Lgamma)
#undef HLO_SPECIAL_UNARY

struct ErfInvOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes;
#ifdef HLO_SMALL
  static constexpr bool kIsRare = true;
#endif
  HLO_LANE static float Run(float x) { return Narrowed(lanes::ErfInv(Widened(x))); }
  static double Run(double x) { return ErfInv(x); }
};

#define HLO_SPECIAL_BINARY(Name)                   \
  struct Name##Op : ScalarOp {                     \
    static constexpr TypeSet kTypes = kFloatTypes; \
    template <RealElement T>                       \
    static T Run(T a, T b) {                       \
      return static_cast<T>(Name(a, b));           \
    }                                              \
  };
HLO_SPECIAL_BINARY(Igamma)
HLO_SPECIAL_BINARY(IgammaGradA)
HLO_SPECIAL_BINARY(Igammac)
HLO_SPECIAL_BINARY(Polygamma)
HLO_SPECIAL_BINARY(RandomGammaGrad)
HLO_SPECIAL_BINARY(Zeta)
#undef HLO_SPECIAL_BINARY

struct RegularizedIncompleteBetaOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes;
  template <RealElement T>
  static T Run(T a, T b, T x) {
    return static_cast<T>(RegularizedIncompleteBeta(a, b, x));
  }
};

struct SquareOp : ScalarOp {
  static constexpr TypeSet kTypes = kNumberTypes;
  static constexpr bool kIgnoresSign = true;
  template <IntegerElement T>
  static T Run(T x) {
    return FromBits<T>(ToBits(x) * ToBits(x));
  }
  template <RealElement T>
  static T Run(T x) {
    return x * x;
  }
  static Complex Run(Complex x) { return ComplexSquare(x); }
};

struct ConjOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  static constexpr bool kComplexInDouble = false;
  template <RealElement T>
  static T Run(T x) {
    return x;
  }
  template <ComplexElement T>
  static T Run(T x) {
    return {x.real(), -x.imag()};
  }
};

struct ReciprocalOp : ScalarOp {
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  template <RealElement T>
  static T Run(T x) {
    return 1 / x;
  }
  static Complex Run(Complex x) { return ComplexDivide(1, x); }
};

#define HLO_SPECIAL_TEST(Name, test)               \
  struct Name##Op : ScalarOp {                     \
    static constexpr TypeSet kTypes = kFloatTypes; \
    template <RealElement T>                       \
    static bool Run(T x) {                         \
      return test;                                 \
    }                                              \
  };
HLO_SPECIAL_TEST(IsInf, std::fabs(x) == std::numeric_limits<T>::infinity())
HLO_SPECIAL_TEST(IsNan, x != x)
HLO_SPECIAL_TEST(IsNegInf, x == -std::numeric_limits<T>::infinity())
HLO_SPECIAL_TEST(IsNegZero, x == 0 && std::signbit(x))
HLO_SPECIAL_TEST(IsPosInf, x == std::numeric_limits<T>::infinity())
#undef HLO_SPECIAL_TEST

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_SCALAR_SPECIAL_H_
