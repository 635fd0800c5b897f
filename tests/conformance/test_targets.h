// What XLA's own tests register for custom calls.
#ifndef HLO_TESTS_CONFORMANCE_TEST_TARGETS_H_
#define HLO_TESTS_CONFORMANCE_TEST_TARGETS_H_

namespace hlo {

/// Registers them afresh: targets that count start from 0. Before each run.
void RegisterTestTargets();

}  // namespace hlo

#endif  // HLO_TESTS_CONFORMANCE_TEST_TARGETS_H_
