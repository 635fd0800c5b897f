// Recognises reducers of (value, index) pairs that find where an extreme is, by what they do.
#ifndef HLO_ENGINE_PLAN_EXTREME_FINDER_H_
#define HLO_ENGINE_PLAN_EXTREME_FINDER_H_

#include <optional>

#include "engine/ops/products/pair_reducer.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// What a region of parameters (a0, a1, b0, b1) and two results is known to do, where one of the
/// pairs (a0, b0), (a1, b1) is values and the other indices: the results are parameters, chosen by
/// nothing but how the values and the indices stand to each other, and the greater (or less) value
/// always goes with its index. Nothing for other regions. `function`: the region; it is tried on a
/// pair of each kind.
std::optional<PairReducer> FindPairReducer(const RegionSteps& region, RegionFunction& function);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_EXTREME_FINDER_H_
