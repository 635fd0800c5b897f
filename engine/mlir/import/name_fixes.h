// "Did you mean" for names in MLIR text. Internal to engine/mlir.
#ifndef HLO_ENGINE_MLIR_IMPORT_NAME_FIXES_H_
#define HLO_ENGINE_MLIR_IMPORT_NAME_FIXES_H_

#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/mlir/import/op_import.h"

namespace hlo::mlir {

/// Adds a fix for an operation that is not known: what its dialect calls what others call so
/// (`stablehlo.exp`), or the nearest of its names.
void SuggestOperation(std::string_view name, Range range, Diagnostic* diagnostic);

/// Adds a fix for a value that is not known, written without its `%`: the nearest name that the
/// scope has. `range`: with the `%`.
void SuggestValue(std::string_view name, const Scope& scope, Range range, Diagnostic* diagnostic);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_IMPORT_NAME_FIXES_H_
