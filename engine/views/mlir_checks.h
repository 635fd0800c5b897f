// The targets of the custom-calls that check.* ops of MLIR text become.
#ifndef HLO_ENGINE_VIEWS_MLIR_CHECKS_H_
#define HLO_ENGINE_VIEWS_MLIR_CHECKS_H_

namespace hlo {

/// Registers check.eq, check.expect_eq, check.expect_almost_eq and check.expect_close, once. A
/// check that does not hold is a CheckFailure that names the first differing element.
/// Call it before the first run of an imported module; further calls do nothing.
void RegisterMlirChecks();

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_MLIR_CHECKS_H_
