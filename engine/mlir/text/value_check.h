// MLIR's checks of SSA values, independent of the ops' meaning.
#ifndef HLO_ENGINE_MLIR_TEXT_VALUE_CHECK_H_
#define HLO_ENGINE_MLIR_TEXT_VALUE_CHECK_H_

#include "engine/base/diagnostics.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// Reports values that are defined twice in one scope, operands whose written types differ from the
/// values' types in kind or number, and returns that do not match the function's result types; in
/// MLIR's words. Undefined names are reported by the importer.
/// Source: LLVM, mlir/lib/AsmParser/Parser.cpp and Dialect/Func/IR/FuncOps.cpp.
void CheckValues(const Program& program, Diagnostics& diagnostics);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_VALUE_CHECK_H_
