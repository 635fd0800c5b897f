// Runs a program several times in one executor, with islands (plan/island.h) and without.
#ifndef HLO_TESTS_GOLDEN_REPEATED_RUNS_H_
#define HLO_TESTS_GOLDEN_REPEATED_RUNS_H_

#include <string>

#include "engine/base/budget.h"
#include "engine/run/options.h"
#include "engine/views/run_view.h"

namespace hlo {

/// What differs between the runs of an executor with islands and those of one without, each on the
/// inputs of `record`: values, errors and where they are, executed instructions. Empty: nothing.
std::string RepeatedRunsDifference(const RunRecord& record, const RunOptions& options,
                                   const Budget::Limits& limits);

}  // namespace hlo

#endif  // HLO_TESTS_GOLDEN_REPEATED_RUNS_H_
