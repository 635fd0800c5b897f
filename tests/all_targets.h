// The custom-call targets that runs of tests find.
#ifndef HLO_TESTS_ALL_TARGETS_H_
#define HLO_TESTS_ALL_TARGETS_H_

#include "engine/run/options.h"
#include "engine/views/target_families.h"

namespace hlo {

/// Options of a run that finds every built-in target.
inline RunOptions OptionsWithTargets() {
  static const CustomCallTargets kTargets(AllTargets());
  RunOptions options;
  options.custom_calls = &kTargets;
  return options;
}

}  // namespace hlo

#endif  // HLO_TESTS_ALL_TARGETS_H_
