#include "engine/types/element_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "engine/base/bits.h"
#include "engine/types/convert.h"
#include "engine/types/float_traits.h"
#include "engine/types/storage.h"

namespace hlo {
namespace {

// XLA's name of the type, as its messages have it: "F8E4M3FN".
std::string UpperName(ElementType type) {
  std::string name(Text(type));
  for (char& c : name) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

// What the reader needs to know of a type of numbers.
struct NumberRow {
  int64_t min = 0;  // of integers
  uint64_t max = 0;
  uint64_t payload_mask = 0;                // of floats; 0: NaNs have no payload
  void (*range)(double* limits) = nullptr;  // lowest and largest
  // Writes the value rounded; false if it is finite and the rounded one would not be.
  bool (*store)(double value, std::byte* out) = nullptr;
  void (*store_nan)(bool is_negative, uint64_t payload, std::byte* out) = nullptr;  // 0: default
};

template <typename T>
bool StoreFloat(double value, std::byte* out) {
  if (value - value == 0 && !FloatTraits<T>::Holds(value)) return false;
  *reinterpret_cast<T*>(out) = static_cast<T>(value);
  return true;
}

template <typename T>
void StoreNan(bool is_negative, uint64_t payload, std::byte* out) {
  using Traits = FloatTraits<T>;
  *reinterpret_cast<T*>(out) =
      payload == 0 ? Traits::NaN(is_negative) : Traits::NaNWithPayload(is_negative, payload);
}

template <typename T>
constexpr NumberRow MakeRow() {
  NumberRow row;
  if constexpr (kClassOf<T> == TypeClass::kFloat) {
    row.payload_mask = FloatTraits<T>::kPayloadMask;
    row.range = [](double* limits) {
      limits[0] = FloatTraits<T>::Lowest();
      limits[1] = FloatTraits<T>::Max();
    };
    row.store = StoreFloat<T>;
    row.store_nan = StoreNan<T>;
  } else if constexpr (kClassOf<T> == TypeClass::kSigned || kClassOf<T> == TypeClass::kUnsigned) {
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): a number, not a character
    row.min = static_cast<int64_t>(convert_internal::IntLimits<T>::kMin);
    row.max = static_cast<uint64_t>(convert_internal::IntLimits<T>::kMax);
  }
  return row;
}

// By number of the element type.
constexpr NumberRow kRows[] = {
#define ELEMENT(name, text, number, bits, bytes, klass, cpp) MakeRow<cpp>(),
#include "engine/types/element_type.def"
};

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
  ElementText(Scanner& in, const Shape* shape)
      : in_(in),
        shape_(shape),
        begin_(in.rest().data()),
        end_(begin_ + in.rest().size()),
        p_(begin_) {}

