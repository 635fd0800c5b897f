// The layouts and aliases of custom calls, and the layouts of an infeed. Internal to this folder.
#ifndef HLO_ENGINE_MLIR_OPS_CALL_LAYOUTS_H_
#define HLO_ENGINE_MLIR_OPS_CALL_LAYOUTS_H_

#include <string>
#include <vector>

#include "engine/mlir/import/instruction_attrs.h"
#include "engine/types/shape.h"

namespace hlo::mlir {

class OpImport;
class OpExport;

/// Reads `operand_layouts`, `result_layouts` and `output_operand_aliases`: HLO's layout
/// constraints, the layouts in `results` (the shape of all results), and HLO's aliases. False after
/// an error. Source: StableHLO, StablehloOps.cpp, CustomCallOp::verify.
bool ReadCallLayouts(OpImport& op, Shape* results, Attrs* attrs);
/// Reads `layout` of an infeed, a minor-to-major order for each of the shapes it gives. False after
/// an error. Source: StableHLO, TypeInference.cpp, verifyInfeedOp.
bool ReadInfeedLayout(OpImport& op, std::vector<Shape>* data);

/// The three attributes of a custom call, each preceded by a comma; empty where it has none.
std::string CallLayoutsText(OpExport& op);
/// `layout = [[1, 0], [0]]`: those of an infeed's arrays.
std::string InfeedLayoutText(OpExport& op);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_CALL_LAYOUTS_H_
