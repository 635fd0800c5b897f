// The operations of products and factorizations: `CostRule::count` of each. Internal to
// engine/cost.
#ifndef HLO_ENGINE_COST_CONTRACTION_WORK_H_
#define HLO_ENGINE_COST_CONTRACTION_WORK_H_

#include "engine/cost/cost_rules.h"

namespace hlo {

/// The number of elements; 0 where a dimension has no bound.
double ElementCount(const Shape& array);

Work DotWork(const CostCall& call);
Work RaggedDotWork(const CostCall& call);
Work ConvolutionWork(const CostCall& call);
Work FftWork(const CostCall& call);
Work SolveWork(const CostCall& call);
Work CholeskyWork(const CostCall& call);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_CONTRACTION_WORK_H_
