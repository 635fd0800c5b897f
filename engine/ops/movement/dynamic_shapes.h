// The two custom-call targets that convert between dynamic and static arrays in XLA's compiled
// programs. They are rows of the target table.
#ifndef HLO_ENGINE_OPS_MOVEMENT_DYNAMIC_SHAPES_H_
#define HLO_ENGINE_OPS_MOVEMENT_DYNAMIC_SHAPES_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// PadToStatic(array): (the array padded to its bounds, the run-time size of each of its dimensions
/// as s32[]). Elements beyond the sizes are zero. Throws RunError if the call does not have these
/// shapes.
Value EvalPadToStatic(const OpCall& call, std::span<Value> args, EvalContext& context);

/// SliceToDynamic(array, a size per dimension as s32[]): the array cut to the sizes, with its
/// dimensions as bounds. Throws RunError if the call does not have these shapes, or for sizes
/// outside the bounds.
Value EvalSliceToDynamic(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_DYNAMIC_SHAPES_H_
