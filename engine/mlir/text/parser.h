// MLIR text to its syntax tree.
#ifndef HLO_ENGINE_MLIR_TEXT_PARSER_H_
#define HLO_ENGINE_MLIR_TEXT_PARSER_H_

#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// Parses a whole text: the generic form, and the custom forms of the builtin, func, stablehlo,
/// mhlo, chlo, check and interpreter dialects. One reader serves all custom forms: it takes
/// operands, words, `name = attribute`, regions and types as they come, and CheckForm compares them
/// with the op's row; what the op must have is left to the importer. Recovers after faults; never
/// fails otherwise. `text` must outlive the result.
Program ParseProgram(std::string_view text, Diagnostics& diagnostics);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_PARSER_H_
