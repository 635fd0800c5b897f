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

/// A number without an error.
template <typename D>
HLO_LANE inline ExactOf<D> Whole(D x) {
  using lanes::Like;
  return {x, Like(x, 0)};
}

/// 2^exponent, for a normal number.
template <typename I>
HLO_LANE inline auto PowerOfTwo(I exponent) {
  using lanes::AsUnsigned, lanes::FromBits;
  return FromBits(AsUnsigned(exponent + 1023) << 52);
}
/// x 2^exponent, for exponents to twice those of normal numbers, which may over- or underflow.
template <typename D, typename I>
D Scaled(D x, I exponent) {
  const I half = exponent >> 1;
  return x * PowerOfTwo(half) * PowerOfTwo(exponent - half);
}

/// The functions as templates over their type of number.
namespace generic {

// Of numbers of C++; of others they are found where those are.
using lanes::Abs, lanes::AsDouble, lanes::AsInteger, lanes::AsSigned, lanes::AsUnsigned,
    lanes::BitsOf, lanes::CopySign, lanes::Either, lanes::ElementOf, lanes::ExponentOf,
    lanes::Floor, lanes::FromBits, lanes::HasSign, lanes::Like, lanes::Select, lanes::Sqrt;

}  // namespace generic

}  // namespace hlo::f64

#endif  // HLO_ENGINE_LANES_F64_KERNELS_H_
