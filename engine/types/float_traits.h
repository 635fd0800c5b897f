// What the text of floats needs to know of a type, for small floats, f32 and f64 alike.
#ifndef HLO_ENGINE_TYPES_FLOAT_TRAITS_H_
#define HLO_ENGINE_TYPES_FLOAT_TRAITS_H_

#include <cstdint>
#include <limits>

#include "engine/base/bits.h"
#include "engine/types/small_float.h"

namespace hlo {

/// Limits, NaN codes and text width of the storage type of a float element type.
template <typename T>
struct FloatTraits {
  static constexpr FloatFormat kFormat = T::kFormat;
  static constexpr bool kHasNan = T::kHasNan;
  /// NaN payloads are the mantissas 1 ... kPayloadMask; 0 for types that have no payloads.
  static constexpr uint64_t kPayloadMask =
      kFormat.specials == Specials::kIeee ? (1u << kFormat.mantissa_bits) - 1 : 0;
  /// The payload of the NaN that arithmetic makes.
  static constexpr uint64_t kDefaultPayload =
      kFormat.specials == Specials::kIeee ? 1u << (kFormat.mantissa_bits - 1) : 0;
  /// Significant decimal digits that tell any two values apart (max_digits10).
  static constexpr int kDigits = 2 + (kFormat.mantissa_bits + 1) * 30103 / 100000;

  static double Max() { return static_cast<double>(T::Max()); }
  static double Lowest() { return static_cast<double>(T::Lowest()); }
  /// Types without a NaN give what a NaN converts to.
  static T NaN(bool is_negative) {
    const float nan = BitCast<float>(is_negative ? 0xFFC00000u : 0x7FC00000u);
    return T(nan);
  }
  static T NaNWithPayload(bool is_negative, uint64_t payload) {
    const uint32_t sign = is_negative ? kFormat.sign_bit() : 0;
    return T::FromBits(sign | kFormat.infinity() | static_cast<uint32_t>(payload));
  }
  static bool IsNegative(T value) { return (value.bits() & kFormat.sign_bit()) != 0; }
  static uint64_t Payload(T value) { return value.bits() & kPayloadMask; }
  static bool IsNan(T value) { return value.is_nan(); }
  /// Whether the finite value converts to a finite one: always, where the type has no others.
  static bool Holds(double value) {
    const T rounded(value);
    return !rounded.is_nan() &&
           !(T::kHasInfinity && (rounded.bits() & kFormat.magnitude_mask()) == kFormat.infinity());
  }
};

namespace float_traits_internal {

template <typename T, typename BitsType, int kMantissaBits>
struct IeeeTraits {
  static constexpr bool kHasNan = true;
  static constexpr uint64_t kPayloadMask = (uint64_t{1} << kMantissaBits) - 1;
  static constexpr uint64_t kDefaultPayload = uint64_t{1} << (kMantissaBits - 1);
  static constexpr int kDigits = 2 + (kMantissaBits + 1) * 30103 / 100000;
  static constexpr BitsType kSign = BitsType{1} << (8 * sizeof(T) - 1);

  static double Max() { return std::numeric_limits<T>::max(); }
  static double Lowest() { return std::numeric_limits<T>::lowest(); }
  static T NaN(bool is_negative) { return NaNWithPayload(is_negative, kDefaultPayload); }
  static T NaNWithPayload(bool is_negative, uint64_t payload) {
    const BitsType infinity = BitCast<BitsType>(std::numeric_limits<T>::infinity());
    return BitCast<T>((is_negative ? kSign : BitsType{0}) | infinity |
                      static_cast<BitsType>(payload));
  }
  static bool IsNegative(T value) { return (BitCast<BitsType>(value) & kSign) != 0; }
  static uint64_t Payload(T value) { return BitCast<BitsType>(value) & kPayloadMask; }
  static bool IsNan(T value) { return value != value; }
  static bool Holds(double value) {
    const T rounded = static_cast<T>(value);
    return rounded - rounded == 0;
  }
};

}  // namespace float_traits_internal

template <>
struct FloatTraits<float> : float_traits_internal::IeeeTraits<float, uint32_t, 23> {};
template <>
struct FloatTraits<double> : float_traits_internal::IeeeTraits<double, uint64_t, 52> {};

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_FLOAT_TRAITS_H_
