#include "engine/hlo/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>

#include "engine/types/element_type.h"

namespace hlo {
namespace {

constexpr std::string_view kPunctuationPairs[] = {"->", "<=", "..."};

int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Reads the number whose digits begin at `*at`, which is moved past them: at most `most` digits.
// Empty when there are none, or when it is more than `limit`.
std::optional<uint32_t> ReadDigits(std::string_view text, size_t* at, int base, size_t most,
                                   uint32_t limit) {
  uint64_t value = 0;
  const size_t begin = *at;
  for (; *at < text.size() && *at - begin < most; ++*at) {
    const int digit = HexValue(text[*at]);
    if (digit < 0 || digit >= base) break;
    value = std::min<uint64_t>(value * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit),
                               uint64_t{limit} + 1);
  }
  if (*at == begin || value > limit) return std::nullopt;
  return static_cast<uint32_t>(value);
}

void AppendUtf8(uint32_t code, std::string* out) {
  auto append = [out](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code < 0x80) return append(code);
  if (code < 0x800) {
    append(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      append(0xE0 | code >> 12);
    } else {
      append(0xF0 | code >> 18);
      append(0x80 | (code >> 12 & 0x3F));
    }
    append(0x80 | (code >> 6 & 0x3F));
  }
  append(0x80 | (code & 0x3F));
}

// Decodes one escape, of those that absl::CUnescape knows; `*at` is after the backslash and is
// moved past the escape. False when it is not an escape.
bool Unescape(std::string_view text, size_t* at, std::string* out) {
  constexpr std::string_view kLetters = R"(nrtabfv\?'")", kValues = "\n\r\t\a\b\f\v\\?'\"";
  const char c = text[*at];
  if (const size_t i = kLetters.find(c); i != std::string_view::npos) {
    ++*at;
    out->push_back(kValues[i]);
    return true;
  }
  std::optional<uint32_t> value;
  if (IsDigit(c)) {
    value = ReadDigits(text, at, 8, 3, 0xFF);
  } else if (++*at; c == 'x' || c == 'X') {
    value = ReadDigits(text, at, 16, text.size(), 0xFF);
  } else if (c == 'u' || c == 'U') {
    const size_t digits = c == 'u' ? 4 : 8;
    const size_t begin = *at;
    value = ReadDigits(text, at, 16, digits, 0x10FFFF);
    const bool is_surrogate = value && *value >= 0xD800 && *value < 0xE000;
    if (!value || *at - begin != digits || is_surrogate) return false;
    AppendUtf8(*value, out);
    return true;
  }
  if (value) out->push_back(static_cast<char>(*value));
  return value.has_value();
}

// XLA's keywords, which are names only after a `%`.
constexpr std::string_view kKeywords[] = {
    "ENTRY",      "FileLocations", "FileNames", "FunctionNames", "HloModule",
    "ROOT",       "StackFrames",   "false",     "inf",           "last_tile_dim_replicate",
    "manual",     "maximal",       "nan",       "replicated",    "shard_as",
    "shard_like", "true",          "unknown",   "unreduced"};

}  // namespace

bool IsKeyword(std::string_view word) {
  return std::binary_search(std::begin(kKeywords), std::end(kKeywords), word);
}

bool IsTypeWord(std::string_view word) {
  return ElementTypeFromText(word) || word == "token" || word == "opaque";
}

bool IsReservedWord(std::string_view word) {
  // Nearly all names of large programs have a number after a dot, and no reserved word has one.
  constexpr size_t kLongest = std::string_view("last_tile_dim_replicate").size();
  if (word.size() > kLongest || word.find_first_of(".-") != std::string_view::npos) return false;
  return IsTypeWord(word) || IsKeyword(word);
}

void AppendName(std::string_view name, bool percent, std::string* out) {
  if (percent || IsReservedWord(name)) out->push_back('%');
  out->append(name);
}

void Lexer::SkipSpaceSlowly() {
  while (pos_ < text_.size()) {
    const char c = text_[pos_];
    if (const size_t space = SpaceLength(text_, pos_); space > 0) {
      pos_ += static_cast<uint32_t>(space);
    } else if (c == '/' && At(1) == '/') {
      pos_ = static_cast<uint32_t>(LineEnd(text_, pos_));
    } else if (c == '/' && At(1) == '*') {
      size_t end = text_.find("*/", pos_ + 2);
      if (end == std::string_view::npos) {
        diagnostics_->Report(DiagCode::kLexicalError, {pos_, pos_ + 2},
                             "this comment is not closed: expects '*/'");
        pos_ = static_cast<uint32_t>(text_.size());
      } else {
        pos_ = static_cast<uint32_t>(end + 2);
      }
    } else {
      return;
    }
  }
}

bool Lexer::Consume(std::string_view punctuation) {
  SkipSpace();
  if (text_.substr(pos_, punctuation.size()) != punctuation) return false;
  Advance(static_cast<uint32_t>(punctuation.size()));
  return true;
}

