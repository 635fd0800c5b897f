// A cursor over text for the small hand-written parsers of this directory (shapes, literals).
#ifndef HLO_ENGINE_TYPES_SCANNER_H_
#define HLO_ENGINE_TYPES_SCANNER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "engine/base/characters.h"
#include "engine/base/diagnostics.h"
#include "engine/base/text_reader.h"

namespace hlo {

/// A reader that reports faults of what it reads.
class Scanner : public TextReader {
 public:
  Scanner(std::string_view text, uint32_t base_offset, Diagnostics& diagnostics)
      : TextReader(text, base_offset), diagnostics_(diagnostics) {}

  /// A word, number or single character at the cursor, for messages; "the end of the text" there.
  std::string Here() const;
  /// The length of what Here() names; 0 at the end.
  size_t HereLength() const;

  /// Reports a fault at the text that follows the cursor.
  Diagnostic& Fault(DiagCode code, std::string message) {
    return FaultAt(code, position(), position() + HereLength(), std::move(message));
  }
  Diagnostic& FaultAt(DiagCode code, size_t begin, size_t end, std::string message) {
    return diagnostics_.Report(code, RangeOf(begin, end), std::move(message));
  }

  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  Diagnostics& diagnostics_;
};

/// `[A-Za-z0-9_]`
constexpr bool IsWordCharacter(char c) { return IsNameStart(c) || IsDigit(c); }

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_SCANNER_H_
