// Look-up of a name in a table that is hashed at compile time: the parser looks up a name for every
// instruction and every shape.
#ifndef HLO_ENGINE_BASE_NAME_TABLE_H_
#define HLO_ENGINE_BASE_NAME_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlo {

/// Open addressing over the names of `rows`, an array of rows with a member `text`: fewer than 255
/// of them, all different, and fewer than `kSlots`. The rows must outlive the table.
template <typename Row, size_t kSlots>
class NameTable {
 public:
  template <size_t kRows>
  constexpr explicit NameTable(const Row (&rows)[kRows]) : rows_(rows) {
    static_assert(kRows < kEmpty && kRows < kSlots);
    for (uint8_t& slot : slots_) slot = kEmpty;
    for (size_t i = 0; i < kRows; ++i) {
      size_t at = FirstSlot(rows[i].text);
      while (slots_[at] != kEmpty) at = (at + 1) % kSlots;
      slots_[at] = static_cast<uint8_t>(i);
      if (rows[i].text.size() > longest_) longest_ = rows[i].text.size();
    }
  }

  /// The index of the row with this name.
  std::optional<size_t> Find(std::string_view text) const {
    if (text.size() > longest_) return std::nullopt;
    for (size_t at = FirstSlot(text); slots_[at] != kEmpty; at = (at + 1) % kSlots) {
      if (rows_[slots_[at]].text == text) return slots_[at];
    }
    return std::nullopt;
  }

 private:
  static constexpr uint8_t kEmpty = 0xFF;

  static constexpr size_t FirstSlot(std::string_view text) {
    uint32_t hash = 0;
    for (char c : text) hash = hash * 31 + static_cast<unsigned char>(c);
    return (hash ^ (hash >> 9)) % kSlots;
  }

  const Row* rows_;
  size_t longest_ = 0;
  std::array<uint8_t, kSlots> slots_{};
};

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_NAME_TABLE_H_
