// Whether a run that is replayed, forward and backward, has the states of a straight run.
#ifndef HLO_TESTS_REPLAY_REPLAY_H_
#define HLO_TESTS_REPLAY_REPLAY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/timeline/timeline.h"
#include "engine/views/document.h"
#include "engine/views/run_view.h"

namespace hlo {

/// What a step did, as a line; of its value a fingerprint of the bits.
std::string FactsText(const StepFacts& facts);
/// The same of where a run is: the calls of every device, what is next in each, which steps gave
/// the values that are alive, and their bits.
std::string StateText(const Timeline& timeline);
/// FactsText of every step, from the first to the last.
std::vector<std::string> StraightSteps(Timeline& timeline);

/// How much of a replay is compared.
struct ReplayOptions {
  TimelineLimits timeline = {};
  /// Positions, evenly over the run, last to first; from each one goes back by a few steps.
  int64_t positions = 60;
  /// The values of a run without a timeline that keeps them all are compared, too.
  bool compares_trace = true;
};

/// What a replay took.
struct ReplayTimes {
  int64_t steps = 0;
  double record_seconds = 0;
  double slowest_jump = 0;  ///< seconds, to any of the positions
  double slowest_back = 0;  ///< seconds, from a position to the one before
};

/// Runs a document, without a timeline and with one: what differs between the two, or between a
/// straight replay and one that goes back; empty when nothing does. A run that fails has to fail in
/// both.
std::string ReplayFault(const std::shared_ptr<const Document>& document, const RunRequest& request,
                        const ReplayOptions& options, ReplayTimes* times = nullptr);

}  // namespace hlo

#endif  // HLO_TESTS_REPLAY_REPLAY_H_