std::string_view Lexer::ConsumeIdentifier() {
  SkipSpace();
  uint32_t end = pos_;
  if (end >= text_.size() || !IsNameStart(text_[end])) return {};
  while (end < text_.size() && IsNameChar(text_[end])) ++end;
  std::string_view word = text_.substr(pos_, end - pos_);
  last_end_ = pos_ = end;
  return word;
}

bool Lexer::ConsumeWord(std::string_view word) {
  SkipSpace();
  if (text_.substr(pos_, word.size()) != word ||
      IsNameChar(At(static_cast<uint32_t>(word.size())))) {
    return false;
  }
  Advance(static_cast<uint32_t>(word.size()));
  return true;
}

std::string_view Lexer::ConsumeName(Range* range, bool* percent) {
  SkipSpace();
  uint32_t begin = pos_;
  bool has_percent = At(0) == '%';
  if (has_percent && !IsNameStart(At(1))) return {};
  pos_ += has_percent;
  // After a `%`, no space may follow; without one, space was skipped above.
  std::string_view name = ConsumeIdentifier();
  *range = {begin, pos_};
  if (percent) *percent = has_percent;
  return name;
}

std::string_view Lexer::ConsumeRun(std::string_view extra) {
  SkipSpace();
  uint32_t end = pos_;
  while (end < text_.size() && (IsDigit(text_[end]) || (IsNameStart(text_[end])) ||
                                extra.find(text_[end]) != std::string_view::npos)) {
    ++end;
  }
  std::string_view run = text_.substr(pos_, end - pos_);
  Advance(end - pos_);
  return run;
}

bool Lexer::Read(char c, std::string_view message) { return Consume(c) || Fail(message); }

bool Lexer::ReadEquals() {
  const uint32_t end = last_end_;
  const std::string_view name = WordBefore(end);
  if (!Consume('=')) return Fail(fmt::format("expects '=' after `{}`", name));
  const uint32_t equals = pos_ - 1;
  if (equals == end) return true;
  diagnostics_
      ->Report(DiagCode::kSyntaxError, {end - static_cast<uint32_t>(name.size()), pos_},
               fmt::format("expects '=' directly after `{}`: with a space between, XLA does not "
                           "take it as the name of an attribute",
                           name))
      .fixes.push_back({"remove the space before '='", {end, equals}, ""});
  return true;
}

std::string_view Lexer::WordBefore(uint32_t end) const {
  uint32_t begin = end;
  while (begin > 0 && IsNameChar(text_[begin - 1])) --begin;
  return text_.substr(begin, end - begin);
}

bool Lexer::ReadInt(int64_t* value) {
  SkipSpace();
  uint32_t at = pos_;
  bool negative = At(0) == '-';
  at += negative;
  if (at >= text_.size() || !IsDigit(text_[at])) return Fail("expects integer");
  uint64_t magnitude = 0;
  bool overflow = false;
  for (; at < text_.size() && IsDigit(text_[at]); ++at) {
    overflow |= __builtin_mul_overflow(magnitude, uint64_t{10}, &magnitude);
    overflow |=
        __builtin_add_overflow(magnitude, static_cast<uint64_t>(text_[at] - '0'), &magnitude);
  }
  overflow |= negative && magnitude > uint64_t{1} << 63;
  if (overflow) {
    diagnostics_->Report(DiagCode::kSyntaxError, {pos_, at}, "this integer does not fit 64 bits");
    pos_ = at;
    return false;
  }
  *value = static_cast<int64_t>(negative ? uint64_t{0} - magnitude : magnitude);
  Advance(at - pos_);
  return true;
}

bool Lexer::ReadCount(int64_t* value) {
  Range range = TokenRange();
  if (!ReadInt(value)) return false;
  if (*value >= 0) return true;
  diagnostics_->Report(DiagCode::kAttributeValue, range,
                       "expects an integer of at least 0 and below 2^63");
  return false;
}

bool Lexer::ReadNumber(double* value) {
  SkipSpace();
  uint32_t end = pos_;
  while (end < text_.size() && (IsNameChar(text_[end]) || text_[end] == '+')) ++end;
  std::string word(text_.substr(pos_, end - pos_));
  char* stop = word.data();
  double number = std::strtod(word.c_str(), &stop);
  bool hex = word.find('x') != std::string::npos || word.find('X') != std::string::npos;
  if (word.empty() || hex || *stop != '\0') return Fail("expects a number");
  if (std::isinf(number) && word.find("inf") == std::string::npos) {
    diagnostics_->Report(DiagCode::kAttributeValue, {pos_, end},
                         "this number does not fit a double");
    return false;
  }
  *value = number;
  Advance(end - pos_);
  return true;
}

// Moves past a string whose opening quote is at the position; false when it is not closed.
bool Lexer::SkipString(char quote) {
  for (uint32_t at = pos_ + 1; at < text_.size(); ++at) {
    if (text_[at] == '\\') {
      ++at;
    } else if (text_[at] == quote) {
      Advance(at + 1 - pos_);
      return true;
    }
  }
  diagnostics_->Report(DiagCode::kLexicalError, {pos_, pos_ + 1}, "this string is not closed");
  AbandonGroup(pos_);
  return false;
}

