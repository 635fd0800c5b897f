// Tokens of MLIR text for highlighting, and its names: definitions and uses. Neither requires a
// text that parses.
#ifndef HLO_ENGINE_MLIR_TEXT_TOKENS_H_
#define HLO_ENGINE_MLIR_TEXT_TOKENS_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/base/source.h"
#include "engine/hlo/parser.h"

namespace hlo {

/// Tokens of MLIR text, in order, white space left out, of the same kinds as HLO's: operations are
/// opcodes, `@functions` and `^blocks` computation names, `#attributes` attributes. `%a#1` is a
/// name and a number. Never fails; linear time.
std::vector<Token> TokenizeMlir(std::string_view text);

/// What a name at a place in the text refers to.
struct MlirName {
  Range range;  ///< with its sigil: `%a`, `@f`, `#map`, `!t`
  bool is_defined = false;
  Range definition;         ///< if it is defined
  std::vector<Range> uses;  ///< the definition left out
};
/// The name at (or directly before) an offset; an empty range if there is none. A value refers to
/// the last definition before it (values are defined before they are used, and sibling regions may
/// reuse names); functions and aliases may be defined anywhere.
MlirName MlirNameAt(std::string_view text, const std::vector<Token>& tokens, uint32_t offset);

/// Ranges of the values that are defined before an offset, last first, each name once.
std::vector<Range> MlirValuesBefore(std::string_view text, const std::vector<Token>& tokens,
                                    uint32_t offset);

/// The text with every line indented by its depth in brackets (two spaces each) and without
/// trailing blanks. Nothing else changes.
std::string FormatMlir(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_MLIR_TEXT_TOKENS_H_
