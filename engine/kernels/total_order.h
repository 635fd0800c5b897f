// The total order of floats as an order of integers. Source: operation semantics,
// element-wise comparison: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.
#ifndef HLO_ENGINE_KERNELS_TOTAL_ORDER_H_
#define HLO_ENGINE_KERNELS_TOTAL_ORDER_H_

#include <cstdint>
#include <limits>
#include <type_traits>

#include "engine/types/small_float.h"

namespace hlo {

/// The bits of a float of 16 bits or more as an integer of the same order: sign and magnitude
/// become two's complement.
template <typename Bits>
int64_t TotalOrderKey(Bits bits) {
  using Signed = std::make_signed_t<Bits>;
  const Signed value = static_cast<Signed>(bits);
  return value < 0 ? static_cast<Signed>(value ^ std::numeric_limits<Signed>::max()) : value;
}

/// The same for the formats of one byte: numbers in [-128, 256). Without -0 its code is the one
/// NaN, and XLA puts that below every number; the power-of-two scale has no sign.
template <FloatFormat kFormat>
int64_t ByteOrderKey(uint8_t bits) {
  const int magnitude = bits & static_cast<int>(kFormat.magnitude_mask());
  const bool negative = (bits & kFormat.sign_bit()) != 0;
  if (kFormat.specials == Specials::kFnuz) {
    return bits == kFormat.nan() ? -0x80 : negative ? -magnitude : magnitude;
  }
  return negative ? ~magnitude : magnitude;
}

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_TOTAL_ORDER_H_
