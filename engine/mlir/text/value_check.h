// What MLIR asks of the values of any program, whatever its ops mean.
#ifndef HLO_ENGINE_MLIR_TEXT_VALUE_CHECK_H_
#define HLO_ENGINE_MLIR_TEXT_VALUE_CHECK_H_

#include "engine/base/diagnostics.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// Reports values that are defined twice where both are seen, operands whose written types are not
/// those of the values or not as many as they, and returns of a function that are not what it says
/// it returns; in MLIR's words. Names that nothing defines are the importer's to report.
/// Source: LLVM, mlir/lib/AsmParser/Parser.cpp and Dialect/Func/IR/FuncOps.cpp.
void CheckValues(const Program& program, Diagnostics& diagnostics);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_VALUE_CHECK_H_
