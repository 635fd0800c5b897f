// Runs a program: steps its replicas in turn, and turns failures into facts about an instruction.
#ifndef HLO_ENGINE_RUN_EXECUTOR_H_
#define HLO_ENGINE_RUN_EXECUTOR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/plan/plan.h"
#include "engine/run/exchange.h"
#include "engine/run/options.h"
#include "engine/run/replica.h"
#include "engine/run/trace.h"

namespace hlo {

/// The devices that run a module: as the options say, else its header; at least one.
DeviceGrid GridOf(const Module& module, const RunOptions& options);
/// At most RunOptions::kMaxDevices.
bool IsAllowed(DeviceGrid grid);

/// Why a run ended without a result.
struct RunFailure {
  DiagCode code = DiagCode::kRuntimeError;
  std::string message;
  /// The instruction it happened in, and the calls around it, outermost first. May be empty.
  std::vector<const Instruction*> stack;
  /// Where it happened, when the run had several devices: "device 1 (replica 1, partition 0)".
  std::string device;
  /// Of a deadlock: what each device waits for, and in which instruction.
  struct Waiting {
    const Instruction* at;
    std::string message;
  };
  std::vector<Waiting> waiting;
  /// How often the instruction failed in the same way, for checks.
  int64_t times = 1;
};

/// The failure as a diagnostic at the instruction, with the waiting devices and the calls around it
/// as notes.
void ReportFailure(const RunFailure& failure, Diagnostics& diagnostics);

/// The constants of a module whose values its text leaves out: `{...}`.
std::vector<const Instruction*> ElidedConstants(const Module& module);

/// One run of a module that parsed and verified without errors, on one device or many that take
/// turns. The module, the budget and the trace must outlive it, and the budget must outlive every
/// value.
class Executor {
 public:
  enum class Status : uint8_t { kRunning, kDone, kFailed };

  /// With `trace` (may be null) every value is recorded.
  Executor(const Module& module, const RunOptions& options, Budget* budget, Trace* trace);

  /// The devices the run has.
  DeviceGrid grid() const { return grid_; }
  /// Prepares to run the entry computation with the same arguments on every device. `args` by
  /// parameter number, of the parameters' shapes. May fail at once: elided constants without a
  /// fill, too many devices.
  Status Start(std::vector<Value> args);
  /// The same with arguments for each device: args[device][parameter].
  Status StartDevices(std::vector<std::vector<Value>> args);
  /// The same with a computation of the module for each device, and values for infeed.
  Status StartPrograms(const std::vector<const Region*>& programs,
                       std::vector<std::vector<Value>> args, std::vector<Value> infeed = {});
  /// Executes one instruction.
  Status Step();
  /// Executes up to, and without, the next execution of `instruction`, or to the end. An
  /// instruction that a joined loop stands for (RunOptions::join_loops) is not executed by itself.
  Status RunTo(const Instruction& instruction);
  Status Run();

  /// Whether RunArrays can run the entry: on one device, and straight through (plan/island.h).
  bool RunsOnArrays();
  /// Start and Run at once for such an entry: from the arrays of its parameters, which have their
  /// shapes, to those of its result (IslandRunner::Run), without a step in between.
  Status RunArrays(IslandRunner::Buffers* arguments, IslandRunner::Buffers* results);

  /// Writes down each step (step_log.h); a step that fails leaves kNone. Before Start, of an
  /// executor without joined loops and islands.
  void set_log(StepLog* log);
  /// Where the run is between two steps. Values are shared, so it costs no copies of arrays.
  struct State {
    std::vector<ReplicaState> replicas;
    Exchange exchange;
    std::map<std::pair<int64_t, int64_t>, RngState> rngs;
    std::unordered_map<const Instruction*, Value> stand_ins;
    size_t turn, waiting, done;
    Status status;
    std::vector<Value> results;
    std::vector<RunFailure> check_failures;
    size_t probes;  ///< how many values were noted
    /// An estimate of what it takes beside the arrays.
    size_t bytes() const;
  };
  State Save() const;
  /// `state` is of this executor since the last start.
  void Restore(const State& state);
  const std::vector<std::unique_ptr<Replica>>& replicas() const { return replicas_; }
  const Exchange& exchange() const { return *exchange_; }

  Status status() const { return status_; }
  /// The instruction that Step() executes next; null at the end.
  const Instruction* next() const;
  /// After kDone: the entry's value on the first device.
  const Value& result() const { return results_.front(); }
  /// The same, and forgets it: nobody else holds its arrays then.
  Value TakeResult() { return std::move(results_.front()); }
  /// After kDone: the entry's value on each device.
  const std::vector<Value>& results() const { return results_; }
  /// What the devices handed to the host so far, in order.
  const std::vector<HostOutput>& host_outputs() const { return exchange_->host_outputs(); }
  /// The instructions whose values were made up so far (RunOptions::stand_ins), in the order of the
  /// text.
  std::vector<const Instruction*> stand_ins() const;
  /// After kFailed. When nothing but checks failed, the first of them.
  const RunFailure& failure() const { return failure_; }
  /// The checks that did not hold so far (one failure for each instruction); the run goes on after
  /// them, and fails at its end.
  const std::vector<RunFailure>& check_failures() const { return check_failures_; }
  /// Whether every device ended, and nothing but checks failed: results() are there.
  bool only_checks_failed() const { return only_checks_failed_; }
  /// All failures as diagnostics.
  void Report(Diagnostics& diagnostics) const;

 private:
  Status Fail(DiagCode code, std::string message, const Replica* replica);
  // Executes one instruction of the replica whose turn it is; what is thrown becomes a failure.
  Status StepGuarded();
  template <typename Work>
  Status GuardedStatus(const Work& work);
  Status StepReplicas();
  Replica::Status StepNoting(Replica& replica);
  void NoteCheck(RunFailure failure, const Replica& replica);
  Status FailDeadlocked();
  Status Finish();
  void FillElided();

  RunOptions options_;
  DeviceGrid grid_;
  Plan plan_;
  std::unique_ptr<Exchange> exchange_;
  RunState state_;
  StepLog* log_ = nullptr;
  std::vector<std::unique_ptr<Replica>> replicas_;
  std::optional<const Island*> entry_island_;  // once it was looked for
  size_t turn_ = 0;                            // whose turn it is
  size_t waiting_ = 0;  // replicas found waiting since the last one that was not
  size_t done_ = 0;
  Status status_ = Status::kRunning;
  std::vector<Value> results_;  // of each replica
  RunFailure failure_;
  std::vector<RunFailure> check_failures_;
  bool only_checks_failed_ = false;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_EXECUTOR_H_
