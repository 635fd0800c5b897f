// A cursor over text for the small hand-written parsers of this room (Morello, CuTe, strides).
#ifndef HLO_ENGINE_LAYOUT_CURSOR_H_
#define HLO_ENGINE_LAYOUT_CURSOR_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"

namespace hlo {

/// Reads a text from left to right, never past its end. Faults are kLayoutInvalid unless another
/// code is given; their ranges, and those it hands out, count from `base_offset`.
class Cursor {
 public:
  Cursor(std::string_view text, uint32_t base_offset, Diagnostics& diagnostics)
      : text_(text), base_offset_(base_offset), diagnostics_(diagnostics) {}

  size_t at() const { return at_; }
  void set_at(size_t at) { at_ = at; }
  /// The character `ahead` places on; '\0' past the end.
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool AtEnd() {
    SkipSpace();
    return at_ >= text_.size();
  }
  void SkipSpace();
  /// Skips space, then takes what stands here if it is the character or the word.
  bool Take(char c);
  bool TakeWord(std::string_view word);

  /// [begin, here) and the whole text as ranges of the source.
  Range RangeFrom(size_t begin) const { return MakeRange(begin, at_); }
  Range WholeRange() const { return MakeRange(0, text_.size()); }

  // The following report and return false when something else stands here.

  /// "expected ')' after the size".
  bool Expect(char c, std::string_view where);
  /// An integer that fits 64 bits, with a sign if `is_signed`; `_4`, CuTe's mark of a static one,
  /// is 4. `range` (may be null) is where it stands.
  bool Integer(int64_t* value, std::string_view what, Range* range = nullptr,
               bool is_signed = false);
  bool ExpectEnd();
  /// Reports at what stands here; at [begin, here).
  bool Fault(std::string message);
  bool FaultFrom(size_t begin, std::string message);
  bool FaultAt(Range range, std::string message);

  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  Range MakeRange(size_t begin, size_t end) const {
    return {base_offset_ + static_cast<uint32_t>(begin), base_offset_ + static_cast<uint32_t>(end)};
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t base_offset_;
  Diagnostics& diagnostics_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_CURSOR_H_
