// What the functions of f64_functions.h share: e^x and log x with more digits than an f64 has.
#ifndef HLO_ENGINE_LANES_F64_KERNELS_H_
#define HLO_ENGINE_LANES_F64_KERNELS_H_

#include <cstdint>
#include <limits>

#include "engine/lanes/algebra.h"
#include "engine/lanes/exact_arithmetic.h"

namespace hlo::f64 {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
inline constexpr Exact kLn2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
inline constexpr Exact kPi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
inline constexpr Exact kHalfPi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
/// Below this size an odd function that begins with x - or e^x - 1, or log(1 + x) - is x.
inline constexpr double kTiny = 0x1p-28;

/// a[kFrom] + a[kFrom + 1] x + ...
template <int kFrom = 0, int N, typename D>
HLO_LANE constexpr D Series(const double (&a)[N], D x) {
  static_assert(N - 2 >= kFrom);
  D sum = x * a[N - 1] + a[N - 2];
  for (int i = N - 3; i >= kFrom; --i) sum = sum * x + a[i];
  return sum;
}

/// 2^exponent, for a normal number.
HLO_LANE inline double PowerOfTwo(int64_t exponent) {
  return lanes::FromBits(static_cast<uint64_t>(exponent + 1023) << 52);
}
/// x 2^exponent, for exponents to twice those of normal numbers, which may over- or underflow.
inline double Scaled(double x, int64_t exponent) {
  const int64_t half = exponent >> 1;
  return x * PowerOfTwo(half) * PowerOfTwo(exponent - half);
}

/// e^x = 2^exponent (1 + rest), with rest from -0.31 to 0.42, within 2^-58 of it.
struct Exponential {
  int64_t exponent;
  Exact rest;
};
/// For |x| below 2^13.
Exponential ExpOf(Exact x);
/// e^x 2^shift, rounded.
double ScaledExp(Exact x, int64_t shift);
/// e^x - 1, for x from -700 to 700.
Exact Expm1Of(Exact x);

/// The logarithm of a finite number above 0; within 2^-66 of the result or so. The error of a
/// subnormal is 0.
Exact LogOf(Exact x);
/// log(1 + x), relatively as precise, for 1 + x that is not subnormal.
Exact Log1pOf(Exact x);

}  // namespace hlo::f64

#endif  // HLO_ENGINE_LANES_F64_KERNELS_H_
