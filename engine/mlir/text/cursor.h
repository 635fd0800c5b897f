// A cursor over MLIR text, used by every reader in engine/mlir.
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
  /// Skips space, then consumes the characters if they are there.
  bool Take(std::string_view characters);
  /// The same for a whole word.
  bool TakeWord(std::string_view word);
  /// Skips space, then peeks.
  char Next() {
    SkipSpace();
    return Peek();
  }
  /// A word at the cursor: letters, digits, `_`, `.`, `$`. Empty when there is none.
  std::string_view Word();
  /// What follows `%`, `@`, `#`, `!` or `^`: a word with `-` too, or a quoted string's content.
  std::string_view SuffixId();
  /// Skips a quoted string at the cursor; returns its content. An unterminated string ends at the
  /// end of the line.
  std::string_view Quoted();
  /// Skips a group that begins at the cursor with one of ( [ { <, including nested groups and
  /// strings; `->` and `>=` close nothing. Returns false if the group is never closed (the cursor
  /// is then at the end of the text) or a bracket is closed by one of another kind.
  bool SkipGroup();
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_CURSOR_H_
