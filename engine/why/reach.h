// What an element reaches: forward through a recorded run, through calls, loops, branches and
// devices.
#ifndef HLO_ENGINE_WHY_REACH_H_
#define HLO_ENGINE_WHY_REACH_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/timeline/timeline.h"
#include "engine/why/origin.h"

namespace hlo {

/// Elements of one array of a value.
struct ReachedPart {
  Dims path = {};
  int64_t count = 0;            ///< how many
  int64_t of = 0;               ///< elements that the array has
  std::vector<Box> boxes = {};  ///< they are in these
  bool has_more = false;        ///< there are too many boxes: others are left out
};

/// A step whose value has elements that are reached.
struct ReachedStep {
  int64_t step = kNoStep;
  int64_t from = kNoStep;  ///< a step that it depends on and that is reached; of the first, none
  std::vector<ReachedPart> parts = {};
};

struct Reach {
  /// In order of execution; the first is the element itself.
  std::vector<ReachedStep> steps;
  /// So many are left out after the first `before_gap`.
  int64_t skipped = 0;
  size_t before_gap = 0;
  /// The ends of the devices' programs, by device, with what of the results is reached. Devices
  /// that had ended before the element had its value are left out.
  std::vector<ReachedStep> results;
  /// The first step of each `conditional` and `while` in which the element had a say in which
  /// branch ran, or in whether the body ran again; at most 100.
  std::vector<int64_t> decisions;
  /// Some steps had so many elements that all of their results were taken to be reached.
  bool is_rough = false;
};

/// What depends on an element, by the rules of SourcesOf and ReachOf: it may be too much, never too
/// little, except through which branch is taken and how often a loop runs: `decisions` has these.
/// At most `most` steps (at least 2) are kept: of more the first and the last ones. Throws RunError
/// when the budget is cancelled or has no memory, or when it takes thrice the time of the run's
/// limit.
Reach ReachFrom(Timeline& timeline, const PlaceInRun& place, size_t most = 200);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_REACH_H_
