#include "engine/types/integer_parts.h"

namespace hlo {
namespace {

constexpr int kWidestInteger = 64;

uint64_t LowBits(int count) {
  return count == kWidestInteger ? ~uint64_t{0} : (uint64_t{1} << count) - 1;
}

std::string WholeText(WholeNumber number) {
  const bool has_sign = number.is_negative && number.magnitude != 0;
  return (has_sign ? "-" : "") + std::to_string(number.magnitude);
}

// What a code of so many bits is.
WholeNumber WholeOfCode(uint64_t code, int bits, bool is_signed) {
  const bool is_negative = is_signed && (code >> (bits - 1) & 1) != 0;
  return {is_negative, is_negative ? (~code + 1) & LowBits(bits) : code};
}

}  // namespace

std::optional<WholeNumber> ParseWholeNumber(std::string_view text) {
  WholeNumber number;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    number.is_negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return std::nullopt;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<uint64_t>(c - '0');
    if (number.magnitude > (~uint64_t{0} - digit) / 10) return std::nullopt;
    number.magnitude = number.magnitude * 10 + digit;
  }
  if (number.is_negative && number.magnitude > uint64_t{1} << (kWidestInteger - 1)) {
    return std::nullopt;
  }
  return number;
}

IntegerParts PartsOfInteger(WholeNumber given, ElementType type) {
  const int bits = BitsOf(type);
  const bool is_signed = IsSigned(type);
  IntegerParts parts;
  parts.type = type;
  parts.code = (given.is_negative ? ~given.magnitude + 1 : given.magnitude) & LowBits(bits);
  for (int i = bits; i-- > 0;) parts.bits += (parts.code >> i & 1) != 0 ? '1' : '0';
  parts.value = WholeText(WholeOfCode(parts.code, bits, is_signed));
  parts.otherwise = WholeText(WholeOfCode(parts.code, bits, !is_signed));
  // The ends of a type: 10...0 and 01...1, or 0 and 1...1.
  const uint64_t least = is_signed ? uint64_t{1} << (bits - 1) : 0;
  const uint64_t most = is_signed ? LowBits(bits - 1) : LowBits(bits);
  auto neighbour = [&](uint64_t code) {
    return WholeText(WholeOfCode(code & LowBits(bits), bits, is_signed));
  };
  if (parts.code != least) parts.below = neighbour(parts.code - 1);
  if (parts.code != most) parts.above = neighbour(parts.code + 1);
  parts.is_exact = parts.value == WholeText(given);
  return parts;
}

}  // namespace hlo
