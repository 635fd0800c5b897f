// What the custom form of an op can hold.
#ifndef HLO_ENGINE_MLIR_TEXT_FORM_CHECK_H_
#define HLO_ENGINE_MLIR_TEXT_FORM_CHECK_H_

#include "engine/base/diagnostics.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// Reports, of an op that was read in its custom form, items (`name = attribute` outside of braces)
/// that this form does not have or that stand there twice, and types behind the colon that are not
/// as many as it has. Ops without a row are not judged. Source: StableHLO, StablehloOps.td and
/// AssemblyFormat.cpp.
void CheckForm(const Op& op, Diagnostics& diagnostics);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_FORM_CHECK_H_
