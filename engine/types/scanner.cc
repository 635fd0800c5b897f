#include "engine/types/scanner.h"

#include <algorithm>

namespace hlo {

size_t Scanner::HereLength() const {
  if (AtEnd()) return 0;
  size_t length = 0;
  constexpr size_t kLongest = 256;  // a fault must not cost a pass over the text
  while (length < kLongest &&
         (IsWordCharacter(Peek(length)) || Peek(length) == '.' || Peek(length) == '-')) {
    ++length;
  }
  if (length > 0) return length;
  // A whole character, of one byte or several.
  do {
    ++length;
  } while (length < 4 && (static_cast<unsigned char>(Peek(length)) & 0xc0) == 0x80);
  return length;
}

std::string Scanner::Here() const {
  if (AtEnd()) return "the end of the text";
  constexpr size_t kLongest = 40;
  const std::string_view word = rest().substr(0, HereLength());
  std::string result = "'";
  for (char c : word.substr(0, kLongest)) result += c >= ' ' && c <= '~' ? c : '?';
  result += word.size() > kLongest ? "...'" : "'";
  return result;
}

}  // namespace hlo
