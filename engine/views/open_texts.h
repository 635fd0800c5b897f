// The texts that a front end has open: it names them in questions, and tells what changes in them.
#ifndef HLO_ENGINE_VIEWS_OPEN_TEXTS_H_
#define HLO_ENGINE_VIEWS_OPEN_TEXTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlo {

/// `insert` in the place of [from, to), UTF-16 code units of the text before any of the changes.
struct TextChange {
  uint32_t from = 0;
  uint32_t to = 0;
  std::string insert;
};

/// Texts by the numbers that the front end gave them.
class OpenTexts {
 public:
  /// Opens a text, in the place of one of the same number.
  void Open(int64_t number, std::string text);
  /// Makes the changes, which are in order and do not overlap; what reaches beyond the text is cut.
  /// False when no text of this number is open.
  bool Edit(int64_t number, const std::vector<TextChange>& changes);
  void Close(int64_t number);
  /// Null when no text of this number is open.
  const std::string* Find(int64_t number) const;

 private:
  struct Text {
    int64_t number;
    std::string text;
    bool is_ascii;  ///< Its code units are its bytes.
  };
  std::vector<Text> texts_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_OPEN_TEXTS_H_
