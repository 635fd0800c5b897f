// One device's run of the program: a stack of frames, advanced one instruction at a time. It never
// uses the C++ stack for calls, so that it can be stopped, parked and looked at anywhere.
#ifndef HLO_ENGINE_RUN_REPLICA_H_
#define HLO_ENGINE_RUN_REPLICA_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/hlo/async_trace.h"
#include "engine/ops/eval.h"
#include "engine/plan/plan.h"
#include "engine/run/exchange.h"
#include "engine/run/fold_cache.h"
#include "engine/run/island_runner.h"
#include "engine/run/loop_runner.h"
#include "engine/run/step_log.h"
#include "engine/run/trace.h"

namespace hlo {

/// What the replicas of a run (and the regions they apply element by element) share.
struct RunState {
  Plan* plan;
  Budget* budget;
  const RunOptions* options = nullptr;
  uint64_t seed = 0;
  /// Random counters by (replica, partition), each made when its device first draws. Here, not in
  /// Replica: regions applied element by element draw from their device's counter.
  std::map<std::pair<int64_t, int64_t>, RngState> rngs = {};
  /// Where the devices meet.
  Exchange* exchange;
  /// Values that stand in for elided constants.
  std::unordered_map<const Instruction*, Value> fills;
  /// Values that were made up, by the instruction whose result they are or are part of.
  std::unordered_map<const Instruction*, Value> stand_ins = {};
  /// Compiled regions, which are the same for every device.
  std::unordered_map<const Region*, std::unique_ptr<RegionFunction>> functions;
  /// Values that no execution of a computation changes.
  FoldCache folds = {};
  LoopRunner loops = {};
  /// By number of the program: of loops in no island, where they are measured.
  std::vector<ProfileEntry*> loop_entries = {};
  /// Where the operations outside of islands are measured.
  std::unordered_map<const Instruction*, ProfileEntry*> operation_entries = {};
  /// Null where a run goes instruction by instruction.
  std::unique_ptr<IslandRunner> islands = nullptr;
  /// Made when a link of a chain first asks for its computation.
  std::unique_ptr<AsyncComputations> async_computations = nullptr;
  /// The run is stepped just now.
  bool is_stepped = false;
  /// Regions being applied element by element inside one another right now. Each is a level of the
  /// C++ stack, therefore limited.
  int nesting = 0;
};

class Replica final : public EvalContext {
 public:
  enum class Status : uint8_t {
    kReady,    ///< another instruction is next
    kWaiting,  ///< parked until a peer arrives
    kDone,
  };

  /// `device` is a flattened id; `trace` may be null.
  Replica(RunState* state, int64_t device, Trace* trace)
      : state_(state), port_(state->exchange, device), trace_(trace) {}
  ~Replica() override;

  /// Writes down each step from now on (null: no longer). Before Start.
  void set_log(StepLog* log) { log_ = log; }
  /// Prepares to run `computation`; a previous run is forgotten. `args` by parameter number.
  void Start(const Region& computation, std::vector<Value> args);
  /// Executes one instruction, and what control flow follows from its end. Throws RunError; then
  /// `stack` still tells where.
  Status Step();
  /// Ends the instruction that failed in Step with this value instead, and goes on as Step does.
  Status EndInstruction(Value value);
  /// Runs an island in place of a computation that is started, on arrays that have the shapes of
  /// its parameters (IslandRunner::Run).
  void RunArrays(const Island& island, IslandRunner::Buffers* arguments,
                 IslandRunner::Buffers* results);
  /// Steps until something but kReady.
  Status Run();
  bool done() const { return depth_ == 0; }
  /// The value of the computation; after kDone.
  Value TakeResult() { return std::move(result_); }

  /// The instructions being executed, outermost first: the calls, and what is next in the innermost
  /// computation. Empty when done.
  std::vector<const Instruction*> Stack() const;
  /// The instruction that Step() would execute, or null when done.
  const Instruction* next() const;

  /// A computation that is being executed, as somebody who looks at the run between two steps sees
  /// it; what it refers to lasts until the next step.
  struct FrameView {
    const ComputationPlan* plan;
    size_t position;  ///< of the instruction that is next, or that called the next frame; its end
    const IterationPath* iterations;
    /// Of a run with a log, by position: the step that gave the instruction its value in this
    /// execution of the computation; kNoStep: none yet.
    std::span<const int64_t> made;
    int64_t entered_at;
    /// By position: what later instructions still need.
    std::span<const Value> values;
    bool is_entered;  ///< the instruction at `position` has begun: it waits, or called
  };
  /// Outermost first.
  std::vector<FrameView> Frames() const;

