// The calls and loop iterations of a run as stretches of its steps: what is drawn as bands.
#ifndef HLO_ENGINE_TIMELINE_SPANS_H_
#define HLO_ENGINE_TIMELINE_SPANS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/run/replica.h"
#include "engine/run/step_log.h"

namespace hlo {

/// One execution of a computation, or of an instruction that calls some.
struct Span {
  int64_t begin = 0;
  int64_t end = 0;  ///< after its last step
  int64_t device = 0;
  int depth = 0;  ///< calls around it
  const Instruction* caller = nullptr;
  const Computation* computation = nullptr;  ///< null: all of the caller's execution
  int64_t iteration = -1;                    ///< of a loop; -1: the caller is none
};

/// Spans of a run, in the order in which they begin. There is a limit on how many are kept: beyond
/// it the short ones are dropped, which in a picture of the whole run would not be seen.
class Spans {
 public:
  static constexpr size_t kMost = 4096;

  /// Of a run that is followed from this position on: what is open there begins where it did.
  Spans() = default;
  Spans(const std::vector<std::unique_ptr<Replica>>& devices, int64_t position);
  /// The next step of the run.
  void Note(const StepFacts& facts);
  /// Everything that is open ends here.
  void Close(int64_t end);
  /// Those that ended, and those that are still open, up to `end`.
  std::vector<Span> All(int64_t end) const;
  /// Spans with fewer steps may be missing.
  int64_t least_length() const { return least_length_; }

 private:
  void Open(const StepFacts& facts, const Computation* computation);
  void CloseLast(int64_t device, int64_t end);
  void Keep(const Span& span);

  std::vector<std::vector<Span>> open_;  // of each device, outermost first
  std::vector<Span> closed_;
  int64_t least_length_ = 1;
};

}  // namespace hlo

#endif  // HLO_ENGINE_TIMELINE_SPANS_H_
