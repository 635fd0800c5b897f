// A run that one moves through, forward and back: what is shown of it at a position.
#ifndef HLO_ENGINE_VIEWS_DEBUG_VIEW_H_
#define HLO_ENGINE_VIEWS_DEBUG_VIEW_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/timeline/condition.h"
#include "engine/timeline/history.h"
#include "engine/timeline/measure.h"
#include "engine/timeline/moves.h"
#include "engine/timeline/timeline.h"
#include "engine/views/run_view.h"
#include "engine/views/value_view.h"

namespace hlo {

/// The timeline of a run of a document. Not thread-safe.
class Debugger {
 public:
  /// Makes the inputs and begins the run, as RunDocument does, but executes nothing. Without a
  /// timeline, and with diagnostics, when the document cannot be run.
  Debugger(std::shared_ptr<const Document> document, const RunRequest& request,
           TimelineLimits limits = {});

  const Document& document() const { return *record_.document; }
  /// Why there is no timeline; of a recorded run, its failures.
  Diagnostics diagnostics() const;
  /// Null when the document cannot be run.
  Timeline* timeline() { return timeline_.get(); }

  /// Another run, all of it recorded, by what a condition calls it; null, with the reason, when
  /// there is none.
  using OtherRun =
      std::function<std::shared_ptr<Debugger>(std::string_view name, std::string* problem)>;
  /// What "differs from NAME" in a condition means. Each is asked for once, until this is called
  /// again.
  void set_other_run(OtherRun other_run);

  /// Nothing, with the reason, when the condition is not understood. A condition that names another
  /// run replays both.
  std::optional<Condition> Read(std::string_view condition, std::string* problem);
  /// The first position after `position` that follows a step that fulfils one of the conditions; or
  /// (`is_back`) the last one before it. Nothing when there is none.
  std::optional<int64_t> Search(const std::vector<Condition>& conditions, int64_t position,
                                bool is_back);
  /// The instructions of this name.
  std::vector<const Instruction*> Named(std::string_view name) const;
  /// The instruction of this name whose value was made last before a position, and that step.
  std::optional<StepFacts> ValueBefore(std::string_view name, int64_t device, int64_t position,
                                       std::string* problem);
  /// What is measured of a value, as a literal of at most so many elements, or as a number.
  /// Nothing, with the reason, when the value has no such part.
  std::optional<std::string> MeasuredText(const Measure& measure, const StepFacts& facts,
                                          int64_t most_elements, std::string* problem);
  /// A measure over the run, on one device (-1: on all); nothing, with the reason, when there is no
  /// such instruction.
  std::optional<History> HistoryOfWatch(const Measure& measure, int64_t device,
                                        const HistoryLimits& limits, std::string* problem);
  /// The value that a step gives, until the next question; nothing when it gives none, or has no
  /// part at this path.
  std::optional<ValuePart> ValueAt(int64_t step, const std::vector<int64_t>& path);
  /// A step as a line for people: "body/add.4 = f32[] 3.5".
  std::string StepLine(const StepFacts& facts) const;
  /// "body/add.4" as the text writes it, without the computation when that is the entry.
  std::string PlaceName(const Instruction& instruction) const;
  /// 1-based.
  uint32_t LineOf(const Instruction& instruction) const;

  /// An answer to DebugRequest of wasm/debug_types.ts; `others` are timelines by their handles.
  /// Never throws.
  using ByHandle = FunctionRef<std::shared_ptr<Debugger>(int handle)>;
  std::string Answer(std::string_view request, ByHandle others);

 private:
  std::string TextOfStep(int64_t step);
  std::shared_ptr<const StepSet> DifferingFrom(std::string_view name, std::string* problem);

  RunRecord record_;
  std::unique_ptr<Timeline> timeline_;
  std::map<int64_t, std::string> texts_;  // of values, by the step that made them
  OtherRun other_run_;
  // The steps that differ from each other run that a condition named.
  std::map<std::string, std::shared_ptr<const StepSet>, std::less<>> differing_;
  StepFacts shown_;  // that ValueAt() told about
  friend class DebugAnswers;
};

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_DEBUG_VIEW_H_
