// The write functions of export rows, by family. The table is in export_rows.cc.
#ifndef HLO_ENGINE_MLIR_EXPORT_ROWS_H_
#define HLO_ENGINE_MLIR_EXPORT_ROWS_H_

#include "engine/mlir/op_export.h"

namespace hlo::mlir {}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_EXPORT_ROWS_H_
