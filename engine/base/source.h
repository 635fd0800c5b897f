// Source text positions: byte ranges, and lines made from them on demand.
#ifndef HLO_ENGINE_BASE_SOURCE_H_
#define HLO_ENGINE_BASE_SOURCE_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace hlo {

/// Half-open range [begin, end) of byte offsets in one source text.
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;

  friend bool operator==(const Range&, const Range&) = default;
};

/// A position for display: line and column start at 1, columns count bytes.
struct Position {
  uint32_t line = 1;
  uint32_t column = 1;
};

/// Line starts of a text; a line ends with a line feed, a carriage return, or
/// one of each. Building it is one pass over the text; a look-up is a binary
/// search. The text must outlive the table.
class LineTable {
 public:
  explicit LineTable(std::string_view text);

  /// The position of a byte offset; offsets past the end are the end.
  Position At(uint32_t offset) const;
  /// The text of a line (1-based) without its line break.
  std::string_view Line(uint32_t line) const;
  uint32_t line_count() const { return static_cast<uint32_t>(starts_.size()); }

 private:
  std::string_view text_;
  std::vector<uint32_t> starts_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_SOURCE_H_
