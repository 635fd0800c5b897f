// What else a compiled region may know of itself.
#ifndef HLO_ENGINE_OPS_REGION_RESULTS_H_
#define HLO_ENGINE_OPS_REGION_RESULTS_H_

#include "engine/ops/eval.h"

namespace hlo {

/// Implemented next to RegionFunction by regions that are compiled to scalar operations: their
/// results may be parameters unchanged.
class RegionResults {
 public:
  virtual ~RegionResults() = default;
  /// The number of the parameter that result i always is; -1 when it is computed.
  virtual int ResultParameter(int i) const = 0;
};

/// The same of any region; -1 also when nothing is known.
inline int ResultParameter(const RegionFunction& region, int i) {
  const auto* results = dynamic_cast<const RegionResults*>(&region);
  return results == nullptr ? -1 : results->ResultParameter(i);
}

/// Whether the region is a program of scalar operations and nothing else, so that applying it is
/// quick, has no effect and waits for nobody.
inline bool IsScalarProgram(const RegionFunction& region) {
  return dynamic_cast<const RegionResults*>(&region) != nullptr;
}

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_REGION_RESULTS_H_
