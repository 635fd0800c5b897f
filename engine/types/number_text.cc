#include "engine/types/number_text.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <iterator>

#include "engine/base/characters.h"

namespace hlo {
namespace {

// 10^0 ... 10^22 are exact in a double.
constexpr double kExactPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kLargestExactPower = 22;

// The parts of a decimal: digits * 10^exponent.
struct Decimal {
  const char* end;
  uint64_t digits;  // the first 19 significant ones
  int64_t exponent;
  bool is_negative;
  bool is_truncated;  // more than 19 significant digits
};

// The digits at p; those after the point lower the exponent.
const char* ScanDigits(const char* p, const char* end, bool after_point, Decimal* out) {
  for (; p != end && IsDigit(*p); ++p) {
    constexpr uint64_t kRoom = 1'000'000'000'000'000'000;  // one more digit fits below this
    if (out->digits < kRoom) {
      out->digits = out->digits * 10 + static_cast<uint64_t>(*p - '0');
      if (after_point) --out->exponent;
    } else {
      out->is_truncated = true;
      if (!after_point) ++out->exponent;
    }
  }
  return p;
}

// Reads the exponent at p and returns its end; p when there is none.
const char* ScanExponent(const char* p, const char* end, Decimal* out) {
  if (p == end || (*p != 'e' && *p != 'E')) return p;
  const char* q = p + 1;
  const bool is_negative = q != end && *q == '-';
  if (q != end && (*q == '-' || *q == '+')) ++q;
  if (q == end || !IsDigit(*q)) return p;
  int64_t exponent = 0;
  for (; q != end && IsDigit(*q); ++q) {
    if (exponent < 1'000'000'000) exponent = exponent * 10 + (*q - '0');
  }
  out->exponent += is_negative ? -exponent : exponent;
  return q;
}

// strtod, for the few numbers that need many digits or a far exponent.
double SlowValue(const char* begin, const char* end) {
  char small[64];
  const size_t size = static_cast<size_t>(end - begin);
  if (size < sizeof(small)) {
    std::memcpy(small, begin, size);
    small[size] = '\0';
    return std::strtod(small, nullptr);
  }
  return std::strtod(std::string(begin, size).c_str(), nullptr);
}

}  // namespace

const char* ScanDouble(const char* begin, const char* end, double* value) {
  Decimal decimal{begin, 0, 0, begin != end && *begin == '-', false};
  const char* p = begin + (decimal.is_negative ? 1 : 0);
  const char* whole = p;
  p = ScanDigits(p, end, false, &decimal);
  bool has_digits = p != whole;
  if (p != end && *p == '.') {
    const char* fraction = p + 1;
    const char* after = ScanDigits(fraction, end, true, &decimal);
    has_digits |= after != fraction;
    if (has_digits) p = after;
  }
  if (!has_digits) return begin;
  p = ScanExponent(p, end, &decimal);
  const int64_t exponent = decimal.exponent;
  // Clinger: an exact integer times or divided by an exact power rounds once.
  const bool is_exact = !decimal.is_truncated && decimal.digits <= (uint64_t{1} << 53);
  double magnitude = 0;
  if (decimal.digits == 0) {
    magnitude = 0;
  } else if (is_exact && exponent >= 0 && exponent <= kLargestExactPower) {
    magnitude = static_cast<double>(decimal.digits) * kExactPowers[exponent];
  } else if (is_exact && exponent < 0 && exponent >= -kLargestExactPower) {
    magnitude = static_cast<double>(decimal.digits) / kExactPowers[-exponent];
  } else {
    magnitude = SlowValue(begin + (decimal.is_negative ? 1 : 0), p);
  }
  *value = decimal.is_negative ? -magnitude : magnitude;
  return p;
}

void AppendDigits(double value, int digits, std::string* out) {
  fmt::format_to(std::back_inserter(*out), FMT_STRING("{:.{}g}"), value, digits);
}

void AppendFloat(float value, std::string* out) {
  // Integers of six digits, the bulk of most texts, need no search.
  if (value > -1e6f && value < 1e6f && value != 0) {
    const int whole = static_cast<int>(value);
    if (static_cast<float>(whole) == value) {
      fmt::format_to(std::back_inserter(*out), FMT_STRING("{}"), whole);
      return;
    }
  }
  const size_t begin = out->size();
  AppendDigits(value, 6, out);
  double back = 0;
  ScanDouble(out->data() + begin, out->data() + out->size(), &back);
  if (static_cast<float>(back) == value) return;
  out->resize(begin);
  AppendDigits(value, 9, out);
}

void AppendDouble(double value, std::string* out) {
  const size_t begin = out->size();
  AppendDigits(value, 15, out);
  double back = 0;
  ScanDouble(out->data() + begin, out->data() + out->size(), &back);
  if (back == value) return;
  out->resize(begin);
  AppendDigits(value, 17, out);
}

}  // namespace hlo