void Lexer::AbandonGroup(uint32_t begin) {
  constexpr int kPatience = 8;
  pos_ = static_cast<uint32_t>(++abandoned_ <= kPatience ? LineEnd(text_, begin) : text_.size());
}

bool Lexer::ReadString(std::string* value) {
  char quote = Peek();
  if (quote != '"' && quote != '\'') return Fail("expects a quoted string");
  uint32_t begin = pos_ + 1;
  if (!SkipString(quote)) return false;
  std::string_view inside = text_.substr(begin, pos_ - 1 - begin);
  if (inside.find('\\') == std::string_view::npos) {
    value->assign(inside);
    return true;
  }
  value->clear();
  for (size_t i = 0; i < inside.size();) {
    const char c = inside[i++];
    if (c != '\\') {
      value->push_back(c);
      continue;
    }
    const size_t escape = i - 1;
    if (Unescape(inside, &i, value)) continue;
    const size_t end = std::min(std::max(i, escape + 2), inside.size());
    diagnostics_->Report(
        DiagCode::kLexicalError,
        {begin + static_cast<uint32_t>(escape), begin + static_cast<uint32_t>(end)},
        fmt::format("failed unescaping string: `{}` is no escape of C",
                    inside.substr(escape, end - escape)));
    return false;
  }
  return true;
}

bool Lexer::ReadBraces(std::string_view* value) {
  if (Peek() != '{') return Fail("expects '{'");
  uint32_t begin = pos_;
  uint32_t depth = 0;
  while (pos_ < text_.size()) {
    char c = text_[pos_];
    if (c == '"') {
      if (!SkipString(c)) return false;
      continue;
    }
    ++pos_;
    depth += c == '{';
    if (c == '}' && --depth == 0) {
      *value = text_.substr(begin, pos_ - begin);
      last_end_ = pos_;
      return true;
    }
  }
  diagnostics_->Report(DiagCode::kSyntaxError, {begin, begin + 1}, "this '{' is not closed");
  AbandonGroup(begin);
  return false;
}

namespace {

// A character that HLO does not have, by its code point, or a byte that begins none.
std::string CharacterText(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  uint32_t code = byte(0);
  if (code >= 0x80) {
    const size_t more = code >= 0xf0 ? 3 : code >= 0xe0 ? 2 : 1;
    bool is_utf8 = code >= 0xc0 && code < 0xf8 && more < text.size();
    code &= 0x3fu >> more;
    for (size_t i = 1; i <= more && is_utf8; ++i) {
      is_utf8 = (byte(i) & 0xc0u) == 0x80;
      code = code << 6 | (byte(i) & 0x3fu);
    }
    if (!is_utf8) return fmt::format("the byte 0x{:02X}, which is not UTF-8", byte(0));
  }
  return fmt::format("the character U+{:04X}{}", code, code < 0x80 ? "" : ", which is not ASCII");
}

}  // namespace

Range Lexer::TokenRange() {
  SkipSpace();
  uint32_t end = pos_;
  if (At(0) == '%' || At(0) == '-') ++end;
  while (end < text_.size() && IsNameChar(text_[end])) ++end;
  if (end == pos_) {
    for (std::string_view pair : kPunctuationPairs) {
      if (text_.substr(pos_, pair.size()) == pair) end += static_cast<uint32_t>(pair.size());
    }
  }
  if (end == pos_ && pos_ < text_.size()) ++end;
  return {pos_, end};
}

std::string Lexer::Found() {
  Range range = TokenRange();
  if (range.begin == range.end) return "the end of the text";
  std::string_view token = text_.substr(range.begin, range.end - range.begin);
  unsigned char first = static_cast<unsigned char>(token[0]);
  if (first < ' ' || first > '~') return CharacterText(text_.substr(range.begin));
  constexpr size_t kShown = 60;
  return token.size() > kShown ? fmt::format("`{}...`", token.substr(0, kShown))
                               : fmt::format("`{}`", token);
}

bool Lexer::Fail(std::string_view message) {
  std::string found = Found();
  diagnostics_->Report(DiagCode::kSyntaxError, TokenRange(),
                       fmt::format("{}, but found {}", message, found));
  return false;
}

void AppendEscaped(std::string_view text, std::string* out) {
  for (char c : text) {
    switch (c) {
      case '\n':
        out->append("\\n");
        break;
      case '\r':
        out->append("\\r");
        break;
      case '\t':
        out->append("\\t");
        break;
      case '"':
      case '\'':
      case '\\':
        out->append({'\\', c});
        break;
      default:
        if (c >= ' ' && c <= '~') {
          out->push_back(c);
        } else {
          fmt::format_to(std::back_inserter(*out), "\\{:03o}", static_cast<unsigned char>(c));
        }
    }
  }
}

}  // namespace hlo
