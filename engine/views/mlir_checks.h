// The targets of the custom-calls that check.* ops of MLIR text become.
#ifndef HLO_ENGINE_VIEWS_MLIR_CHECKS_H_
#define HLO_ENGINE_VIEWS_MLIR_CHECKS_H_

#include <span>

#include "engine/ops/custom_calls/custom_call_targets.h"

namespace hlo {

/// check.eq, check.expect_eq, check.expect_almost_eq and check.expect_close. A check that does not
/// hold is a CheckFailure that names the first differing element.
std::span<const BuiltInTarget> CheckTargets();

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_MLIR_CHECKS_H_
