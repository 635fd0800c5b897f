// The binary (and ternary) scalar operations: what each one means for one pair of elements. See
// scalar_unary.h, also for the sources.
#ifndef HLO_ENGINE_KERNELS_SCALAR_BINARY_H_
#define HLO_ENGINE_KERNELS_SCALAR_BINARY_H_

#include <cmath>
#include <complex>
#include <limits>

#include "engine/kernels/complex_math.h"
#include "engine/kernels/element_loop.h"
#include "engine/kernels/scalar_types.h"
#include "engine/kernels/scalar_unary.h"
#include "engine/lanes/f64_functions.h"
#include "engine/lanes/float_functions.h"

namespace hlo {

struct AddOp : ScalarOp {
  static constexpr TypeSet kTypes = kAllTypes;
  static constexpr bool kIgnoresSign = true;
  static constexpr bool kComplexInDouble = false;
  static bool Run(bool a, bool b) { return a | b; }
  template <IntegerElement T>
  static T Run(T a, T b) {
    return FromBits<T>(ToBits(a) + ToBits(b));
  }
  template <RealElement T>
  static T Run(T a, T b) {
    return a + b;
  }
  template <ComplexElement T>
  static T Run(T a, T b) {
    return a + b;
  }
};

struct SubtractOp : ScalarOp {
  static constexpr TypeSet kTypes = kNumberTypes;
  static constexpr bool kIgnoresSign = true;
  static constexpr bool kComplexInDouble = false;
  template <IntegerElement T>
  static T Run(T a, T b) {
    return FromBits<T>(ToBits(a) - ToBits(b));
  }
  template <RealElement T>
  static T Run(T a, T b) {
    return a - b;
  }
  template <ComplexElement T>
  static T Run(T a, T b) {
    return a - b;
  }
};

struct MultiplyOp : ScalarOp {
  static constexpr TypeSet kTypes = kAllTypes;
  static constexpr bool kIgnoresSign = true;
  static constexpr bool kComplexInDouble = false;
  static bool Run(bool a, bool b) { return a & b; }
  template <IntegerElement T>
  static T Run(T a, T b) {
    return FromBits<T>(ToBits(a) * ToBits(b));
  }
  template <RealElement T>
  static T Run(T a, T b) {
    return a * b;
  }
  template <ComplexElement T>
  static T Run(T a, T b) {
    return a * b;
  }
};

struct DivideOp : ScalarOp {
  static constexpr TypeSet kTypes = kNumberTypes;
  /// x / 0 is -1, and all ones for unsigned types; MIN / -1 is MIN.
  template <IntegerElement T>
  static T Run(T a, T b) {
    const auto y = ToNumber(b);
    if (y == 0) return FromBits<T>(~WorkBits<T>{0});
    if constexpr (kClassOf<T> == TypeClass::kSigned) {
      if (y == -1) return FromBits<T>(0 - ToBits(a));
    }
    return static_cast<T>(ToNumber(a) / y);
  }
  template <RealElement T>
  static T Run(T a, T b) {
    return a / b;
  }
  static Complex Run(Complex a, Complex b) { return ComplexDivide(a, b); }
  template <lanes::FourDoubles D>
  static complex::Pair<D> RunFour(complex::Pair<D> a, complex::Pair<D> b) {
    return ComplexDivide(a, b);
  }
};

struct RemainderOp : ScalarOp {
  static constexpr TypeSet kTypes = kIntegerTypes | kFloatTypes;
  /// x % 0 is x; MIN % -1 is 0. The sign is the dividend's.
  template <IntegerElement T>
  static T Run(T a, T b) {
    const auto y = ToNumber(b);
    if (y == 0) return a;
    if constexpr (kClassOf<T> == TypeClass::kSigned) {
      if (y == -1) return static_cast<T>(0);
    }
    return static_cast<T>(ToNumber(a) % y);
  }
  template <RealElement T>
  static T Run(T a, T b) {
    return std::fmod(a, b);
  }
};

struct PowerOp : ScalarOp {
  static constexpr bool kIsRare = true;
  static constexpr TypeSet kTypes = kNumberTypes;
  /// Wraps; a negative power of anything but 1 is 0, even of 0 and -1.
  template <IntegerElement T>
  static T Run(T a, T b) {
    const auto exponent = ToNumber(b);
    if (exponent == 0) return static_cast<T>(1);
    if constexpr (kClassOf<T> == TypeClass::kSigned) {
      if (exponent < 0) return ToNumber(a) == 1 ? a : static_cast<T>(0);
    }
    WorkBits<T> result = 1;
    WorkBits<T> square = ToBits(a);
    for (WorkBits<T> bits = ToBits(b); bits != 0; bits >>= 1) {
      if ((bits & 1) != 0) result *= square;
      square *= square;
    }
    return FromBits<T>(result);
  }
  static float Run(float a, float b) {
    if (IsPlain(a, b)) return PowerOfPositive(a, b);
    if (IsPlain(-a, b) && b == std::floor(b)) {
      const float power = PowerOfPositive(-a, b);
      return std::fmod(b, 2.0f) != 0 ? -power : power;
    }
    return static_cast<float>(Run(static_cast<double>(a), static_cast<double>(b)));
  }
  template <lanes::SingleNumber F>
  HLO_LANE static F PowerOfPositive(F a, F b) {
    return Narrowed(lanes::PowerOfPositive(Widened(a), Widened(b)));
  }
  static bool IsPlain(float a, float b) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return a > 0 && a < kInfinity && std::fabs(b) < kInfinity;
  }
  static double Run(double a, double b) { return f64::Pow(a, b); }
  template <lanes::FourDoubles D>
  static D RunFour(D a, D b) {
    return f64::Pow(a, b);
  }
  static Complex Run(Complex a, Complex b) { return ComplexPower(a, b); }
};

