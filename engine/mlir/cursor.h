// A cursor over MLIR text: what every reader of this room is made of.
#ifndef HLO_ENGINE_MLIR_CURSOR_H_
#define HLO_ENGINE_MLIR_CURSOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/characters.h"
#include "engine/base/source.h"

namespace hlo::mlir {

/// `[A-Za-z0-9_.$]`
constexpr bool IsWordCharacter(char c) {
  return IsNameStart(c) || IsDigit(c) || c == '.' || c == '$';
}

/// Reads from left to right, never past the end (Peek() is '\0' there).
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  size_t position() const { return position_; }
  void set_position(size_t position) { position_ = position; }
  bool AtEnd() const { return position_ >= text_.size(); }
  char Peek(size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  void Advance(size_t n = 1) { position_ = std::min(position_ + n, text_.size()); }
  std::string_view text() const { return text_; }
  std::string_view Since(size_t begin) const { return text_.substr(begin, position_ - begin); }
  Range RangeFrom(size_t begin) const {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(position_)};
  }

  /// Skips white space and comments.
  void SkipSpace();
  /// Skips space, then takes the characters if they are there.
  bool Take(std::string_view characters);
  /// The same for a whole word.
  bool TakeWord(std::string_view word);
  /// Skips space, then looks.
  char Next() {
    SkipSpace();
    return Peek();
  }
  /// A word at the cursor: letters, digits, `_`, `.`, `$`. Empty when there is none.
  std::string_view Word();
  /// What follows `%`, `@`, `#`, `!` or `^`: a word with `-` too, or a quoted string's content.
  std::string_view SuffixId();
  /// Past a quoted string at the cursor; its content. An open string ends at the end of the line.
  std::string_view Quoted();
  /// Past a group that begins at the cursor with one of ( [ { <, with everything inside it, strings
  /// included; `->` and `>=` close nothing. To the end of the text when it is never closed: false.
  bool SkipGroup();

 private:
  std::string_view text_;
  size_t position_ = 0;
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_CURSOR_H_
