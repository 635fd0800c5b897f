// How long one may search through a recorded run.
#ifndef HLO_ENGINE_WHY_SEARCH_TIME_H_
#define HLO_ENGINE_WHY_SEARCH_TIME_H_

#include <chrono>

#include "engine/timeline/timeline.h"

namespace hlo {

/// The limit of time of the run is that of each step of a search, and of the whole search thrice as
/// much.
class SearchTime {
 public:
  explicit SearchTime(Timeline& timeline) : timeline_(timeline) {}

  /// Asked before each step; true: the time is used up. Throws RunError when the budget is
  /// cancelled.
  bool IsOver() const {
    timeline_.budget()->Poll();
    timeline_.budget()->Restart();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
    return passed.count() > 3 * timeline_.budget()->limits().seconds;
  }

 private:
  Timeline& timeline_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_SEARCH_TIME_H_
