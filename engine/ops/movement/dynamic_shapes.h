// The two custom-call targets by which XLA's compiled programs enter and leave arrays whose sizes
// are known at run time only. The registry of targets has them.
#ifndef HLO_ENGINE_OPS_MOVEMENT_DYNAMIC_SHAPES_H_
#define HLO_ENGINE_OPS_MOVEMENT_DYNAMIC_SHAPES_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"

namespace hlo {

/// PadToStatic(array): (the array in its bounds, the size of each of its dimensions as s32[]). What
/// lies beyond the sizes is zero. Throws RunError when the shapes of the call are not these.
Value EvalPadToStatic(const OpCall& call, std::span<Value> args, EvalContext& context);

/// SliceToDynamic(array, a size per dimension as s32[]): the array cut to the sizes; its dimensions
/// are the bounds. Throws RunError when the shapes of the call are not these, and for sizes outside
/// the bounds.
Value EvalSliceToDynamic(const OpCall& call, std::span<Value> args, EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_MOVEMENT_DYNAMIC_SHAPES_H_
