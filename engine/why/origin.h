// Where an element of a value of a run comes from: through calls, loops and other devices.
#ifndef HLO_ENGINE_WHY_ORIGIN_H_
#define HLO_ENGINE_WHY_ORIGIN_H_

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/timeline/timeline.h"
#include "engine/why/dependence.h"
#include "engine/why/flow.h"

namespace hlo {

/// An element of the value that an instruction got in a step.
struct PlaceInRun {
  int64_t step = kNoStep;
  Dims path = {};
  Dims index = {};
};

/// Elements of such a value.
struct ElementsInRun {
  int64_t step = kNoStep;
  Dims path = {};
  Box box = {};
  SourceRole role = SourceRole::kValue;
};

/// Follows elements back through a recorded run. The timeline must outlive it. Not thread-safe.
class Origins final : private StepSource {
 public:
  explicit Origins(Timeline& timeline) : timeline_(timeline) {}

  Timeline& timeline() const { return timeline_; }
  /// What the step did. Facts that were asked for lately are kept, as far as memory goes. Throws as
  /// Timeline::At does.
  StepFacts Facts(int64_t step);
  /// The elements of earlier values that an element depends on: empty for inputs and constants.
  std::vector<ElementsInRun> Sources(const PlaceInRun& place);

  /// From a NaN (of an element that is none: an infinity) to one among its sources, again and
  /// again: the last of the path has none among its own, and is where it was first made. At most so
  /// many steps are followed, and as long as SearchTime has it; `complete` says whether the end was
  /// reached.
  struct Path {
    std::vector<PlaceInRun> places;
    bool complete = false;
  };
  Path FirstMade(const PlaceInRun& place, size_t most = 10'000);

  /// The first element of a value, or of the part of it that is at a path, in order, that is a NaN,
  /// or an infinity where none is: its path and index.
  std::optional<PlaceInRun> FirstNonFinite(int64_t step, const Dims& path = {});

 private:
  const StepFacts& EnteredAt(int64_t step) override;
  Value ValueOf(int64_t step) override { return Facts(step).value; }
  int64_t SentAt(uint32_t receipt) override;
  std::vector<Value> ArgsOf(const StepFacts& facts);
  struct Scan;
  std::optional<Scan> ScanAt(const StepFacts& caller);
  ElementsInRun ReturnedBy(int64_t root, int64_t number, const Dims& index);
  bool AddScanned(const StepFacts& facts, const PlaceInRun& place, std::vector<ElementsInRun>* out);
  void AddFromOthers(const StepFacts& facts, const PlaceInRun& place,
                     std::vector<ElementsInRun>* out);
  void ListExchanges();

  // Steps one after another, and how much their arrays hold. An element comes from several places
  // far apart, as the parameters of a program and its latest values are: each has a window.
  struct Window {
    std::deque<StepFacts> steps;
    int64_t bytes = 0;
    int64_t used_at = 0;  // in calls

    bool Has(int64_t step) const {
      return !steps.empty() && steps.front().step <= step && step <= steps.back().step;
    }
  };
  Window& WindowFor(int64_t step);
  const Window& ReplayedTo(int64_t step);
  int64_t BytesToKeep(int64_t most) const;

  Timeline& timeline_;
  // Facts that were asked for, the oldest first.
  std::unordered_map<int64_t, StepFacts> known_;
  std::deque<int64_t> known_order_;
  int64_t known_bytes_ = 0;
  std::unordered_map<int64_t, StepFacts> entered_;
  std::array<Window, 4> windows_;
  int64_t calls_ = 0;
  // Of each meeting of devices, the step in which each of them was in it last.
  std::unordered_map<int64_t, std::vector<std::pair<int64_t, int64_t>>> meetings_;
  std::unordered_map<uint32_t, int64_t> sent_at_;
  bool are_listed_ = false;
};

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_ORIGIN_H_