struct MulhiOp : ScalarOp {
  static constexpr TypeSet kTypes = kIntegerTypes;
  template <IntegerElement T>
  static T Run(T a, T b) {
    if constexpr (kWidthOf<T> == 64) {
      using Wide = std::conditional_t<kClassOf<T> == TypeClass::kSigned, __int128_t, __uint128_t>;
      return static_cast<T>((Wide{a} * Wide{b}) >> 64);
    } else {
      // Signed products fit in 64 bits; of unsigned ones the bits do.
      const auto x = static_cast<uint64_t>(static_cast<int64_t>(ToNumber(a)));
      const auto y = static_cast<uint64_t>(static_cast<int64_t>(ToNumber(b)));
      return static_cast<T>(static_cast<int64_t>((x * y) >> kWidthOf<T>));
    }
  }
};

struct AndOp : ScalarOp {
  static constexpr TypeSet kTypes = kPredTypes | kIntegerTypes;
  static constexpr bool kIgnoresSign = true;
  static constexpr bool kStaysInRange = true;
  static bool Run(bool a, bool b) { return a & b; }
  template <IntegerElement T>
  static T Run(T a, T b) {
    return FromBits<T>(ToBits(a) & ToBits(b));
  }
};

struct OrOp : ScalarOp {
  static constexpr TypeSet kTypes = kPredTypes | kIntegerTypes;
  static constexpr bool kIgnoresSign = true;
  static constexpr bool kStaysInRange = true;
  static bool Run(bool a, bool b) { return a | b; }
  template <IntegerElement T>
  static T Run(T a, T b) {
    return FromBits<T>(ToBits(a) | ToBits(b));
  }
};

struct XorOp : ScalarOp {
  static constexpr TypeSet kTypes = kPredTypes | kIntegerTypes;
  static constexpr bool kIgnoresSign = true;
  static constexpr bool kStaysInRange = true;
  static bool Run(bool a, bool b) { return a != b; }
  template <IntegerElement T>
  static T Run(T a, T b) {
    return FromBits<T>(ToBits(a) ^ ToBits(b));
  }
};

