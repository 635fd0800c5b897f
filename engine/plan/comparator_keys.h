// Recognises comparators that compare keys, so that sort need not ask them.
#ifndef HLO_ENGINE_PLAN_COMPARATOR_KEYS_H_
#define HLO_ENGINE_PLAN_COMPARATOR_KEYS_H_

#include <optional>
#include <vector>

#include "engine/ops/sorting/comparator.h"
#include "engine/plan/region_compiler.h"

namespace hlo {

/// The parts of ComparatorKeys.
struct FoundKeys {
  std::vector<SortKey> keys;
  RegionSteps compute;  ///< of one side's elements the computed keys; without results: nothing
  bool reverses_equals = false;
};

/// Nothing when the region, of parameters (a0, b0, a1, b1, ...), is not known to be a lexicographic
/// comparison of the same values of the a's and of the b's: k0 < k0', or
/// k0 < k0' || (k0 == k0' && ...), with < or >, and in the last place also <= or >=.
std::optional<FoundKeys> FindKeys(const RegionSteps& region);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_COMPARATOR_KEYS_H_
