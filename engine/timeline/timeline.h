// A run in which one can go back: every step of it can be reached again, by replaying from the
// nearest checkpoint before it. Nothing is kept that can be replayed, so that a run of ten million
// steps has a timeline as well as one of ten.
#ifndef HLO_ENGINE_TIMELINE_TIMELINE_H_
#define HLO_ENGINE_TIMELINE_TIMELINE_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/function_ref.h"
#include "engine/run/executor.h"
#include "engine/run/step_log.h"
#include "engine/timeline/spans.h"

namespace hlo {

/// What is kept of a run.
struct TimelineLimits {
  /// More are thinned out, to every second one.
  size_t checkpoints = 1024;
  /// Of checkpoints, beside the arrays that they share.
  size_t bytes = size_t{64} << 20;
  /// Of the budget's memory: while a run uses more, arrays that only checkpoints hold are let go.
  double memory_share = 0.5;
  /// Work between two checkpoints, in milliseconds, until there are too many.
  double milliseconds = 1;
};

/// The steps of one run, on any number of devices, numbered from 0 in order of execution. Position
/// p is the state of the run before step p; the last position is its length. Values, and the step
/// at which the run fails, are those of a run without a timeline: a step that throws is not one of
/// the timeline, whose last position is before it. Not thread-safe.
class Timeline {
 public:
  /// The module has parsed and verified without errors. It and the budget must outlive the
  /// timeline; the budget's limits of time and steps end the recording, and not a replay.
  Timeline(const Module& module, const RunOptions& options, Budget* budget,
           TimelineLimits limits = {});

  /// Begins the run: args[device][parameter], of the parameters' shapes.
  void Start(std::vector<std::vector<Value>> args);
  /// Records for about so long. True when the run has ended: there are no more steps.
  bool Record(double milliseconds);
  bool ended() const { return ended_; }
  /// The steps recorded so far.
  int64_t length() const { return length_; }
  /// Why the run ended without a result; null when it did not.
  const RunFailure* failure() const { return failure_ ? &*failure_ : nullptr; }
  /// The failure, and checks that did not hold, as diagnostics.
  void Report(Diagnostics& diagnostics) const;
  DeviceGrid grid() const { return executor_.grid(); }
  const Module& module() const { return module_; }
  Budget* budget() const { return budget_; }
  /// Of each device, once the run has ended without a failure: the result of the program.
  const std::vector<Value>& results() const { return results_; }

  int64_t position() const { return log_.step; }
  /// Goes to a position from 0 to length(). Throws RunError when the budget is cancelled or has no
  /// memory for the replay; the position is then another one.
  void GoTo(int64_t position);
  /// Executes the step at the position, unless it is the last one: then nothing, and false.
  bool Advance();
  /// What the last Advance() did.
  const StepFacts& last() const { return log_.facts; }
  /// The step `step`, of 0 to length() - 1. Goes to the position after it.
  const StepFacts& At(int64_t step);
  /// The steps from `begin` up to `end` (at most length()), in order, until `visit` says false.
  void ForEach(int64_t begin, int64_t end, FunctionRef<bool(const StepFacts&)> visit);
  /// The last step before `before` in which the instruction got a value, on this device (-1: any).
  std::optional<int64_t> LastValueOf(const Instruction& instruction, int64_t device,
                                     int64_t before);

  /// The devices at the position, with their computations (Replica::Frames) and what they wait
  /// for.
  const std::vector<std::unique_ptr<Replica>>& devices() const { return executor_.replicas(); }
  const Exchange& exchange() const { return executor_.exchange(); }

  /// The calls and iterations of the run, as far as they are long enough to be kept.
  const Spans& spans() const { return spans_; }

  /// A stretch of the run that is replayed as a whole, from the checkpoint that it begins with, and
  /// what is known of it.
  struct Stretch {
    int64_t begin = 0;
    /// By NumberOf(): the instructions that began or got a value in it.
    std::vector<uint64_t> executed;
    bool Has(int64_t number) const {
      return ((executed[static_cast<size_t>(number / 64)] >> (number % 64)) & 1) != 0;
    }
  };
  /// In order; each ends where the next one begins, the last one at length().
  size_t stretch_count() const { return stretches_.size(); }
  const Stretch& stretch(size_t i) const { return stretches_[i].facts; }
  int64_t StretchEnd(size_t i) const {
    return i + 1 < stretches_.size() ? stretches_[i + 1].facts.begin : length_;
  }
  /// The stretch that has this step.
  size_t StretchOf(int64_t step) const;
  /// The number of an instruction among all of the module, in the order of the text.
  int64_t NumberOf(const Instruction& instruction) const {
    return first_numbers_[static_cast<size_t>(instruction.parent()->index())] + instruction.index();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Checkpoint {
    int64_t position = 0;
    Executor::State state;
  };
  struct Kept {
    Stretch facts;
    std::unique_ptr<const Checkpoint> checkpoint;
    size_t bytes = 0;
  };

  bool StepOnce();
  void RecordStep();
  // Goes back to the last step after letting go of what only checkpoints hold, as often as it
  // takes. False: there is no room for the run even so, or it reached another limit.
  bool Recover();
  void NoteExecuted();
  bool IsTimeForCheckpoint() const;
  void KeepCheckpoint();
  void Thin();
  bool MakeRoom();
  void End();
  void Restore(const Checkpoint& checkpoint);
  void Replay(int64_t position);
  void KeepNear();

  const Module& module_;
  Budget* budget_;
  TimelineLimits limits_;
  std::vector<int64_t> first_numbers_;  // of each computation
  size_t words_ = 0;                    // of a stretch's bits
  StepLog log_;
  Executor executor_;
  std::vector<Kept> stretches_;
  // States on the way of the last replay that took long, in one stretch.
  std::vector<Checkpoint> near_;
  size_t bytes_ = 0;
  double between_;  // milliseconds of work from one checkpoint to the next
  Clock::time_point last_checkpoint_;
  int64_t length_ = 0;
  Budget::Usage usage_;
  bool ended_ = false;
  bool is_lost_ = false;    // the executor's state is of no position
  bool keeps_near_ = true;  // until memory is short
  std::optional<RunFailure> failure_;
  std::vector<RunFailure> check_failures_;
  std::vector<Value> results_;
  Spans spans_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_TIMELINE_TIMELINE_H_
