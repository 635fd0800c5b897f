// Operations that move elements, as steps of flows.
#ifndef HLO_ENGINE_PLAN_FLOW_MOVES_H_
#define HLO_ENGINE_PLAN_FLOW_MOVES_H_

#include <optional>
#include <vector>

#include "engine/ops/op_call.h"
#include "engine/ops/op_def.h"
#include "engine/plan/flow.h"

namespace hlo {

/// Makes the step a kMove that does what the operation does: slices, static and dynamic, updates of
/// slices, concatenations, padding, and whatever else is a view of its operand. False for all
/// others. The step has its inputs.
bool SetMove(const OpDef& def, const OpCall& call, FlowStep* step);

/// A kMove of the elements of a view of the array `value`, all `count` of them.
FlowStep MoveOfView(int32_t value, const StridedView& view, int64_t count);

/// A scatter of one array at one place, whose inputs are those of the instruction.
struct OneScatter {
  FlowStep read;    ///< a kMove: the elements that are there
  FlowStep update;  ///< a kMove: those of the update, in the same order
  FlowStep write;   ///< a kMove: puts its third input, which is for the caller to set, there
};
/// Nothing for other scatters.
std::optional<OneScatter> OneScatterOf(const OpCall& call, const std::vector<int32_t>& inputs);

/// Makes the step a kSums that does what a dot of f32 or f64 does. False for all others.
bool SetSums(const OpCall& call, FlowStep* step);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_FLOW_MOVES_H_
