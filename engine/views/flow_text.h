// Whole loops as one function (plan/flow.h), in words and as code: parts of plan_view.h.
#ifndef HLO_ENGINE_VIEWS_FLOW_TEXT_H_
#define HLO_ENGINE_VIEWS_FLOW_TEXT_H_

#include <string>

#include "engine/plan/island.h"
#include "engine/plan/plan.h"

namespace hlo {

/// Of a `while` that is no program over scalars: what its function has, or why it has none; lines
/// that are indented by four blanks, without the last end. Empty for everything else.
std::string FlowText(const ComputationPlan& plan, const PlannedInstruction& planned,
                     Islands* islands);

/// The code of its function, with comments; empty where it has none.
std::string FlowCodeText(const ComputationPlan& plan, const PlannedInstruction& planned,
                         Islands* islands);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_FLOW_TEXT_H_
