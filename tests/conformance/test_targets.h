// What XLA's own tests add for custom calls.
#ifndef HLO_TESTS_CONFORMANCE_TEST_TARGETS_H_
#define HLO_TESTS_CONFORMANCE_TEST_TARGETS_H_

#include "engine/ops/custom_calls/custom_calls.h"

namespace hlo {

/// Adds them for one run: targets that count start from 0.
void AddTestTargets(CustomCallTargets& targets);

}  // namespace hlo

#endif  // HLO_TESTS_CONFORMANCE_TEST_TARGETS_H_
