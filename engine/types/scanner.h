// A cursor over text for the small hand-written parsers of this room (shapes, literals).
#ifndef HLO_ENGINE_TYPES_SCANNER_H_
#define HLO_ENGINE_TYPES_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/characters.h"
#include "engine/base/diagnostics.h"

namespace hlo {

/// Reads a text from left to right; never past its end (Peek() is '\0' there). Positions in
/// diagnostics are shifted by base_offset.
class Scanner {
 public:
  Scanner(std::string_view text, uint32_t base_offset, Diagnostics& diagnostics)
      : text_(text), base_offset_(base_offset), diagnostics_(diagnostics) {}

  size_t position() const { return position_; }
  void set_position(size_t position) { position_ = position; }
  bool AtEnd() const { return position_ >= text_.size(); }
  /// The character `ahead` places on, as it stands.
  char Peek(size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  void Advance(size_t n = 1) { position_ += n; }
  std::string_view rest() const { return text_.substr(position_); }
  std::string_view Since(size_t begin) const { return text_.substr(begin, position_ - begin); }

  /// Skips white space and comments. An unterminated comment ends at the end of the text.
  void SkipSpace() {
    while (true) {
      const char c = Peek();
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        ++position_;
      } else if (c == '/' && (Peek(1) == '*' || Peek(1) == '/')) {
        SkipComment();
      } else {
        return;
      }
    }
  }
  /// Skips space, then takes `c` if it is there.
  bool Take(char c) {
    SkipSpace();
    if (Peek() != c || AtEnd()) return false;
    ++position_;
    return true;
  }

  /// A word, number or single character at the cursor, for messages; "the end of the text" there.
  std::string Here() const;
  /// The length of what Here() names; 0 at the end.
  size_t HereLength() const;

  Range RangeOf(size_t begin, size_t end) const {
    return {base_offset_ + static_cast<uint32_t>(begin), base_offset_ + static_cast<uint32_t>(end)};
  }
  /// Reports a fault of what stands at the cursor.
  Diagnostic& Fault(DiagCode code, std::string message) {
    return FaultAt(code, position_, position_ + HereLength(), std::move(message));
  }
  Diagnostic& FaultAt(DiagCode code, size_t begin, size_t end, std::string message) {
    return diagnostics_.Report(code, RangeOf(begin, end), std::move(message));
  }

  uint32_t base_offset() const { return base_offset_; }
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  void SkipComment();

  std::string_view text_;
  size_t position_ = 0;
  uint32_t base_offset_;
  Diagnostics& diagnostics_;
};

/// `[A-Za-z0-9_]`
constexpr bool IsWordCharacter(char c) { return IsNameStart(c) || IsDigit(c); }

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_SCANNER_H_
