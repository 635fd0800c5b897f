// Arithmetic on window sizes, strides and padding, which may use all 64 bits.
#ifndef HLO_ENGINE_OPS_WINDOWS_WINDOW_ARITHMETIC_H_
#define HLO_ENGINE_OPS_WINDOWS_WINDOW_ARITHMETIC_H_

#include <cstdint>
#include <utility>

namespace hlo {

/// Wide enough for products of window sizes, strides and padding, which may use all 64 bits.
using Wide = __int128_t;

/// x with a * x = 1 modulo m and 0 <= x < m, by the extended Euclidean algorithm. a and m are
/// positive and have no common factor.
inline int64_t InverseModulo(int64_t a, int64_t m) {
  int64_t r0 = m, r1 = a % m;
  int64_t x0 = 0, x1 = 1;
  while (r1 > 1) {
    const int64_t quotient = r0 / r1;
    r0 = std::exchange(r1, r0 - quotient * r1);
    x0 = std::exchange(x1, x0 - quotient * x1);
  }
  return m == 1 ? 0 : (x1 < 0 ? x1 + m : x1);
}

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_WINDOW_ARITHMETIC_H_
