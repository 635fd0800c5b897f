// Character classes, independent of the locale.
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

/// The byte-order mark, U+FEFF. Some editors write it, invisibly, at the start of a file.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The length of the white space at `at`: a space, a tab, an end of line, a byte-order mark. 0 for
/// anything else.
constexpr size_t SpaceLength(std::string_view text, size_t at) {
  if (at >= text.size()) return 0;
  const char c = text[at];
  if (c == ' ' || c == '\n' || c == '\t' || c == '\r') return 1;
  const bool is_mark = text.substr(at, kByteOrderMark.size()) == kByteOrderMark;
  return is_mark ? kByteOrderMark.size() : 0;
}

/// White space, line ends included.
inline constexpr std::string_view kBlank = " \t\r\n";
/// The text without leading white space (SkipBlank), or without leading and trailing (Trimmed).
constexpr std::string_view SkipBlank(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlank), text.size()));
}
constexpr std::string_view Trimmed(std::string_view text) {
  text = SkipBlank(text);
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

/// The end of the line that contains `at`: the next line feed or carriage return (which ends a line
/// by itself or before a line feed), else the end of the text.
inline size_t LineEnd(std::string_view text, size_t at) {
  return std::min(text.find_first_of("\r\n", at), text.size());
}

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_CHARACTERS_H_