  const char* begin() const { return p_; }
  const char* end() const { return end_; }
  void MoveTo(const char* p) { p_ = p; }
  // Ends the reading: the scanner is left where the last element ended.
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
  // Skips blanks and commas; true if an element follows, not a brace, comment or end.
  bool NextElement() {
    const char* before = p_;
    while (p_ != end_ && (*p_ == ' ' || *p_ == ',' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) {
      ++p_;
    }
    const bool is_element =
        p_ != end_ && (IsWordCharacter(*p_) || *p_ == '-' || *p_ == '.' || *p_ == '(');
    if (is_element && !Starts("...")) return true;
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
    const char* token_end = TokenEnd(p_, end_);
    if (token_end == p_) token_end += in_.HereLength();
    return FaultTo(token_end, fmt::format("{}, but sees {}", what, in_.Here()));
  }
  // `part` is "real part" or "imaginary part" of a complex number, else empty.
  bool OutOfRange(ElementType type, std::string_view value, std::string_view part,
                  const char* token_end) {
    return FaultTo(token_end,
                   part.empty()
                       ? fmt::format("value {} is out of range for literal's primitive type {} "
                                     "namely {}.",
                                     value, UpperName(type), RangeText(type))
                       : fmt::format("{} {} is out of range for literal's primitive type C{}, "
                                     "namely {}.",
                                     part, value, 2 * BitsOf(type), RangeText(type)));
  }
  void Warn(const char* token_end, std::string message) {
    const size_t at = in_.position() + static_cast<size_t>(p_ - begin_);
    in_.diagnostics().Report(DiagCode::kLiteralValue, Severity::kWarning,
                             in_.RangeOf(at, at + static_cast<size_t>(token_end - p_)),
                             std::move(message));
  }
  // "to a literal in shape f32[2] at linear index 1"
  std::string Place() const {
    return shape_ ? fmt::format(" to a literal in shape {} at linear index {}", ShapeName(*shape_),
                                index)
                  : "";
  }

  int64_t index = 0;  // of the element at the cursor

 private:
  static std::string RangeText(ElementType type) {
    const NumberRow& row = kRows[static_cast<size_t>(type)];
    if (!row.range) return fmt::format("[{}, {}]", row.min, row.max);
    double limits[2];
    row.range(limits);
    return fmt::format("[{:g}, {:g}]", limits[0], limits[1]);
  }

  Scanner& in_;
  const Shape* shape_;
  const char* begin_;
  const char* end_;
  const char* p_;
};

// A number must not run into a word: "1x2", "3.5" as an integer.
bool EndsToken(const char* p, const char* end) {
  return p == end || !(IsWordCharacter(*p) || *p == '.');
}

bool ReadInteger(ElementText& text, ElementType type, std::byte* out) {
  const NumberRow& row = kRows[static_cast<size_t>(type)];
  const IntegerToken token = ScanInteger(text.begin(), text.end());
  if (token.end == text.begin() || !EndsToken(token.end, text.end())) {
    return text.Expects(fmt::format("expects integer for primitive type: {}", UpperName(type)));
  }
  const uint64_t most = token.is_negative ? uint64_t{0} - static_cast<uint64_t>(row.min) : row.max;
  const uint64_t value = token.is_negative ? uint64_t{0} - token.magnitude : token.magnitude;
  const std::string_view word(text.begin(), static_cast<size_t>(token.end - text.begin()));
  if (!token.fits || token.magnitude > most) {
    // XLA reads 64 bits and ignores the sign.
    const bool wraps = type == ElementType::kU64
                           ? token.fits && token.magnitude <= uint64_t{1} << 63
                           : type == ElementType::kS64 && token.fits && !token.is_negative;
    if (!wraps) return text.OutOfRange(type, word.substr(0, 64), "", token.end);
    text.Warn(token.end, fmt::format("{} is read modulo 2^64, as {}", word,
                                     type == ElementType::kU64
                                         ? fmt::format("{}", value)
                                         : fmt::format("{}", static_cast<int64_t>(value))));
  }
  // The low bytes, as integers of less than a byte are kept extended to one.
  std::memcpy(out, &value, static_cast<size_t>(BytesOf(type)));
  text.MoveTo(token.end);
  return true;
}

bool ReadPred(ElementText& text, std::byte* out) {
  const bool is_true = text.TakeWord("true");
  *out = std::byte{is_true};
  if (is_true || text.TakeWord("false")) return true;
  const IntegerToken token = ScanInteger(text.begin(), text.end());
  if (token.end == text.begin() || !EndsToken(token.end, text.end())) {
    return text.Expects("expects 'true', 'false' or an integer for primitive type: PRED");
  }
  *out = std::byte{token.magnitude != 0 || !token.fits};
  text.MoveTo(token.end);
  return true;
}

// "nan" has been taken, in a token that began at `start`; "(0x7)" may follow.
bool ReadNanPayload(ElementText& text, ElementType type, const char* start, bool is_negative,
                    std::byte* out) {
  const NumberRow& row = kRows[static_cast<size_t>(type)];
  if (!text.Starts("(0x")) {
    row.store_nan(is_negative, 0, out);
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
    return text.Expects("expects a NaN payload as '(0x...)' in hexadecimal");
  }
  const std::string written(digits, std::min(p, digits + 32));
  if (row.payload_mask == 0) {
    return text.FaultTo(p + 1, fmt::format("tries to set NaN payload 0x{}{}, but {} does not "
                                           "support payloads",
                                           written, text.Place(), Text(type)));
  }
  if (!fits || payload == 0 || payload > row.payload_mask) {
    return text.FaultTo(p + 1,
                        fmt::format("tries to set NaN payload 0x{}{}, but the NaN payload is "
                                    "out of range (0x{:x})",
                                    written, text.Place(), row.payload_mask));
  }
  row.store_nan(is_negative, payload, out);
  text.MoveTo(p + 1);
  return true;
}

bool ReadFloat(ElementText& text, ElementType type, std::byte* out, std::string_view part = "") {
  const NumberRow& row = kRows[static_cast<size_t>(type)];
  double value = 0;
  const char* token_end = ScanDouble(text.begin(), text.end(), &value);
  if (token_end == text.begin()) {
    const bool is_negative = text.Starts("-");
    const char* start = text.begin();
    if (is_negative) text.MoveTo(start + 1);
    if (text.TakeWord("nan")) return ReadNanPayload(text, type, start, is_negative, out);
    if (text.TakeWord("inf")) {
      const double infinity = std::numeric_limits<double>::infinity();
      return row.store(is_negative ? -infinity : infinity, out);
    }
    text.MoveTo(start);
    if (text.Starts("(")) {
      return text.Expects("unexpected '(' in literal. Parens are only valid for complex literals");
    }
    return text.Expects(
        fmt::format("unexpected token type in a literal: expects a number for {}", Text(type)));
  }
  if (!EndsToken(token_end, text.end())) {
    return text.Expects(
        fmt::format("unexpected token type in a literal: expects a number for {}", Text(type)));
  }
  // A number too large for a double has become infinite.
  if (value - value != 0) {
    return text.FaultTo(token_end,
                        fmt::format("Constant is out of range for double (+/-{:g}) and so is "
                                    "unparsable.",
                                    std::numeric_limits<double>::max()));
  }
  if (!row.store(value, out)) {
    return text.OutOfRange(type, fmt::format("{:g}", value), part, token_end);
  }
  text.MoveTo(token_end);
  return true;
}

bool ReadComplex(ElementText& text, ElementType type, std::byte* out) {
  const ElementType part = ComponentType(type);
  if (!text.TakeCharacter('(')) {
    return text.Expects("expects '(' before complex number");
  }
  text.SkipBlank();
  if (!ReadFloat(text, part, out, "real part")) return false;
  if (!text.TakeCharacter(',')) {
    return text.Expects("expect comma after real part of complex literal");
  }
  text.SkipBlank();
  if (!ReadFloat(text, part, out + BytesOf(part), "imaginary part")) return false;
  if (!text.TakeCharacter(')')) return text.Expects("expect ')' after complex number");
  return true;
}

bool ReadElement(ElementText& text, ElementType type, std::byte* out) {
  switch (ClassOf(type)) {
    case TypeClass::kPred:
      return ReadPred(text, out);
    case TypeClass::kFloat:
      return ReadFloat(text, type, out);
    case TypeClass::kComplex:
      return ReadComplex(text, type, out);
    case TypeClass::kSigned:
    case TypeClass::kUnsigned:
      return ReadInteger(text, type, out);
  }
  return false;
}

}  // namespace

int64_t ReadElementTexts(ElementType type, Scanner& in, std::byte* out, int64_t most,
                         const Shape* shape, int64_t index) {
  ElementText text(in, shape);
  int64_t count = 0;
  while (count < most && text.NextElement()) {
    text.index = index + count;
    if (!ReadElement(text, type, out)) return -1;
    out += BytesOf(type);
    ++count;
  }
  if (count == 0) {
    text.Expects(
        fmt::format("unexpected token type in a literal: expects a value of {}", Text(type)));
    return -1;
  }
  text.Finish();
  return count;
}

}  // namespace hlo
