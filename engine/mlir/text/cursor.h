// A cursor over MLIR text: what every reader of this room is made of.
#ifndef HLO_ENGINE_MLIR_TEXT_CURSOR_H_
#define HLO_ENGINE_MLIR_TEXT_CURSOR_H_

#include <string_view>

#include "engine/base/characters.h"
#include "engine/base/text_reader.h"

namespace hlo::mlir {

/// `[A-Za-z0-9_.$]`
constexpr bool IsWordCharacter(char c) {
  return IsNameStart(c) || IsDigit(c) || c == '.' || c == '$';
}

/// MLIR's lexical rules: `//` begins a comment, `/*` does not.
class Cursor : public TextReader {
 public:
  using TextReader::TextReader;

  /// Skips white space and comments.
  void SkipSpace();
  /// Skips space, then takes the characters if they are there.
  bool Take(std::string_view characters);
  /// The same for a whole word.
  bool TakeWord(std::string_view word);
  /// Skips space, then looks.
  char Next() {
    SkipSpace();
    return Peek();
  }
  /// A word at the cursor: letters, digits, `_`, `.`, `$`. Empty when there is none.
  std::string_view Word();
  /// What follows `%`, `@`, `#`, `!` or `^`: a word with `-` too, or a quoted string's content.
  std::string_view SuffixId();
  /// Past a quoted string at the cursor; its content. An open string ends at the end of the line.
  std::string_view Quoted();
  /// Past a group that begins at the cursor with one of ( [ { <, with everything inside it, strings
  /// included; `->` and `>=` close nothing. To the end of the text when it is never closed. False
  /// then, and when a bracket is closed by one of another kind.
  bool SkipGroup();
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_CURSOR_H_
