// Maps byte offsets of a UTF-8 text to UTF-16 code units, in which editors count, and back.
#ifndef HLO_ENGINE_VIEWS_TEXT_MAP_H_
#define HLO_ENGINE_VIEWS_TEXT_MAP_H_

#include <cstdint>
#include <string_view>
#include <vector>

namespace hlo {

/// Built in one pass; a conversion scans no more than a few hundred bytes. Invalid UTF-8 bytes
/// count as one unit each. The text must outlive the map.
class TextMap {
 public:
  explicit TextMap(std::string_view text);

  /// UTF-16 offset of a byte offset; offsets past the end are the end.
  uint32_t ToUnits(uint32_t byte_offset) const;
  /// Byte offset of a UTF-16 offset; the start of the character if that is inside a surrogate pair.
  uint32_t ToBytes(uint32_t unit_offset) const;

 private:
  static constexpr uint32_t kStride = 256;
  std::string_view text_;
  bool ascii_;
  std::vector<uint32_t> units_;  // UTF-16 offset of every kStride-th byte
};

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_TEXT_MAP_H_
