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
#include "engine/run/options.h"
#include "engine/run/replica.h"
#include "engine/run/trace.h"

namespace hlo {

/// Why a run ended without a result.
struct RunFailure {
  DiagCode code = DiagCode::kRuntimeError;
  std::string message;
  /// The instruction it happened in, and the calls around it, outermost first. May be empty.
  std::vector<const Instruction*> stack;
};

/// The failure as a diagnostic at the instruction, with the calls around it as notes.
void ReportFailure(const RunFailure& failure, Diagnostics& diagnostics);

/// One run of a module that parsed and verified without errors. The module, the budget and the
/// trace must outlive it, and the budget must outlive every value.
class Executor {
 public:
  enum class Status : uint8_t { kRunning, kDone, kFailed };

  /// With `trace` (may be null) every value is recorded.
  Executor(const Module& module, const RunOptions& options, Budget* budget, Trace* trace);

  /// Makes ready to run the entry computation. `args` by parameter number, of the parameters'
  /// shapes. May fail at once: elided constants without a fill.
  Status Start(std::vector<Value> args);
  /// Executes one instruction.
  Status Step();
  /// Executes up to, and without, the next execution of `instruction`, or to the end.
  Status RunTo(const Instruction& instruction);
  Status Run();

  Status status() const { return status_; }
  /// The instruction that Step() executes next; null at the end.
  const Instruction* next() const;
  /// After kDone: the entry's value on the first device.
  const Value& result() const { return results_.front(); }
  /// After kFailed.
  const RunFailure& failure() const { return failure_; }

 private:
  Status Fail(DiagCode code, std::string message, const Replica* replica);
  // Executes one instruction of the replica whose turn it is; what is thrown becomes a failure.
  Status StepGuarded();
  Status StepReplicas();
  void FillElided();

  RunOptions options_;
  Plan plan_;
  RunState state_;
  std::vector<std::unique_ptr<Replica>> replicas_;
  size_t turn_ = 0;     // whose turn it is
  size_t waiting_ = 0;  // replicas found waiting since the last one that was not
  size_t done_ = 0;
  Status status_ = Status::kRunning;
  std::vector<Value> results_;  // of each replica
  RunFailure failure_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_EXECUTOR_H_
