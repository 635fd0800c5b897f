// How a measure of a value goes over the steps of a run.
#ifndef HLO_ENGINE_TIMELINE_HISTORY_H_
#define HLO_ENGINE_TIMELINE_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/timeline/measure.h"
#include "engine/timeline/timeline.h"

namespace hlo {

/// One line of a plot, a number for each point of it.
struct HistorySeries {
  std::string label = {};
  std::vector<double> last = {};  ///< of the values at a point
  std::vector<double> least = {},
                      most = {};  ///< of the finite ones among them; NaN when there are none
};

/// The values of a measure over a run.
struct History {
  std::vector<int64_t> steps;  ///< at each point the last of its values
  std::vector<HistorySeries> series;
  int64_t width = 1;  ///< so many steps of the run have one point
  /// Stretches of the run were left out, evenly: least and most are of those that were visited.
  bool is_sampled = false;
};

struct HistoryLimits {
  size_t points = 1000;       ///< more are joined by twos
  double milliseconds = 400;  ///< about so long a replay takes
  size_t elements = 6;        ///< a slice of at most so many has a line for each
};

/// One number gives one line; a few elements give one each; more give their least, mean and most.
/// `device` -1: of every device. The position of the timeline becomes another one.
History HistoryOf(Timeline& timeline, const std::vector<const Instruction*>& instructions,
                  const Measure& measure, int64_t device, const HistoryLimits& limits = {});

}  // namespace hlo

#endif  // HLO_ENGINE_TIMELINE_HISTORY_H_
