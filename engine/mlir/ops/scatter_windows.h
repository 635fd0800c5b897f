// The windows of scatter. HLO drops a whole window that is partly out of bounds; StableHLO drops
// its elements that are.
#ifndef HLO_ENGINE_MLIR_OPS_SCATTER_WINDOWS_H_
#define HLO_ENGINE_MLIR_OPS_SCATTER_WINDOWS_H_

#include <string_view>

#include "engine/hlo/ir.h"

namespace hlo::mlir {

/// The frontend attribute (with the value "true") of a scatter whose windows are inside of the
/// operand or outside of it as a whole, so that both rules are one.
inline constexpr std::string_view kWholeWindows = "whole_windows";

/// Whether a window can be partly out of bounds: it is longer than 1 along a dimension that the
/// indices choose a place in (`map`), and the indices are not known to keep it inside. `sizes`: of
/// the window in each dimension of the operand.
bool MayStandOut(const Shape& operand, const Instruction& indices, const Dims& map,
                 const Dims& sizes);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_SCATTER_WINDOWS_H_
