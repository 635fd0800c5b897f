// How far apart two floats are, counted in the numbers between them.
#ifndef HLO_ENGINE_TYPES_FLOAT_DISTANCE_H_
#define HLO_ENGINE_TYPES_FLOAT_DISTANCE_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "engine/types/element_type.h"
#include "engine/types/storage.h"

namespace hlo {

/// The bits of a number as an integer that grows with its value, both zeros at 0. `width`: bits of
/// its type, which has a sign bit and a magnitude.
inline int64_t OrderOfBits(uint64_t bits, int width) {
  const uint64_t sign = uint64_t{1} << (width - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

/// The distance of two numbers of a float type in units in the last place. `a` and `b` point to one
/// number each. NaN counts as the number that its bits would encode beyond infinity.
inline uint64_t UlpDistance(const std::byte* a, const std::byte* b, ElementType type) {
  const auto order = [type](const std::byte* number) {
    uint64_t bits = 0;  // little-endian, as all targets are
    std::memcpy(&bits, number, static_cast<size_t>(BytesOf(type)));
    return static_cast<uint64_t>(OrderOfBits(bits, BitsOf(type)));
  };
  const uint64_t x = order(a), y = order(b);
  return static_cast<int64_t>(x) > static_cast<int64_t>(y) ? x - y : y - x;
}

/// The distance between neighbouring numbers of a float type.
class FloatSpacing {
 public:
  explicit FloatSpacing(ElementType type) : is_float_(IsFloat(type)) {
    DispatchClass<TypeClass::kFloat>(type, 0, [this](auto tag) {
      using T = typename decltype(tag)::type;
      if constexpr (std::is_floating_point_v<T>) {
        mantissa_ = std::numeric_limits<T>::digits - 1;
        least_ = std::numeric_limits<T>::min_exponent - 1;
      } else {
        mantissa_ = T::kFormat.mantissa_bits;
        least_ = 1 - T::kFormat.bias;
      }
      return 0;
    });
  }
  bool is_float() const { return is_float_; }
  /// Around a finite number, which need not be of the type, as if the type had no largest one.
  double At(double number) const {
    const int exponent = number == 0 ? least_ : std::max(std::ilogb(number), least_);
    return std::ldexp(1.0, exponent - mantissa_);
  }
  double least_normal() const { return std::ldexp(1.0, least_); }

 private:
  bool is_float_;
  int mantissa_ = 0, least_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_FLOAT_DISTANCE_H_
