// A run that one moves through, forward and back: what is shown of it at a position.
#ifndef HLO_ENGINE_VIEWS_DEBUG_VIEW_H_
#define HLO_ENGINE_VIEWS_DEBUG_VIEW_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/timeline/condition.h"
#include "engine/timeline/moves.h"
#include "engine/timeline/timeline.h"
#include "engine/views/run_view.h"

namespace hlo {

/// The timeline of a run of a document. Not thread-safe.
class Debugger {
 public:
  /// Makes the inputs and begins the run, as RunDocument does, but executes nothing. Without a
  /// timeline, and with diagnostics, when the document cannot be run.
  Debugger(std::shared_ptr<const Document> document, const RunRequest& request);

  const Document& document() const { return *record_.document; }
  /// Why there is no timeline; of a recorded run, its failures.
  Diagnostics diagnostics() const;
  /// Null when the document cannot be run.
  Timeline* timeline() { return timeline_.get(); }

  /// Nothing, with the reason, when the condition is not understood.
  std::optional<Condition> Read(std::string_view condition, std::string* problem) const;
  /// The first position after `position` that follows a step that fulfils one of the conditions; or
  /// (`is_back`) the last one before it. Nothing when there is none.
  std::optional<int64_t> Search(const std::vector<Condition>& conditions, int64_t position,
                                bool is_back);
  /// The instruction of this name whose value was made last before a position, and that step.
  std::optional<StepFacts> ValueBefore(std::string_view name, int64_t device, int64_t position,
                                       std::string* problem);
  /// A step as a line for people: "body/add.4 = f32[] 3.5".
  std::string StepLine(const StepFacts& facts) const;
  /// "body/add.4" as the text writes it, without the computation when that is the entry.
  std::string PlaceName(const Instruction& instruction) const;
  /// 1-based.
  uint32_t LineOf(const Instruction& instruction) const;

  /// An answer to DebugRequest of wasm/debug_types.ts. Never throws.
  std::string Answer(std::string_view request);

 private:
  std::string TextOfStep(int64_t step);

  RunRecord record_;
  std::unique_ptr<Timeline> timeline_;
  std::map<int64_t, std::string> texts_;  // of values, by the step that made them
  friend class DebugAnswers;
};

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_DEBUG_VIEW_H_
