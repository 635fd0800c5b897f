// Update windows of scatter. HLO drops a whole window that is partly out of bounds; StableHLO drops
// only the elements that are.
#ifndef HLO_ENGINE_MLIR_OPS_SCATTER_WINDOWS_H_
#define HLO_ENGINE_MLIR_OPS_SCATTER_WINDOWS_H_

#include <string_view>

#include "engine/hlo/ir.h"

namespace hlo::mlir {

/// The frontend attribute (with the value "true") of a scatter whose windows are each entirely
/// inside or entirely outside the operand, so that both rules agree.
inline constexpr std::string_view kWholeWindows = "whole_windows";

/// Whether a window can be partly out of bounds: it is longer than 1 along a dimension that the
/// indices address (`map`), and the indices are not known to keep it inside. `sizes`: the window's
/// size in each dimension of the operand.
bool MayStandOut(const Shape& operand, const Instruction& indices, const Dims& map,
                 const Dims& sizes);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_SCATTER_WINDOWS_H_
