// Small helpers that the oldest supported standard library (em++ 3.1.6) lacks, and checked
// arithmetic on sizes.
#ifndef HLO_ENGINE_BASE_BITS_H_
#define HLO_ENGINE_BASE_BITS_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace hlo {

/// std::bit_cast.
template <typename To, typename From>
To BitCast(const From& from) {
  static_assert(sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
                std::is_trivially_copyable_v<From>);
  To to;
  std::memcpy(&to, &from, sizeof(To));
  return to;
}

/// a * b in *out; false when the product does not fit.
inline bool MultiplyChecked(int64_t a, int64_t b, int64_t* out) {
  return !__builtin_mul_overflow(a, b, out);
}
inline bool AddChecked(int64_t a, int64_t b, int64_t* out) {
  return !__builtin_add_overflow(a, b, out);
}

/// a / b rounded up; a >= 0, b > 0.
constexpr int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_BITS_H_
