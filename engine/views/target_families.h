// The families of custom-call targets that builds of the engine contain.
#ifndef HLO_ENGINE_VIEWS_TARGET_FAMILIES_H_
#define HLO_ENGINE_VIEWS_TARGET_FAMILIES_H_

#include "engine/ops/custom_calls/custom_calls.h"

namespace hlo {

/// What programs are marked with: of a build that hands programs with other targets on.
TargetFamilies SmallTargets();
/// All of them, those of StableHLO's tools too.
TargetFamilies AllTargets();
/// All of them as the custom-calls of a program find them, where no run adds others.
const CustomCallTargets& BuiltInTargets();

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_TARGET_FAMILIES_H_
