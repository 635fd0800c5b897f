#include "engine/mlir/text/float_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "engine/types/convert.h"
#include "engine/types/float_traits.h"
#include "engine/types/number_text.h"

namespace hlo::mlir {
namespace {

// digits * 10^exponent, most significant digit first; `bits` is the length of `digits` as a binary
// number.
struct Decimal {
  std::string digits;
  int exponent = 0;
  int bits = 0;
};

// The number of bits of number * 5^power.
int BitLength(uint64_t number, int power) {
  std::vector<uint32_t> words = {static_cast<uint32_t>(number),
                                 static_cast<uint32_t>(number >> 32)};
  constexpr int kAtOnce = 13;
  while (power > 0) {
    uint32_t factor = 1;
    for (int i = 0; i < std::min(power, kAtOnce); ++i) factor *= 5;
    power -= kAtOnce;
    uint64_t carry = 0;
    for (uint32_t& word : words) {
      carry += uint64_t{word} * factor;
      word = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words.push_back(static_cast<uint32_t>(carry));
  }
  while (words.back() == 0) words.pop_back();
  int bits = static_cast<int>(words.size() - 1) * 32;
  for (uint32_t rest = words.back(); rest != 0; rest >>= 1) ++bits;
  return bits;
}

// All digits of a positive number.
Decimal ExactDecimal(double value) {
  int exponent = 0;
  auto number = static_cast<uint64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  while (number % 2 == 0) {
    number /= 2;
    ++exponent;
  }
  const int places = std::max(-exponent, 0);
  std::vector<char> buffer(static_cast<size_t>(places) + 320);
  const int size = std::snprintf(buffer.data(), buffer.size(), "%.*f", places, value);
  Decimal decimal;
  for (int i = 0; i < size; ++i) {
    const char c = buffer[static_cast<size_t>(i)];
    if (c != '.' && (c != '0' || !decimal.digits.empty())) decimal.digits += c;
  }
  decimal.exponent = -places;
  decimal.bits = BitLength(number, places) + std::max(exponent, 0);
  return decimal;
}

void DropTrailingZeros(Decimal* decimal) {
  while (decimal->digits.size() > 1 && decimal->digits.back() == '0') {
    decimal->digits.pop_back();
    ++decimal->exponent;
  }
}

// Rounds to a number of digits as APFloat does: digits that are certainly in excess are truncated,
// the rest is rounded, ties away from zero. If truncation leaves no digit to round by, nothing is
// rounded.
void RoundTo(int precision, Decimal* decimal) {
  const int wanted_bits = (precision * 196 + 58) / 59;
  if (decimal->bits > wanted_bits) {
    const int cut = (decimal->bits - wanted_bits) * 59 / 196;
    decimal->digits.resize(decimal->digits.size() - static_cast<size_t>(cut));
    decimal->exponent += cut;
  }
  DropTrailingZeros(decimal);
  const auto kept = static_cast<size_t>(precision);
  if (decimal->digits.size() <= kept) return;
  const bool is_up = decimal->digits[kept] >= '5';
  decimal->exponent += static_cast<int>(decimal->digits.size() - kept);
  decimal->digits.resize(kept);
  if (is_up) {
    size_t i = kept;
    while (i > 0 && decimal->digits[i - 1] == '9') decimal->digits[--i] = '0';
    if (i > 0) {
      ++decimal->digits[i - 1];
    } else {
      decimal->digits.insert(decimal->digits.begin(), '1');
    }
  }
  DropTrailingZeros(decimal);
}

// `1.5` and an exponent, which has two digits if zeros are padded.
std::string Scientific(const Decimal& decimal, char letter, int places) {
  const std::string& digits = decimal.digits;
  std::string text = digits.substr(0, 1) + ".";
  text += digits.size() == 1 && places == 0 ? "0" : digits.substr(1);
  if (static_cast<int>(digits.size()) - 1 < places) {
    text.append(static_cast<size_t>(places) - (digits.size() - 1), '0');
  }
  const int exponent = decimal.exponent + static_cast<int>(digits.size()) - 1;
  text += letter;
  text += exponent >= 0 ? '+' : '-';
  const std::string number = std::to_string(std::abs(exponent));
  if (places > 0 && number.size() < 2) text += '0';
  return text + number;
}

// Without an exponent if that takes few zeros.
std::string Natural(const Decimal& decimal, int precision) {
  constexpr int kMostZeros = 3;
  const int size = static_cast<int>(decimal.digits.size());
  const int whole = decimal.exponent + size;  // digits before the point
  const bool has_exponent = decimal.exponent >= 0
                                ? decimal.exponent > kMostZeros || whole > precision
                                : whole < 1 && 1 - whole > kMostZeros;
  if (has_exponent) return Scientific(decimal, 'E', 0);
  if (decimal.exponent >= 0) {
    return decimal.digits + std::string(static_cast<size_t>(decimal.exponent), '0');
  }
  if (whole > 0) {
    return decimal.digits.substr(0, static_cast<size_t>(whole)) + "." +
           decimal.digits.substr(static_cast<size_t>(whole));
  }
  return "0." + std::string(static_cast<size_t>(-whole), '0') + decimal.digits;
}

int DigitsOf(ElementType type) {
  return DispatchClass<TypeClass::kFloat>(
      type, 0, [](auto tag) { return FloatTraits<typename decltype(tag)::type>::kDigits; });
}

bool ReadsBack(const std::string& text, ElementType type, const std::byte* bits) {
  double value = 0;
  ScanDouble(text.data(), text.data() + text.size(), &value);
  alignas(8) std::byte back[8] = {};
  ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(&value), type, back, 1);
  return std::memcmp(back, bits, static_cast<size_t>(BytesOf(type))) == 0;
}

void AppendBits(ElementType type, const std::byte* bits, std::string* out) {
  *out += "0x";
  constexpr char kDigits[] = "0123456789ABCDEF";
  bool has_digit = false;
  for (int i = BytesOf(type); i-- > 0;) {
    const auto byte = static_cast<uint8_t>(bits[i]);
    for (int digit : {byte >> 4, byte & 15}) {
      has_digit = has_digit || digit != 0 || i == 0;
      if (has_digit) *out += kDigits[digit];
    }
  }
}

}  // namespace

void AppendFloat(ElementType type, const std::byte* bits, std::string* out) {
  constexpr int kPlaces = 6;
  double value = 0;
  ConvertElements(type, bits, ElementType::kF64, reinterpret_cast<std::byte*>(&value), 1);
  if (!std::isfinite(value)) return AppendBits(type, bits, out);
  const std::string sign = std::signbit(value) ? "-" : "";
  if (value == 0) {
    *out += sign + "0.000000e+00";
    return;
  }
  const Decimal exact = ExactDecimal(std::fabs(value));
  Decimal rounded = exact;
  RoundTo(kPlaces, &rounded);
  std::string text = sign + Scientific(rounded, 'e', kPlaces);
  if (!ReadsBack(text, type, bits)) {
    const int precision = DigitsOf(type);
    rounded = exact;
    RoundTo(precision, &rounded);
    text = sign + Natural(rounded, precision);
    if (text.find('.') == std::string::npos) return AppendBits(type, bits, out);
  }
  *out += text;
}

}  // namespace hlo::mlir
