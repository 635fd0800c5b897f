// Numbers as text, exactly rounded both ways, since the oldest supported standard library has no
// from_chars or to_chars for floating point.
#ifndef HLO_ENGINE_TYPES_NUMBER_TEXT_H_
#define HLO_ENGINE_TYPES_NUMBER_TEXT_H_

#include <cstdint>
#include <string>

namespace hlo {

/// A decimal integer read from a text.
struct IntegerToken {
  const char* end;     ///< Past the last digit; equal to the start when there is no digit.
  uint64_t magnitude;  ///< Without the sign; meaningless when it does not fit.
  bool is_negative;
  bool fits;  ///< The magnitude fits 64 bits.
};

/// Reads `-?[0-9]+` from [begin, end).
inline IntegerToken ScanInteger(const char* begin, const char* end) {
  const char* p = begin;
  const bool is_negative = p != end && *p == '-';
  if (is_negative) ++p;
  const char* digits = p;
  uint64_t magnitude = 0;
  bool fits = true;
  for (; p != end; ++p) {
    const uint32_t digit = static_cast<uint32_t>(static_cast<unsigned char>(*p)) - '0';
    if (digit > 9) break;
    if (p - digits >= 19) {
      fits &= !__builtin_mul_overflow(magnitude, uint64_t{10}, &magnitude) &&
              !__builtin_add_overflow(magnitude, uint64_t{digit}, &magnitude);
    } else {
      magnitude = magnitude * 10 + digit;
    }
  }
  return {p == digits ? begin : p, magnitude, is_negative, fits};
}

/// Reads a decimal number, `-?` digits with at most one `.` and an optional exponent, from
/// [begin, end) into the nearest double (infinity beyond the largest). Returns the end of the
/// number; `begin` when there is none.
const char* ScanDouble(const char* begin, const char* end, double* value);

/// Appends `%.<digits>g` of a finite number, whatever the locale is.
void AppendDigits(double value, int digits, std::string* out);
/// Appends a finite f32 as XLA does: 6 significant digits if they read back to the same value,
/// else 9.
void AppendFloat(float value, std::string* out);
/// The same for f64: 15 digits, else 17.
void AppendDouble(double value, std::string* out);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_NUMBER_TEXT_H_
