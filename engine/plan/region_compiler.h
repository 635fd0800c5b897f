// Turns a region into steps over numbered scalars. Used by region_program.cc.
#ifndef HLO_ENGINE_PLAN_REGION_COMPILER_H_
#define HLO_ENGINE_PLAN_REGION_COMPILER_H_

#include <optional>

#include "engine/hlo/ir.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// Nothing when the region holds anything but scalar operations, tuples of scalars, and calls,
/// conditionals and loops of such; or when it is too large. `custom_calls`: what custom-calls find;
/// may be null.
std::optional<RegionSteps> CompileSteps(const Computation& region,
                                        const CustomCallTargets* custom_calls);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_COMPILER_H_
