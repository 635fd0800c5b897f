// How far apart two floats are, counted in the numbers between them.
#ifndef HLO_ENGINE_TYPES_FLOAT_DISTANCE_H_
#define HLO_ENGINE_TYPES_FLOAT_DISTANCE_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/types/element_type.h"

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

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_FLOAT_DISTANCE_H_
