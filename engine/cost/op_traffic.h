// The bytes that ops read and write: `CostRule::bytes` of each. Internal to engine/cost.
#ifndef HLO_ENGINE_COST_OP_TRAFFIC_H_
#define HLO_ENGINE_COST_OP_TRAFFIC_H_

#include "engine/cost/cost_rules.h"

namespace hlo {

/// All operands and the result.
Traffic AllTraffic(const CostCall& call);
/// The result alone.
Traffic ResultTraffic(const CostCall& call);
/// Operand 0 alone.
Traffic FirstOperandTraffic(const CostCall& call);
Traffic TupleTraffic(const CostCall& call);
Traffic SliceTraffic(const CostCall& call);
Traffic DynamicSliceTraffic(const CostCall& call);
Traffic UpdateTraffic(const CostCall& call);
Traffic GatherTraffic(const CostCall& call);
Traffic ScatterTraffic(const CostCall& call);
Traffic TransposeTraffic(const CostCall& call);
Traffic SolveTraffic(const CostCall& call);
Traffic CholeskyTraffic(const CostCall& call);
/// Of an operation that was started: its result is an element of its state.
Traffic StartedTraffic(const CostCall& call);
Traffic CopyStartTraffic(const CostCall& call);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_OP_TRAFFIC_H_
