// The orders of sorts as computations.
#ifndef HLO_ENGINE_STANDALONE_SORT_ORDER_H_
#define HLO_ENGINE_STANDALONE_SORT_ORDER_H_

#include <optional>
#include <vector>

#include "engine/plan/comparator_keys.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// Whether the elements of the first of each pair of parameters come first by these keys, of which
/// NaNs come last (kernels/order_keys.h).
RegionSteps ComparatorOf(const FoundKeys& keys, const std::vector<ElementType>& parameters);

/// The comparator of a call of sort as an order; nothing where it is not compiled.
std::optional<RegionSteps> OrderOf(const OpCall& call);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_SORT_ORDER_H_
