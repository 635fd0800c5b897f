#include "engine/types/element_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <string>
#include <type_traits>

#include "engine/base/bits.h"
#include "engine/types/convert.h"
#include "engine/types/float_traits.h"
#include "engine/types/storage.h"

namespace hlo {
namespace {

// XLA's name of the type, as its messages have it: "F8E4M3FN".
template <typename T>
std::string UpperName() {
  std::string name(Text(kTypeOf<T>));
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

// The end of the token that [p, end) starts with, for ranges and messages.
const char* TokenEnd(const char* p, const char* end) {
  constexpr ptrdiff_t kLongest = 256;
  const char* begin = p;
  while (p != end && p - begin < kLongest &&
         (IsWordCharacter(*p) || *p == '.' || *p == '-' || *p == '+')) {
    ++p;
  }
  return p;
}

// Where and what the current element is; makes the faults.
class ElementText {
 public:
  explicit ElementText(Scanner& in)
      : in_(in), begin_(in.rest().data()), end_(begin_ + in.rest().size()), p_(begin_) {}

  const char* begin() const { return p_; }
  const char* end() const { return end_; }
  void MoveTo(const char* p) { p_ = p; }
  // Ends the reading: the scanner stands where the last element ended.
  void Finish() { in_.Advance(static_cast<size_t>(p_ - begin_)); }

  bool Starts(std::string_view word) const {
    return static_cast<size_t>(end_ - p_) >= word.size() &&
           std::memcmp(p_, word.data(), word.size()) == 0;
  }
  // Takes a word that no word character follows.
  bool TakeWord(std::string_view word) {
    if (!Starts(word)) return false;
    const char* after = p_ + word.size();
    if (after != end_ && (IsWordCharacter(*after) || *after == '.')) return false;
    p_ = after;
    return true;
  }
  bool TakeCharacter(char c) {
    SkipBlank();
    if (p_ == end_ || *p_ != c) return false;
    ++p_;
    return true;
  }
  void SkipBlank() {
    while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) ++p_;
  }
  // Skips blanks and commas; true if an element, not a brace, comment or end, stands there.
  bool NextElement() {
    const char* before = p_;
    while (p_ != end_ && (*p_ == ' ' || *p_ == ',' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) {
      ++p_;
    }
    if (p_ != end_ && (IsWordCharacter(*p_) || *p_ == '-' || *p_ == '.' || *p_ == '(')) return true;
    p_ = before;
    return false;
  }

  // Reports a fault of the token at the cursor; always false.
  bool Fault(std::string message) { return FaultTo(TokenEnd(p_, end_), std::move(message)); }
  bool FaultTo(const char* token_end, std::string message) {
    const size_t at = in_.position() + static_cast<size_t>(p_ - begin_);
    in_.FaultAt(DiagCode::kLiteralValue, at, at + static_cast<size_t>(token_end - p_),
                std::move(message));
    return false;
  }
  bool Expects(std::string_view what) {
    Finish();
    begin_ = p_;
    return Fault(fmt::format("expects {}, but sees {}", what, in_.Here()));
  }
  template <typename T>
  bool OutOfRange(const char* token_end) {
    return FaultTo(
        token_end,
        fmt::format("value {} is out of range for literal's primitive type {}, namely {}.",
                    std::string(p_, std::min(token_end, p_ + 64)), UpperName<T>(), RangeText<T>()));
  }

 private:
  template <typename T>
  static std::string RangeText() {
    if constexpr (kClassOf<T> == TypeClass::kFloat) {
      using Traits = FloatTraits<T>;
      return fmt::format("[{:.9g}, {:.9g}]", Traits::Lowest(), Traits::Max());
    } else {
      using Limits = convert_internal::IntLimits<T>;
      return fmt::format("[{}, {}]", Limits::kMin + 0, Limits::kMax + 0);
    }
  }

  Scanner& in_;
  const char* begin_;
  const char* end_;
  const char* p_;
};

// A number must not run into a word: "1x2", "3.5" as an integer.
bool EndsToken(const char* p, const char* end) {
  return p == end || !(IsWordCharacter(*p) || *p == '.');
}

template <typename T>
bool ReadInteger(ElementText& text, T* out) {
  using Limits = convert_internal::IntLimits<T>;
  const IntegerToken token = ScanInteger(text.begin(), text.end());
  if (token.end == text.begin() || !EndsToken(token.end, text.end())) {
    return text.Expects(fmt::format("an integer for {}", Text(kTypeOf<T>)));
  }
  constexpr uint64_t kMost = static_cast<uint64_t>(Limits::kMax);
  constexpr uint64_t kMostNegative = uint64_t{0} - static_cast<uint64_t>(Limits::kMin);
  if (!token.fits || token.magnitude > (token.is_negative ? kMostNegative : kMost)) {
    return text.OutOfRange<T>(token.end);
  }
  *out = static_cast<T>(token.is_negative ? uint64_t{0} - token.magnitude : token.magnitude);
  text.MoveTo(token.end);
  return true;
}

bool ReadPred(ElementText& text, bool* out) {
  if (text.TakeWord("true")) return *out = true;
  if (text.TakeWord("false")) {
    *out = false;
    return true;
  }
  const IntegerToken token = ScanInteger(text.begin(), text.end());
  if (token.end == text.begin() || !EndsToken(token.end, text.end())) {
    return text.Expects("'true', 'false' or an integer for pred");
  }
  *out = token.magnitude != 0 || !token.fits;
  text.MoveTo(token.end);
  return true;
}

// "nan" has been taken, in a token that began at `start`; "(0x7)" may follow.
template <typename T>
bool ReadNanPayload(ElementText& text, const char* start, bool is_negative, T* out) {
  using Traits = FloatTraits<T>;
  if (!text.Starts("(0x")) {
    *out = Traits::NaN(is_negative);
    return true;
  }
  const char* p = text.begin() + 3;
  const char* digits = p;
  uint64_t payload = 0;
  bool fits = true;
  for (; p != text.end(); ++p) {
    const int digit = IsDigit(*p)              ? *p - '0'
                      : *p >= 'a' && *p <= 'f' ? *p - 'a' + 10
                      : *p >= 'A' && *p <= 'F' ? *p - 'A' + 10
                                               : -1;
    if (digit < 0) break;
    fits &= payload >> 60 == 0;
    payload = payload << 4 | static_cast<uint64_t>(digit);
  }
  text.MoveTo(start);
  if (p == digits || p == text.end() || *p != ')') {
    return text.Expects("a NaN payload as '(0x...)' in hexadecimal");
  }
  const std::string written(digits, std::min(p, digits + 32));
  if (Traits::kPayloadMask == 0) {
    return text.FaultTo(p + 1, fmt::format("tries to set NaN payload 0x{}, but {} has none",
                                           written, UpperName<T>()));
  }
  if (!fits || payload == 0 || payload > Traits::kPayloadMask) {
    return text.FaultTo(p + 1, fmt::format("tries to set NaN payload 0x{}, but those of {} are "
                                           "0x1 to 0x{:x}",
                                           written, UpperName<T>(), Traits::kPayloadMask));
  }
  *out = Traits::NaNWithPayload(is_negative, payload);
  text.MoveTo(p + 1);
  return true;
}

template <typename T>
bool ReadFloat(ElementText& text, T* out) {
  using Traits = FloatTraits<T>;
  double value = 0;
  const char* token_end = ScanDouble(text.begin(), text.end(), &value);
  if (token_end == text.begin()) {
    const bool is_negative = text.Starts("-");
    const char* start = text.begin();
    if (is_negative) text.MoveTo(start + 1);
    if (text.TakeWord("nan")) return ReadNanPayload(text, start, is_negative, out);
    if (text.TakeWord("inf")) {
      const double infinity = std::numeric_limits<double>::infinity();
      *out = static_cast<T>(is_negative ? -infinity : infinity);
      return true;
    }
    text.MoveTo(start);
    return text.Expects(fmt::format("a number for {}", Text(kTypeOf<T>)));
  }
  if (!EndsToken(token_end, text.end())) {
    return text.Expects(fmt::format("a number for {}", Text(kTypeOf<T>)));
  }
  if (!Traits::Holds(value)) return text.OutOfRange<T>(token_end);
  *out = static_cast<T>(value);
  text.MoveTo(token_end);
  return true;
}

template <typename T>
bool ReadComplex(ElementText& text, std::complex<T>* out) {
  T parts[2];
  if (!text.TakeCharacter('(')) return text.Expects("'(' before the parts of a complex number");
  text.SkipBlank();
  if (!ReadFloat(text, &parts[0])) return false;
  if (!text.TakeCharacter(',')) return text.Expects("',' after the real part");
  text.SkipBlank();
  if (!ReadFloat(text, &parts[1])) return false;
  if (!text.TakeCharacter(')')) return text.Expects("')' after the imaginary part");
  *out = {parts[0], parts[1]};
  return true;
}

template <typename T>
bool ReadElement(ElementText& text, T* out) {
  if constexpr (kClassOf<T> == TypeClass::kPred) {
    return ReadPred(text, out);
  } else if constexpr (kClassOf<T> == TypeClass::kFloat) {
    return ReadFloat(text, out);
  } else if constexpr (kClassOf<T> == TypeClass::kComplex) {
    return ReadComplex(text, out);
  } else {
    return ReadInteger(text, out);
  }
}

template <typename T>
int64_t ReadElements(Scanner& in, std::byte* bytes, int64_t most) {
  ElementText text(in);
  T* out = reinterpret_cast<T*>(bytes);
  int64_t count = 0;
  while (count < most && text.NextElement()) {
    if (!ReadElement(text, &out[count])) return -1;
    ++count;
  }
  if (count == 0) {
    text.Expects(fmt::format("a value of {}", Text(kTypeOf<T>)));
    return -1;
  }
  text.Finish();
  return count;
}

}  // namespace

ElementReader ElementReaderOf(ElementType type) {
  return DispatchType(
      type, [](auto tag) -> ElementReader { return ReadElements<typename decltype(tag)::type>; });
}

}  // namespace hlo
