// Integers of 1, 2 and 4 bits, stored one per byte.
// Source: XLA, xla_data.proto, PrimitiveType (S1 ... U4); ml_dtypes, intn.h.
#ifndef HLO_ENGINE_TYPES_SMALL_INT_H_
#define HLO_ENGINE_TYPES_SMALL_INT_H_

#include <cstdint>
#include <type_traits>

namespace hlo {

/// A two's-complement (or unsigned) integer of kBits bits. The byte always holds the value sign-
/// or zero-extended, so it may be read as int8_t or uint8_t.
template <int kBits, bool kIsSigned>
class SmallInt {
  static_assert(kBits > 0 && kBits < 8);

 public:
  using Stored = std::conditional_t<kIsSigned, int8_t, uint8_t>;
  static constexpr int kWidth = kBits;
  static constexpr int kMin = kIsSigned ? -(1 << (kBits - 1)) : 0;
  static constexpr int kMax = (1 << (kIsSigned ? kBits - 1 : kBits)) - 1;

  constexpr SmallInt() = default;
  /// Keeps the low bits of any integer: S4(9) is -7, U2(-1) is 3.
  template <typename T>
  requires(std::is_integral_v<T>) explicit constexpr SmallInt(T value)
      : value_(Wrap(static_cast<uint32_t>(value))) {}
  /// The value as any arithmetic type (exact, but for the sign in an unsigned one).
  template <typename T>
  requires(std::is_arithmetic_v<T>) explicit constexpr operator T() const {
    return static_cast<T>(value_);
  }
  constexpr int value() const { return value_; }

  friend constexpr bool operator==(SmallInt a, SmallInt b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(SmallInt a, SmallInt b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(SmallInt a, SmallInt b) { return a.value_ < b.value_; }
  friend constexpr bool operator>(SmallInt a, SmallInt b) { return a.value_ > b.value_; }
  friend constexpr bool operator<=(SmallInt a, SmallInt b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>=(SmallInt a, SmallInt b) { return a.value_ >= b.value_; }

 private:
  static constexpr Stored Wrap(uint32_t value) {
    // The value is moved to the top of a byte and back: the shift of the byte extends it.
    return static_cast<Stored>(static_cast<Stored>(value << (8 - kBits)) >> (8 - kBits));
  }

  Stored value_ = 0;
};

using S1 = SmallInt<1, true>;
using S2 = SmallInt<2, true>;
using S4 = SmallInt<4, true>;
using U1 = SmallInt<1, false>;
using U2 = SmallInt<2, false>;
using U4 = SmallInt<4, false>;

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_SMALL_INT_H_
