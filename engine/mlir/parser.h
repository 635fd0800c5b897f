// MLIR text to its syntax tree.
#ifndef HLO_ENGINE_MLIR_PARSER_H_
#define HLO_ENGINE_MLIR_PARSER_H_

#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/mlir/syntax.h"

namespace hlo::mlir {

/// Parses a whole text. One reader serves the generic form and every pretty form of the builtin,
/// func, stablehlo, mhlo, chlo, check and interpreter dialects: it takes operands, words, `name =
/// attribute`, regions and types as they come, and leaves it to the importer what an op must have.
/// Recovers after faults; never fails otherwise. `text` must outlive the result.
Program ParseProgram(std::string_view text, Diagnostics& diagnostics);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_PARSER_H_
