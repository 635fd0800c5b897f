// What lines of a text begin with. Internal to engine/views.
#ifndef HLO_ENGINE_VIEWS_LINE_WORDS_H_
#define HLO_ENGINE_VIEWS_LINE_WORDS_H_

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace hlo {

/// A text shows in so many of its first lines what it is.
inline constexpr size_t kTellingLines = 60;

inline bool BeginsWithAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [text](std::string_view word) { return text.starts_with(word); });
}

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LINE_WORDS_H_
