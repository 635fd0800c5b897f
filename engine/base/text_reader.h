// Reading a text from left to right: the base of the hand-written parsers of the engine.
#ifndef HLO_ENGINE_BASE_TEXT_READER_H_
#define HLO_ENGINE_BASE_TEXT_READER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/base/characters.h"
#include "engine/base/source.h"

namespace hlo {

/// A place in a text, never past its end (Peek() is '\0' there). The ranges it hands out count from
/// `base_offset`, where the text begins in its source.
class TextReader {
 public:
  explicit TextReader(std::string_view text, uint32_t base_offset = 0)
      : text_(text), base_offset_(base_offset) {}

  std::string_view text() const { return text_; }
  uint32_t base_offset() const { return base_offset_; }
  size_t position() const { return position_; }
  void set_position(size_t position) { position_ = position; }
  bool AtEnd() const { return position_ >= text_.size(); }
  /// The character `ahead` bytes on; nothing is skipped.
  char Peek(size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  void Advance(size_t n = 1) { position_ = std::min(position_ + n, text_.size()); }
  std::string_view rest() const { return text_.substr(position_); }
  std::string_view Since(size_t begin) const { return text_.substr(begin, position_ - begin); }

  /// Skips white space and comments. An unterminated comment ends at the end of the text.
  void SkipSpace() {
    while (true) {
      if (const size_t space = SpaceLength(text_, position_); space > 0) {
        position_ += space;
      } else if (Peek() == '/' && (Peek(1) == '*' || Peek(1) == '/')) {
        SkipComment();
      } else {
        return;
      }
    }
  }
  /// Skips space, then looks.
  char Next() {
    SkipSpace();
    return Peek();
  }
  /// Skips space, then takes the character or the characters if they are there.
  bool Take(char c) {
    if (Next() != c || AtEnd()) return false;
    ++position_;
    return true;
  }
  bool Take(std::string_view characters) {
    SkipSpace();
    return TakeHere(characters);
  }
  /// Takes the characters if they are exactly here.
  bool TakeHere(std::string_view characters) {
    if (rest().substr(0, characters.size()) != characters) return false;
    position_ += characters.size();
    return true;
  }

  /// [begin, end), [begin, here) and the whole text as ranges of the source.
  Range RangeOf(size_t begin, size_t end) const {
    return {base_offset_ + static_cast<uint32_t>(begin), base_offset_ + static_cast<uint32_t>(end)};
  }
  Range RangeFrom(size_t begin) const { return RangeOf(begin, position_); }
  Range WholeRange() const { return RangeOf(0, text_.size()); }

 private:
  void SkipComment() {
    const bool is_line = Peek(1) == '/';
    const size_t end = is_line ? LineEnd(text_, position_) : text_.find("*/", position_ + 2);
    position_ = end == std::string_view::npos ? text_.size() : end + (is_line ? 0 : 2);
  }

  std::string_view text_;
  uint32_t base_offset_;
  size_t position_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_TEXT_READER_H_
