#include "engine/proto/text_format.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <limits>
#include <utility>

#include "engine/base/text_reader.h"
#include "engine/proto/wire.h"

namespace hlo {
namespace {

bool IsWordPart(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

class TextFormatReader {
 public:
  TextFormatReader(std::string_view text, Diagnostics& diagnostics)
      : in_(text), diagnostics_(diagnostics) {}

  // Fields up to `close` ('\0': the end of the text). `type` is null in what is skipped.
  bool ReadFields(const MessageType* type, char close, int levels, WireWriter* out) {
    while (true) {
      SkipSeparators();
      if (in_.AtEnd()) return close == '\0' || Fail(fmt::format("expects '{}'", close));
      if (close != '\0' && in_.Peek() == close) {
        in_.Advance();
        return true;
      }
      if (!ReadField(type, levels, out)) return false;
    }
  }

 private:
  bool Fail(std::string message) {
    const size_t at = in_.position();
    diagnostics_.Report(DiagCode::kSyntaxError, in_.RangeOf(at, std::min(at + 1, size())),
                        std::move(message));
    return false;
  }
  size_t size() const { return in_.text().size(); }

  void SkipSpace() {
    while (!in_.AtEnd()) {
      const char c = in_.Peek();
      if (c == '#') {
        while (!in_.AtEnd() && in_.Peek() != '\n') in_.Advance();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f') {
        in_.Advance();
      } else {
        return;
      }
    }
  }
  void SkipSeparators() {
    SkipSpace();
    while (in_.Peek() == ',' || in_.Peek() == ';') {
      in_.Advance();
      SkipSpace();
    }
  }
  bool Take(char c) {
    SkipSpace();
    if (in_.Peek() != c || in_.AtEnd()) return false;
    in_.Advance();
    return true;
  }

  std::string_view TakeWord() {
    SkipSpace();
    const size_t begin = in_.position();
    while (IsWordPart(in_.Peek())) in_.Advance();
    return in_.Since(begin);
  }

  // `name: value`, `name { fields }`, `name: [value, ...]`.
  bool ReadField(const MessageType* type, int levels, WireWriter* out) {
    const FieldRow* row = nullptr;
    if (in_.Peek() == '[') {  // the name of an extension
      while (!in_.AtEnd() && in_.Peek() != ']') in_.Advance();
      in_.Advance();
    } else {
      const std::string_view name = TakeWord();
      if (name.empty()) return Fail("expects the name of a field");
      if (type) row = FindField(*type, name);
    }
    const bool colon = Take(':');
    if (Take('[')) {
      if (Take(']')) return true;
      do {
        if (!ReadValue(row, levels, out)) return false;
      } while (Take(','));
      return Take(']') || Fail("expects ',' or ']'");
    }
    SkipSpace();
    if (!colon && in_.Peek() != '{' && in_.Peek() != '<') return Fail("expects ':' or '{'");
    return ReadValue(row, levels, out);
  }

  bool ReadValue(const FieldRow* row, int levels, WireWriter* out) {
    SkipSpace();
    const char c = in_.Peek();
    if (c == '{' || c == '<') {
      if (row && row->type != FieldType::kMessage) return Fail("expects a value, not a message");
      if (levels == 0) {
        return Fail(fmt::format("messages are nested over {} deep", kMostMessageDepth));
      }
      in_.Advance();
      WireWriter inner;
      const MessageType* type = row ? &row->type_of : nullptr;
      if (!ReadFields(type, c == '{' ? '}' : '>', levels - 1, &inner)) return false;
      if (row) out->Message(row->number, inner.bytes());
      return true;
    }
    if (row && row->type == FieldType::kMessage) return Fail("expects '{'");
    if (c == '"' || c == '\'') {
      if (row && row->type != FieldType::kString) return Fail("expects no string");
      std::string text;
      if (!ReadStrings(&text)) return false;
      if (row) out->Message(row->number, text);
      return true;
    }
    if (row && row->type == FieldType::kString) return Fail("expects a string");
    return ReadScalar(row, out);
  }

  bool ReadScalar(const FieldRow* row, WireWriter* out) {
    SkipSpace();
    const bool minus = Take('-');
    SkipSpace();
    const size_t begin = in_.position();
    char before = '\0';
    while (IsWordPart(in_.Peek()) || in_.Peek() == '.' ||
           ((in_.Peek() == '-' || in_.Peek() == '+') && (before | 0x20) == 'e')) {
      before = in_.Peek();
      in_.Advance();
    }
    const std::string_view word = in_.Since(begin);
    if (word.empty()) return Fail("expects a value");
    if (!row) return true;
    if (row->type == FieldType::kFloat || row->type == FieldType::kDouble) {
      return WriteReal(*row, word, minus, out);
    }
    if (row->type == FieldType::kEnum && !IsDigit(word[0])) {
      // A word of a later version is no reason to refuse the rest.
      out->Put(row->number, EnumNumber(row->enumeration, word).value_or(0));
      return true;
    }
    if (word == "true" || word == "false") {
      out->Put(row->number, word == "true" ? 1 : 0);
      return true;
    }
    return WriteInteger(*row, word, minus, out);
  }

  bool WriteInteger(const FieldRow& row, std::string_view word, bool minus, WireWriter* out) {
    int base = 10;
    std::string_view digits = word;
    if (digits.size() > 1 && digits[0] == '0') {
      base = (digits[1] | 0x20) == 'x' ? 16 : 8;
      digits.remove_prefix(base == 16 ? 2 : 1);
    }
    uint64_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, number, base);
    if (error != std::errc() || stop != end) {
      return Fail(fmt::format("expects an integer, not {}", word));
    }
    out->Put(row.number, static_cast<int64_t>(minus ? 0 - number : number));
    return true;
  }

  bool WriteReal(const FieldRow& row, std::string_view word, bool minus, WireWriter* out) {
    double number = 0;
    if (FindNonFinite(word, &number)) {
      // Said in words.
    } else {
      if ((word.back() | 0x20) == 'f') word.remove_suffix(1);
      const std::string digits(word);
      char* stop = nullptr;
      number = std::strtod(digits.c_str(), &stop);
      if (stop != digits.c_str() + digits.size()) {
        return Fail(fmt::format("expects a number, not {}", word));
      }
    }
    if (minus) number = -number;
    if (row.type == FieldType::kFloat) {
      out->Float(row.number, static_cast<float>(number));
    } else {
      out->Double(row.number, number);
    }
    return true;
  }

  static bool FindNonFinite(std::string_view word, double* number) {
    if (word == "inf" || word == "infinity") {
      *number = std::numeric_limits<double>::infinity();
    } else if (word == "nan") {
      *number = std::numeric_limits<double>::quiet_NaN();
    } else {
      return false;
    }
    return true;
  }

  // Strings that follow one another are one.
  bool ReadStrings(std::string* text) {
    for (SkipSpace(); in_.Peek() == '"' || in_.Peek() == '\''; SkipSpace()) {
      const char quote = in_.Peek();
      in_.Advance();
      while (in_.Peek() != quote) {
        if (in_.AtEnd() || in_.Peek() == '\n') return Fail("the string is not closed");
        if (in_.Peek() == '\\') {
          in_.Advance();
          AppendEscape(text);
        } else {
          text->push_back(in_.Peek());
          in_.Advance();
        }
      }
      in_.Advance();
    }
    return true;
  }

  // After the backslash.
  void AppendEscape(std::string* text) {
    constexpr std::string_view kLetters = "abfnrtv";
    constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v";
    const char c = in_.Peek();
    const bool is_hex = c == 'x' || c == 'X';
    if (is_hex) in_.Advance();
    if (is_hex || (c >= '0' && c <= '7')) {
      const std::string_view digits = in_.rest().substr(0, is_hex ? 2 : 3);
      unsigned number = 0;
      const auto [stop, error] =
          std::from_chars(digits.data(), digits.data() + digits.size(), number, is_hex ? 16 : 8);
      if (error == std::errc()) in_.Advance(static_cast<size_t>(stop - digits.data()));
      text->push_back(static_cast<char>(number));
      return;
    }
    if (in_.AtEnd()) return;
    const size_t letter = kLetters.find(c);
    text->push_back(letter == std::string_view::npos ? c : kMeanings[letter]);
    in_.Advance();
  }

  TextReader in_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<std::string> BytesOfProtoText(MessageType type, std::string_view text,
                                            Diagnostics& diagnostics) {
  WireWriter out;
  if (!TextFormatReader(text, diagnostics).ReadFields(&type, '\0', kMostMessageDepth, &out)) {
    return std::nullopt;
  }
  return out.Take();
}

}  // namespace hlo
