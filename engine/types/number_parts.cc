#include "engine/types/number_parts.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "engine/base/bits.h"
#include "engine/types/convert.h"
#include "engine/types/float_traits.h"

namespace hlo {
namespace {

struct PartWidths {
  int exponent, mantissa;
  bool has_sign;
};

template <typename T>
PartWidths WidthsOf() {
  if constexpr (std::is_same_v<T, float>) {
    return {8, 23, true};
  } else if constexpr (std::is_same_v<T, double>) {
    return {11, 52, true};
  } else {
    return {T::kFormat.exponent_bits, T::kFormat.mantissa_bits, T::kFormat.has_sign};
  }
}

std::string BitsText(uint64_t bits, int count) {
  std::string text;
  for (int i = count; i-- > 0;) text += (bits >> i & 1) != 0 ? '1' : '0';
  return text;
}

// The number of a code, whose bytes are little-endian as those of all targets.
template <typename T>
double NumberOfCode(uint64_t code) {
  if constexpr (std::is_arithmetic_v<T>) {
    T stored{};
    std::memcpy(&stored, &code, sizeof(T));
    return static_cast<double>(stored);
  } else {
    return static_cast<double>(T::FromBits(static_cast<uint32_t>(code)));
  }
}

// The nearest number of the type on one side: among the codes around, for formats differ in which
// of them are numbers.
template <typename T>
double NeighbourOf(double value, uint64_t code, const PartWidths& widths, bool is_above) {
  const uint64_t sign =
      widths.has_sign ? uint64_t{1} << (widths.exponent + widths.mantissa) : uint64_t{0};
  const uint64_t last = (uint64_t{1} << (widths.exponent + widths.mantissa)) - 1;
  const uint64_t magnitude = code & last;
  double best = std::numeric_limits<double>::quiet_NaN();
  for (const uint64_t near : {magnitude - 1, magnitude, magnitude + 1, uint64_t{1}}) {
    if (near > last) continue;
    for (const uint64_t bits : {near, near | sign}) {
      const double other = NumberOfCode<T>(bits);
      const bool fits = is_above ? other > value : other < value;
      if (fits && !(is_above ? other >= best : other <= best)) best = other;
    }
  }
  return best;
}

}  // namespace

NumberParts PartsOfNumber(double given, ElementType type) {
  NumberParts parts;
  parts.type = type;
  return DispatchClass<TypeClass::kFloat>(type, parts, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T stored = ConvertElement<T>(given);
    std::memcpy(&parts.code, &stored, sizeof(T));
    const PartWidths widths = WidthsOf<T>();
    const int magnitude_bits = widths.exponent + widths.mantissa;
    const uint64_t exponent =
        parts.code >> widths.mantissa & ((uint64_t{1} << widths.exponent) - 1);
    parts.value = static_cast<double>(stored);
    if (widths.has_sign) parts.sign = BitsText(parts.code >> magnitude_bits, 1);
    parts.exponent = BitsText(exponent, widths.exponent);
    parts.mantissa = BitsText(parts.code, widths.mantissa);
    parts.kind = std::isnan(parts.value)                ? "NaN"
                 : std::isinf(parts.value)              ? "infinity"
                 : parts.value == 0                     ? "zero"
                 : exponent == 0 && widths.mantissa > 0 ? "subnormal"
                                                        : "normal";
    parts.below = NeighbourOf<T>(parts.value, parts.code, widths, /*is_above=*/false);
    parts.above = NeighbourOf<T>(parts.value, parts.code, widths, /*is_above=*/true);
    const double error = parts.value == given ? 0 : (parts.value - given) / std::fabs(given);
    // A NaN of no sign: some print it.
    parts.relative_error = std::isnan(error) ? std::numeric_limits<double>::quiet_NaN() : error;
    return parts;
  });
}

std::string ExactDecimal(double value) {
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, 53));
  exponent -= 53;
  if (mantissa == 0) return std::signbit(value) ? "-0" : "0";
  for (; (mantissa & 1) == 0; mantissa >>= 1) ++exponent;
  // Decimal digits, the least significant first; m / 2^k is m * 5^k / 10^k.
  std::vector<int> digits;
  for (; mantissa > 0; mantissa /= 10) digits.push_back(static_cast<int>(mantissa % 10));
  for (int i = 0; i < std::abs(exponent); ++i) {
    int carry = 0;
    for (int& digit : digits) {
      carry += digit * (exponent < 0 ? 5 : 2);
      digit = carry % 10;
      carry /= 10;
    }
    if (carry > 0) digits.push_back(carry);
  }
  const auto after_point = static_cast<size_t>(std::max(0, -exponent));
  if (digits.size() <= after_point) digits.resize(after_point + 1, 0);
  std::string text = value < 0 ? "-" : "";
  for (size_t i = digits.size(); i-- > 0;) {
    text += static_cast<char>('0' + digits[i]);
    if (i == after_point && i > 0) text += '.';
  }
  return text;
}

}  // namespace hlo
