// The operations of products and factorizations: `CostRule::count` of each. Internal to
// engine/cost.
#ifndef HLO_ENGINE_COST_CONTRACTION_WORK_H_
#define HLO_ENGINE_COST_CONTRACTION_WORK_H_

#include <cstdint>

#include "engine/cost/cost_rules.h"

namespace hlo {

/// The number of elements; 0 where a dimension has no bound.
double ElementCount(const Shape& array);
/// The size of a dimension, 0 where it has no bound; 1 where the array has no such dimension.
double SizeOf(const Shape& array, int64_t dim);

Work DotWork(const CostCall& call);
Work RaggedDotWork(const CostCall& call);
Work ConvolutionWork(const CostCall& call);
Work FftWork(const CostCall& call);
Work SolveWork(const CostCall& call);
Work CholeskyWork(const CostCall& call);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_CONTRACTION_WORK_H_
