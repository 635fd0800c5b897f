#include "engine/views/target_families.h"

#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/run/probes.h"
#include "engine/views/mlir_checks.h"

namespace hlo {
namespace {

constexpr TargetFamily kSmallTargets[] = {MarkerTargets};
constexpr TargetFamily kAllTargets[] = {MarkerTargets,  MathTargets,       MatrixTargets,
                                        SortingTargets, RandomTargets,     LibraryTargets,
                                        CheckTargets,   InterpreterTargets};

}  // namespace

TargetFamilies SmallTargets() { return kSmallTargets; }
TargetFamilies AllTargets() { return kAllTargets; }

const CustomCallTargets& BuiltInTargets() {
  static const CustomCallTargets targets(kAllTargets);
  return targets;
}

}  // namespace hlo
