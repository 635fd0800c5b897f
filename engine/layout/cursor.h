// A cursor over text for the small hand-written parsers of this directory (Morello, CuTe, strides).
#ifndef HLO_ENGINE_LAYOUT_CURSOR_H_
#define HLO_ENGINE_LAYOUT_CURSOR_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/base/text_reader.h"

namespace hlo {

/// A reader whose faults are kLayoutInvalid.
class Cursor : public TextReader {
 public:
  Cursor(std::string_view text, uint32_t base_offset, Diagnostics& diagnostics)
      : TextReader(text, base_offset), diagnostics_(diagnostics) {}

  // The following report and return false when the text is something else.

  /// "expected ')' after the size".
  bool Expect(char c, std::string_view where);
  /// An integer that fits 64 bits, with a sign if `is_signed`; `_4`, CuTe's mark of a static one,
  /// is 4. `range` (may be null) receives its place.
  bool Integer(int64_t* value, std::string_view what, Range* range = nullptr,
               bool is_signed = false);
  /// Nothing but white space may follow.
  bool ExpectEnd();
  /// Reports at the character at the cursor; at the range from `begin` to the cursor.
  bool Fault(std::string message);
  bool FaultFrom(size_t begin, std::string message);
  bool FaultAt(Range range, std::string message);

  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  Diagnostics& diagnostics_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_CURSOR_H_
