// Checks an op against its custom assembly format.
#ifndef HLO_ENGINE_MLIR_TEXT_FORM_CHECK_H_
#define HLO_ENGINE_MLIR_TEXT_FORM_CHECK_H_

#include "engine/base/diagnostics.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// Reports, for an op that was read in its custom form, items (`name = attribute` outside braces)
/// that this form does not have or that occur twice, and a wrong number of types after the colon.
/// Ops without a row are not checked. Source: StableHLO, StablehloOps.td and AssemblyFormat.cpp.
void CheckForm(const Op& op, Diagnostics& diagnostics);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_FORM_CHECK_H_