  // EvalContext.
  Budget* budget() override { return state_->budget; }
  RegionFunction& Function(const Region& region) override;
  uint64_t seed() const override { return state_->seed; }
  ProductRounding products() const override {
    return state_->options ? state_->options->products : nullptr;
  }
  MultiplyAdd multiply_add() const override {
    return state_->options ? state_->options->multiply_add : MultiplyAdd::kSeparate;
  }
  RngState& rng() override { return state_->rngs[{replica_id(), partition_id()}]; }
  int64_t instruction_number() const override;
  int64_t replica_id() const override { return device() / state_->exchange->grid().partitions; }
  int64_t partition_id() const override { return device() % state_->exchange->grid().partitions; }
  Peers& peers() override;
  const Region* async_computation() const override;
  const Value* StandIn(const Shape& shape, bool is_awaited) override;
  RunState& state() { return *state_; }
  Trace* trace() { return trace_; }
  Replica* replica() override { return this; }
  /// The flattened id.
  int64_t device() const { return port_.device(); }

 private:
  friend struct ReplicaState;
  // A computation being executed.
  struct Frame {
    const ComputationPlan* plan = nullptr;
    size_t position = 0;
    std::vector<Value> args;    // of the computation
    std::vector<Value> values;  // by position of the instruction
    IterationPath iterations;
    FoldCache::Entry* folds = nullptr;  // null: of no use in this execution
    std::vector<int64_t> made;          // FrameView::made
    int64_t entered_at = kNoStep;
    // Of a control-flow instruction in progress:
    bool entered = false;
    std::vector<Value> control_args;
    ControlState control;
    std::vector<std::pair<const Region*, int64_t>> calls;  // how often it has called each region

    const PlannedInstruction& Next() const { return plan->instructions[position]; }
    bool AtEnd() const { return position == plan->instructions.size(); }
  };

  void EnterFolds(Frame& frame);
  void SkipIdle(Frame& frame);
  void RunLoop(Frame& frame);
  bool UsesIslands() const;
  bool RunWhole();
  bool RunCallWhole(Frame& frame);
  void RunIsland(const Island& island, IslandRunner::Buffers* arguments,
                 IslandRunner::Buffers* results, const Instruction* called);
  /// Where a loop, or an operation, is measured; null where nothing is.
  ProfileEntry* ProfileOf(const PlannedInstruction& planned, const ComputationPlan& plan);
  void PushFrame(const Region& region, std::vector<Value> args, IterationPath iterations);
  Value PopFrame();
  void TakeOperands(Frame& frame, std::vector<Value>& args);
  Value TakeElement(Frame& frame);
  Value Evaluate(Frame& frame);
  ControlStep Enter(Frame& frame, const PlannedInstruction& planned);
  bool Advance();
  Status PopEnded();
  Status PopOne();
  Status StepReturn();
  void NoteStep(const Frame& frame, StepKind kind);
  void Finish(Value value);
  void MakeRoomForTrace(const PlannedInstruction& planned);
  IterationPath IterationsOf(Frame& frame, const Region& region);

  RunState* state_;
  DevicePort port_;
  Trace* trace_;
  StepLog* log_ = nullptr;
  // Regions that do not compile: they may ask which device they run on.
  std::unordered_map<const Region*, std::unique_ptr<RegionFunction>> interpreters_;
  std::vector<Frame> frames_;  // the first depth_ are in use; the others keep their memory
  size_t depth_ = 0;
  bool is_fresh_ = false;  // started, and nothing was executed
  IslandStack island_stack_;
  size_t island_base_ = 0;  // how many of it are in the frames too
  IslandRunner::Buffers island_arguments_, island_results_;
  std::vector<Value> operands_;  // of the instruction being evaluated
  Value result_;
};

/// Everything about a replica between two steps that a later step depends on. Values are shared, so
/// it costs no copies of arrays.
struct ReplicaState {
  void Save(const Replica& replica);
  void Restore(Replica& replica) const;
  /// An estimate of what it takes beside the arrays.
  size_t bytes() const;

 private:
  std::vector<Replica::Frame> frames_;
  bool is_fresh_ = false;
  Value result_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_REPLICA_H_
