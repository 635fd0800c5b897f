// Runs joined loops (plan/joined_loop.h).
#ifndef HLO_ENGINE_RUN_LOOP_RUNNER_H_
#define HLO_ENGINE_RUN_LOOP_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/budget.h"
#include "engine/ops/eval.h"
#include "engine/plan/plan.h"

namespace hlo {

struct ProfileEntry;

/// What a joined loop reads of an input: the array itself, or, of a view, a part of that where the
/// elements are neighbours, or a block that they are copied to.
class LoopSource {
 public:
  /// Of an input, by number. The loop must outlive it.
  LoopSource(const JoinedLoop& loop, size_t number);
  /// Before the first block of an execution, on this array.
  void Begin(const std::byte* data, Budget* budget);
  /// The elements [begin, begin + count), at most a block.
  const std::byte* At(int64_t begin, int64_t count) {
    if (!view_) return data_ + begin * width_;
    if (period_ > 0) return block_->data() + begin % period_ * width_;
    if (const std::byte* part = view_->Find(begin, count, width_, data_)) return part;
    view_->Read(begin, count, width_, data_, block_->data());
    return block_->data();
  }
  /// Whether what it gives of the first block is all that the program needs.
  bool is_given_once() const { return is_given_once_; }
  /// The same for another thread, with a block of its own if it needs one.
  LoopSource Copy(Budget* budget) const {
    LoopSource copy = *this;
    if (block_ && period_ == 0) copy.block_ = Buffer::Allocate(block_->size(), budget);
    return copy;
  }
  /// After the last one: the block waits for the next execution, or is given back if it is large.
  void End();

 private:
  LoopSource(const JoinedLoop& loop, int32_t number, const LoopInput& input);

  int width_;
  int64_t lanes_;  // of a block
  const ViewReader* view_;
  int64_t period_;  // of a view that repeats itself in less than a block, which has all of it
  bool is_given_once_;
  const std::byte* data_ = nullptr;
  std::shared_ptr<Buffer> block_;
  bool is_parked_ = false;
};

/// How many lanes a block of the loop has.
int64_t LanesOf(const JoinedLoop& loop);

/// Whether the program takes any number of elements at a time.
bool IsGivenOnce(std::span<const LoopSource> sources);

/// Runs the program of a loop block by block; threads share long ones. `from` has room for the
/// sources' blocks; `to`: where the outputs begin, which may be moved on. What threads need of
/// their own is charged to the budget (not null).
void RunBlocks(const JoinedLoop& loop, RegionFunction& program, std::span<LoopSource> sources,
               std::span<const std::byte*> from, std::span<std::byte*> to, Budget* budget);

/// The loops of a run, with their programs.
class LoopRunner {
 public:
  /// The values of the outputs of a planned instruction's loop. `inputs` may be moved from: an
  /// array that nobody else holds may become an output. Throws RunError. `plan` is the computation,
  /// `entry` where the loop is measured, or null.
  std::vector<Value> Run(const PlannedInstruction& planned, const ComputationPlan& plan,
                         std::span<Value> inputs, EvalContext& context, ProfileEntry* entry);

  /// The value of a `while` over scalars, with this initial state.
  Value RunScalars(const PlannedInstruction& planned, const Value& state, Budget* budget,
                   ProfileEntry* entry);

  /// The program of a loop; until the next one is asked for.
  RegionFunction& ProgramOf(const PlannedInstruction& planned, Budget* budget);

 private:
  std::vector<std::unique_ptr<RegionFunction>> programs_;  // by number; null: not made, or let go
  size_t made_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_LOOP_RUNNER_H_
