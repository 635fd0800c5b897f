// The operations of ops that apply a computation to elements: `CostRule::count` of each. Internal
// to engine/cost.
#ifndef HLO_ENGINE_COST_REGION_WORK_H_
#define HLO_ENGINE_COST_REGION_WORK_H_

#include "engine/cost/cost_rules.h"

namespace hlo {

Work MapWork(const CostCall& call);
Work ReduceWork(const CostCall& call);
Work ReduceWindowWork(const CostCall& call);
Work SelectAndScatterWork(const CostCall& call);
Work ScatterWork(const CostCall& call);
Work ScanWork(const CostCall& call);
Work SortWork(const CostCall& call);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_REGION_WORK_H_
