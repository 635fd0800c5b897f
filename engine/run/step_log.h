// What one step of a run did, for those who follow it step by step (engine/timeline).
#ifndef HLO_ENGINE_RUN_STEP_LOG_H_
#define HLO_ENGINE_RUN_STEP_LOG_H_

#include <cstdint>

#include "engine/base/small_vector.h"
#include "engine/hlo/ir.h"
#include "engine/run/trace.h"
#include "engine/types/tensor.h"

namespace hlo {

enum class StepKind : uint8_t {
  kNone,    ///< a device asked again for what has not come yet: not a step
  kValue,   ///< an instruction was evaluated, or has what it waited for
  kEnter,   ///< an instruction began: a call enters a computation, a collective waits for others
  kReturn,  ///< a computation ended: its caller has a value, or goes on to another computation
  kEnd,     ///< the device's program ended
};

/// The serial number of a step in the run; kNoStep: none.
inline constexpr int64_t kNoStep = -1;

/// A message that found its receiver.
struct Delivery {
  uint32_t receipt = 0;  ///< what the recv has as its context
  int64_t sent_at = kNoStep;
};

/// One step: what one device did for one instruction. At most one instruction gets its value in it.
struct StepFacts {
  int64_t step = kNoStep;
  StepKind kind = StepKind::kNone;
  int64_t device = 0;  ///< flattened id
  /// What was executed; of kReturn the caller, of kEnd the root of the program.
  const Instruction* instruction = nullptr;
  int depth = 0;  ///< calls around `instruction`; 0 in the program of the device
  IterationPath iterations;
  /// The step that entered the computation that `instruction` is in; kNoStep in the device's
  /// program.
  int64_t entered_at = kNoStep;
  /// The steps that gave each operand of `instruction` its value.
  SmallVector<int64_t, 4> operands;
  /// Of kEnter and kReturn: the computation that runs from now on; null when there is none.
  const Computation* entered = nullptr;
  IterationPath entered_iterations;  ///< those of the instructions in it
  /// Of kReturn and kEnd: the computation that ended, the step that gave its root its value, and
  /// the step that had entered it.
  const Computation* left = nullptr;
  int64_t root_step = kNoStep;
  int64_t left_entered_at = kNoStep;
  /// Of an instruction that meets other devices: the number of the meeting, which those that are in
  /// it have in common, from the step in which it joins to that in which it leaves. 0: none.
  int64_t meeting = 0;
  /// Of messages between devices, in the step in which both of send and recv are known.
  SmallVector<Delivery, 1> deliveries;
  /// `instruction` has its value, which is `value`, from this step on.
  bool has_value = false;
  Value value;
};

/// Where the devices of a run write what they do. Such a run goes instruction by instruction, and
/// the end of a computation is a step of its own.
struct StepLog {
  int64_t step = 0;  ///< the number of the step that is under way
  StepFacts facts;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_STEP_LOG_H_
