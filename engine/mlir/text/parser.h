// MLIR text to its syntax tree.
#ifndef HLO_ENGINE_MLIR_TEXT_PARSER_H_
#define HLO_ENGINE_MLIR_TEXT_PARSER_H_

#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// Parses a whole text: the generic form, and the custom forms of the builtin, func, stablehlo,
/// mhlo, chlo, check and interpreter dialects. One reader serves all custom forms: it accepts
/// operands, words, `name = attribute`, regions and types in any order, and CheckForm compares them
/// with the op's row; the importer checks that required parts are present. Recovers after errors,
/// which are reported, and always returns a tree. `text` must outlive the result.
Program ParseProgram(std::string_view text, Diagnostics& diagnostics);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_PARSER_H_
