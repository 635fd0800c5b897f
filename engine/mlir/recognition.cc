// Recognises MLIR text. Separate from the importer, so that a build without it can recognise it
// too.
#include "engine/mlir/importer.h"
#include "engine/mlir/text/cursor.h"

namespace hlo {

bool LooksLikeMlir(std::string_view text) {
  mlir::Cursor in(text);
  const char c = in.Next();
  if (c == '#' || c == '!') {
    in.Advance();
    return !in.SuffixId().empty() && in.Take("=") && text.find("func") != std::string_view::npos;
  }
  if (c == '"') {
    const std::string_view name = in.Quoted();
    return name == "builtin.module" || name == "func.func" || name.starts_with("stablehlo.");
  }
  const std::string_view word = in.Word();
  if (word == "module" || word == "builtin.module") {
    const char next = in.Next();
    return next == '@' || next == '{' || in.TakeWord("attributes");
  }
  return word == "func.func" || word == "func" || word == "sdy.mesh";
}

}  // namespace hlo
