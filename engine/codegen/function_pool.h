// Code for steps that the lowering has none for, as calls of functions that a module brings along:
// stand-alone modules have such; for others the engine has loops.
#ifndef HLO_ENGINE_CODEGEN_FUNCTION_POOL_H_
#define HLO_ENGINE_CODEGEN_FUNCTION_POOL_H_

#include <span>

#include "engine/codegen/complex_code.h"
#include "engine/codegen/lane_code.h"
#include "engine/plan/region_steps.h"

namespace hlo {

class FunctionPool {
 public:
  virtual ~FunctionPool() = default;

  /// Whether it has code for the step, for which neither LowerStep nor LowerComplexStep has any.
  virtual bool CanLower(const RegionStep& step) const = 0;
  /// Writes the code of the step, as LowerStep and LowerComplexStep do.
  virtual LanePair Lower(const RegionStep& step, std::span<const LanePair> args,
                         LaneCode* code) = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_FUNCTION_POOL_H_
