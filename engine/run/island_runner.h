// Runs islands (plan/island.h): their steps in a row, over arrays in slots that stay where they are
// from one execution to the next.
#ifndef HLO_ENGINE_RUN_ISLAND_RUNNER_H_
#define HLO_ENGINE_RUN_ISLAND_RUNNER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/base/budget.h"
#include "engine/ops/eval.h"
#include "engine/plan/island.h"
#include "engine/run/loop_runner.h"

namespace hlo {

struct Flow;
class RunProfile;

/// What is being executed, outermost first: empty when nothing is. A failure leaves it as it is.
using IslandStack = std::vector<const Instruction*>;

/// The arrays of a value in order.
void AppendBuffers(const Value& value, std::vector<std::shared_ptr<Buffer>>* buffers);

/// The value of a shape that has these arrays, from number `next` on, which is counted up.
Value ValueOfBuffers(const Shape& shape, std::vector<std::shared_ptr<Buffer>>* buffers,
                     size_t* next);

/// The islands of a run. What is kept between executions: values of constants, and small buffers
/// that the next execution writes to, which are charged to the budget while they are in use.
class IslandRunner {
 public:
  using Buffers = std::vector<std::shared_ptr<Buffer>>;

  using Fills = std::unordered_map<const Instruction*, Value>;

  /// The pointers must outlive it; `loops` runs the joined loops, `fills` are the values of elided
  /// constants, `profile` may be null.
  IslandRunner(Plan* plan, LoopRunner* loops, const Fills* fills, Budget* budget,
               RunProfile* profile);
  ~IslandRunner();

  Islands& islands() { return islands_; }
  /// Runs it on these arrays, which it takes, and leaves those of its result in `results`.
  /// `context` is the device, `stack` empty, `called` the instruction that the island is, if it is
  /// one alone. Throws RunError; Recover() comes before the next run then.
  void Run(const Island& island, Buffers* arguments, Buffers* results, EvalContext& context,
           IslandStack* stack, const Instruction* called);
  /// Forgets the values of a run that failed.
  void Recover();

 private:
  struct Frame;
  struct StepState;
  struct LoopCode;
  class Epilogue;
  struct Context {
    EvalContext& eval;
    IslandStack& stack;
  };

  Frame& FrameOf(const Island& island);
  void CheckMemory(Frame& frame, IslandStack* stack);
  void TakeBack(Frame& frame, Buffers* results);
  void Enter(Frame& frame);
  void Leave(Frame& frame);
  void RunSteps(Frame& frame, Context& context);
  void RunMeasured(Frame& frame, Context& context, const Instruction* called);
  void RunStep(Frame& frame, size_t step, Context& context);
  void Execute(Frame& frame, const IslandStep& step, StepState& state, Context& context);
  void ExecuteMeasured(Frame& frame, const IslandStep& step, StepState& state, Context& context);
  void Count(const Frame& frame, const IslandStep& step, Context& context);
  void Work(int64_t work);

  void Evaluate(Frame& frame, const IslandStep& step, StepState& state, Context& context);
  void RunElements(Frame& frame, const IslandStep& step);
  void Share(Frame& frame, const IslandStep& step);
  void EvaluateWithEpilogue(Frame& frame, const IslandStep& step, StepState& state,
                            Context& context);
  static void PrepareLoop(const IslandStep& step, StepState& state);
  void RunLoop(Frame& frame, const IslandStep& step, StepState& state);
  void RunLoopNow(Frame& frame, const IslandStep& step, StepState& state);
  void TakeFromProduct(Frame& frame, const IslandStep& step, StepState& state);
  void RunScalars(Frame& frame, const IslandStep& step, StepState& state);
  void RunWhile(Frame& frame, const IslandStep& step, StepState& state, Context& context);
  void RunConditional(Frame& frame, const IslandStep& step, StepState& state, Context& context);
  void RunCall(Frame& frame, const IslandStep& step, StepState& state, size_t call, size_t first,
               Context& context);

  bool RunCode(Frame& frame, const IslandStep& step, StepState& state, Context& context);
  bool MakeCode(const Frame& frame, const IslandStep& step, LoopCode* loop, Context& context);
  bool FindConstants(const Flow& flow, LoopCode* loop, Context& context);
  bool Precompute(Frame& frame, Context& context);
  template <typename IsConstant>
  void Forget(Frame& frame, IsConstant is_constant);
  void ForgetKept(Frame& frame);
  bool CanKeepConstants(const Flow& flow);
  std::shared_ptr<Buffer> MemoryOf(Frame& frame, const IslandStep& step, LoopCode* loop);
  bool Iterate(Frame& frame, const IslandStep& step, LoopCode* loop, std::byte* memory);
  bool IterateMeasured(Frame& frame, const IslandStep& step, StepState& state, std::byte* memory);
  bool IsOver();
  void OwnBuffer(Frame& frame, int32_t slot);
  void PassState(Frame& frame, const IslandStep& step, LoopCode* loop);
  void TakeState(Frame& frame, const IslandStep& step, const LoopCode& loop);
  void NoteExecutions(const LoopCode& loop);

  Value TakeValue(Frame& frame, const SlotUse* uses, const Shape& shape, size_t* next);
  void PutValue(Frame& frame, const IslandStep& step, Value value, size_t* next);
  void Pass(Frame& from, const SlotUse& use, Frame& to, int32_t slot);
  void Place(Frame& frame, const IslandStep& step, size_t result);
  void Release(Frame& frame, int32_t slot);
  void ReleaseOperands(Frame& frame, const IslandStep& step);

  Islands islands_;
  LoopRunner& loops_;
  const Fills& fills_;
  Budget& budget_;
  RunProfile* profile_;
  std::unordered_map<const Island*, std::unique_ptr<Frame>> frames_;
  Frame* last_frame_ = nullptr;  // that was asked for
  int64_t kept_bytes_ = 0;
  int64_t work_ = 0;  // since the last poll
  int64_t total_work_ = 0;
  int running_ = 0;  // runs that have not ended, one inside the other
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_ISLAND_RUNNER_H_
