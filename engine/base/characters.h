// Classes of characters, whatever the locale is.
#ifndef HLO_ENGINE_BASE_CHARACTERS_H_
#define HLO_ENGINE_BASE_CHARACTERS_H_

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hlo {

/// `[0-9]`
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
/// `[A-Za-z]`
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// `[A-Za-z_]`: what a name starts with, in HLO and in MLIR.
constexpr bool IsNameStart(char c) { return IsLetter(c) || c == '_'; }

/// The byte-order mark, U+FEFF. Editors put it where a text begins, and nobody sees it.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The length of the white space at `at`: a space, a tab, an end of line, a byte-order mark. 0 when
/// something else stands there.
constexpr size_t SpaceLength(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  const char c = text[at];
  if (c == ' ' || c == '\n' || c == '\t' || c == '\r') return 1;
  const bool is_mark = text.substr(at, kByteOrderMark.size()) == kByteOrderMark;
  return is_mark ? kByteOrderMark.size() : 0;
}

/// What separates words, the ends of lines among it.
inline constexpr std::string_view kBlank = " \t\r\n";
/// The text without what is blank in front, and at both ends.
constexpr std::string_view SkipBlank(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlank), text.size()));
}
constexpr std::string_view Trimmed(std::string_view text) {
  text = SkipBlank(text);
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

/// Where the line of `at` ends: at a line feed, or at a carriage return, which ends lines alone
/// (old Macs) or before a line feed (Windows); else where the text does.
inline size_t LineEnd(std::string_view text, size_t at) {
  return std::min(text.find_first_of("\r\n", at), text.size());
}

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_CHARACTERS_H_
