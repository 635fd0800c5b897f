// Regions of scalar operations (reducers, comparators, mapped functions) as programs over blocks of
// elements.
#ifndef HLO_ENGINE_PLAN_REGION_PROGRAM_H_
#define HLO_ENGINE_PLAN_REGION_PROGRAM_H_

#include <memory>

#include "engine/base/budget.h"
#include "engine/ops/attributes.h"
#include "engine/ops/eval.h"

namespace hlo {

/// The program of a region (a Computation) that consists of element-wise operations on scalars,
/// constants, tuples of scalars and calls of such regions, which are inlined; null for any other
/// region and for one of more than 10^4 operations. Its parameters are scalars, its result a scalar
/// or a tuple of them. The region is verified. The registers are asked of the budget (RunError) and
/// freed with the program.
std::unique_ptr<RegionFunction> CompileRegion(const Region& region, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_PROGRAM_H_