// A shift amount is read as unsigned, so that negative ones are too large like any other.
struct ShiftLeftOp : ScalarOp {
  static constexpr TypeSet kTypes = kIntegerTypes;
  static constexpr bool kIgnoresSign = true;
  template <IntegerElement T>
  static T Run(T a, T b) {
    const auto amount = ToBits(b);
    return amount < kWidthOf<T> ? FromBits<T>(ToBits(a) << amount) : static_cast<T>(0);
  }
};

struct ShiftRightLogicalOp : ScalarOp {
  static constexpr TypeSet kTypes = kIntegerTypes;
  static constexpr bool kIgnoresSign = true;
  template <IntegerElement T>
  static T Run(T a, T b) {
    const auto amount = ToBits(b);
    return amount < kWidthOf<T> ? FromBits<T>(ToBits(a) >> amount) : static_cast<T>(0);
  }
};

struct ShiftRightArithmeticOp : ScalarOp {
  static constexpr TypeSet kTypes = kIntegerTypes;
  static constexpr bool kIgnoresSign = true;
  /// The top bit is the sign in unsigned types too; too large an amount leaves only the sign.
  template <IntegerElement T>
  static T Run(T a, T b) {
    using Number = std::make_signed_t<WorkBits<T>>;
    constexpr int kSpare = static_cast<int>(8 * sizeof(Number)) - kWidthOf<T>;
    const Number value = static_cast<Number>(ToBits(a) << kSpare) >> kSpare;
    const auto amount = ToBits(b);
    const int shift = amount < kWidthOf<T> ? static_cast<int>(amount) : kWidthOf<T> - 1;
    return FromBits<T>(static_cast<WorkBits<T>>(value >> shift));
  }
};

struct MaximumOp : ScalarOp {
  static constexpr TypeSet kTypes = kPredTypes | kIntegerTypes | kFloatTypes;
  static constexpr bool kStaysInRange = true;
  static bool Run(bool a, bool b) { return a | b; }
  template <IntegerElement T>
  static T Run(T a, T b) {
    return ToNumber(a) >= ToNumber(b) ? a : b;
  }
  /// The first NaN, if any; of equal ones (the zeros) the first.
  template <RealElement T>
  static T Run(T a, T b) {
    return ((a >= b) | (a != a)) ? a : b;
  }
};

struct MinimumOp : ScalarOp {
  static constexpr TypeSet kTypes = kPredTypes | kIntegerTypes | kFloatTypes;
  static constexpr bool kStaysInRange = true;
  static bool Run(bool a, bool b) { return a & b; }
  template <IntegerElement T>
  static T Run(T a, T b) {
    return ToNumber(a) <= ToNumber(b) ? a : b;
  }
  template <RealElement T>
  static T Run(T a, T b) {
    return ((a <= b) | (a != a)) ? a : b;
  }
};

/// min(high, max(x, low)); for floats the first NaN of low, x, high.
struct ClampOp {
  template <typename T>
  static T Run(T low, T x, T high) {
    if constexpr (RealElement<T>) {
      const T limited = MinimumOp::Run(high, MaximumOp::Run(x, low));
      return low != low ? low : x != x ? x : limited;
    } else {
      return MinimumOp::Run(high, MaximumOp::Run(x, low));
    }
  }
};

struct Atan2Op : ScalarOp {
  static constexpr bool kIsRare = true;
  static constexpr TypeSet kTypes = kFloatTypes | kComplexTypes;
  template <lanes::SingleNumber F>
  HLO_LANE static F Run(F a, F b) {
    return Narrowed(lanes::Atan2(Widened(a), Widened(b)));
  }
  static double Run(double a, double b) { return f64::Atan2(a, b); }
  template <lanes::FourDoubles D>
  static D RunFour(D a, D b) {
    return f64::Atan2(a, b);
  }
  static Complex Run(Complex a, Complex b) { return ComplexAtan2(a, b); }
};

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_SCALAR_BINARY_H_
