// The memory traffic of a fusion: what is computed inside takes none.
#ifndef HLO_ENGINE_COST_FUSION_TRAFFIC_H_
#define HLO_ENGINE_COST_FUSION_TRAFFIC_H_

#include <vector>

#include "engine/cost/array_bytes.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// The traffic of one execution of a fused computation.
struct FusionTraffic {
  std::vector<Traffic> parameters;  ///< What is read of each, by number.
  Traffic constants;                ///< What is read of constants of more than one element.
  Traffic written;                  ///< Of the root.

  Traffic Sum() const;
};

/// `callees`: the traffic of the computations before `fused` in the module, for fusions inside
/// fusions; by index.
FusionTraffic FusionTrafficOf(const Computation& fused, const std::vector<FusionTraffic>& callees,
                              ShapeBytes* bytes);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_FUSION_TRAFFIC_H_
