// What the executor knows about a program before it runs it: per instruction its call view, where
// its operands are, and which of them it is the last to use.
#ifndef HLO_ENGINE_PLAN_PLAN_H_
#define HLO_ENGINE_PLAN_PLAN_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/hlo/ir.h"
#include "engine/ops/float_widths.h"
#include "engine/ops/op_call.h"
#include "engine/ops/op_def.h"
#include "engine/plan/joined_loop.h"

namespace hlo {

/// One operand of a planned instruction.
struct OperandUse {
  int32_t value = 0;  ///< position of the operand in its computation
  bool last = false;  ///< no later use: the value is moved into the operation
};

/// What a repeated execution of the computation does about an instruction.
enum class Fold : uint8_t {
  kNone,     ///< executes it
  kKept,     ///< takes the value of an earlier execution: it follows from constants alone
  kSkipped,  ///< nothing: only instructions that are not executed either need it
};

/// What an instruction is executed as instead of what it is.
struct NarrowCall {
  Shape shape;
  AttrList attrs;
};

/// An instruction with everything that does not change from one execution to the next.
struct PlannedInstruction {
  const Instruction* instruction;
  const OpDef* def;
  OpCall call;
  /// What `call` refers to, where it is not the instruction's own (narrow_iota.h); null for most.
  std::unique_ptr<NarrowCall> narrow = nullptr;
  /// What is computed where floats of different widths meet; null for nearly all instructions.
  std::unique_ptr<const MixedCall> mixed;
  SmallVector<OperandUse, 4> operands;
  /// The number of a parameter; -1 for other opcodes.
  int64_t parameter = -1;
  /// For the last get-tuple-element of an element, when nothing but get-tuple-element uses the
  /// tuple: the element, which is then moved out of the tuple instead of shared; else -1. With it a
  /// loop that carries a large array in its state updates the array in place.
  int64_t taken_element = -1;
  /// Nothing uses the value: it is freed at once.
  bool unused = false;
  Fold fold = Fold::kNone;
  /// The loop that is executed here, for this instruction and others before it; its operands are
  /// then the loop's inputs. Null for most.
  const JoinedLoop* loop = nullptr;
  /// Of a `while` over scalars alone: its program (region_compiler.h). Null for all others.
  std::unique_ptr<const RegionSteps> scalar_loop = nullptr;
  /// Of the program of one or the other: its number in the plan; -1 for all others.
  int32_t program = -1;
  /// A loop further on stands for it: it is not executed itself.
  bool is_joined = false;
};

/// A computation in the order it is executed in: the order of the text.
struct ComputationPlan {
  const Computation* computation;
  std::vector<PlannedInstruction> instructions;
  int32_t root = 0;
  std::vector<std::unique_ptr<JoinedLoop>> loops;
  std::vector<Unjoined> unjoined;  ///< in the order of the instructions
};

/// Plans of the computations of a module, each made when it is first asked for. The module must
/// outlive the plan and have parsed and verified without errors.
class Plan {
 public:
  /// `custom_calls`: what custom-calls find; may be null, and must outlive the plan too. With
  /// `joins_loops` element-wise instructions are joined (joined_loop.h).
  explicit Plan(const Module& module, const CustomCallTargets* custom_calls = nullptr,
                bool joins_loops = false);
  const Module& module() const { return module_; }
  const CustomCallTargets* custom_calls() const { return custom_calls_; }
  /// `region` is a computation of the module.
  const ComputationPlan& For(const Region& region);

 private:
  const Module& module_;
  const CustomCallTargets* custom_calls_;
  bool joins_loops_;
  std::vector<std::unique_ptr<ComputationPlan>> plans_;
  int32_t program_count_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_PLAN_H_
