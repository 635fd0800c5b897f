// Texts that a front end keeps open: it refers to them in calls, and sends only changes.
#ifndef HLO_ENGINE_VIEWS_OPEN_TEXTS_H_
#define HLO_ENGINE_VIEWS_OPEN_TEXTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlo {

/// Replaces [from, to), in UTF-16 code units of the text before any of the changes, by `insert`.
struct TextChange {
  uint32_t from = 0;
  uint32_t to = 0;
  std::string insert;
};

/// Texts by the numbers that the front end assigned.
class OpenTexts {
 public:
  /// Opens a text; replaces one of the same number.
  void Open(int64_t number, std::string text);
  /// Applies the changes, which are in order and do not overlap; ranges are clipped to the text.
  /// False if no text of this number is open.
  bool Edit(int64_t number, const std::vector<TextChange>& changes);
  void Close(int64_t number);
  /// Null if no text of this number is open.
  const std::string* Find(int64_t number) const;
  /// Differs for all texts that were ever open, and after every edit; 0 if `text` is not the memory
  /// of an open text. Takes no time in proportion to the text.
  uint64_t VersionOf(std::string_view text) const;

 private:
  struct Text {
    int64_t number;
    uint64_t version;
    std::string text;
    bool is_ascii;  ///< Its code units are its bytes.
  };
  std::vector<Text> texts_;
  uint64_t last_version_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_OPEN_TEXTS_H_
