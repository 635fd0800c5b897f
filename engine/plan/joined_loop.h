// Element-wise instructions that run as one loop: a block of elements goes through all of them
// while it is in the nearest cache, and only what others need is written.
#ifndef HLO_ENGINE_PLAN_JOINED_LOOP_H_
#define HLO_ENGINE_PLAN_JOINED_LOOP_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "engine/kernels/view_reader.h"
#include "engine/ops/op_call.h"
#include "engine/plan/region_steps.h"

namespace hlo {

struct ComputationPlan;

/// An array that a joined loop reads: element after element, or as a view.
struct LoopInput {
  int32_t value = 0;  ///< position of the instruction whose value it is
  ElementType type = {};
  std::optional<ViewReader> view = std::nullopt;
};

/// Instructions that are executed as one, where the last of them is.
struct JoinedLoop {
  int64_t count = 0;  ///< elements
  std::vector<LoopInput> inputs;
  std::vector<int32_t> outputs;  ///< positions of the instructions whose values others use
  RegionSteps steps;             ///< parameters: the inputs; results: the outputs
  /// All instructions that it stands for, in order.
  std::vector<int32_t> members;
};

/// Why an element-wise instruction does not run in the loop that computes one of its operands.
enum class Apart : uint8_t {
  kCount,   ///< that loop has another number of elements, or rows of another length
  kOrder,   ///< it reads the elements in another order
  kNeeded,  ///< an instruction between the two needs values of that loop
  kFull,    ///< that loop has as many instructions as a loop may have
};

/// Positions in the computation of an instruction and of the one in whose loop it does not run.
struct Unjoined {
  int32_t instruction = 0;
  int32_t operand = 0;
  Apart why = {};
  int32_t needed_by = -1;  ///< of kNeeded
};

/// Joins the element-wise instructions of a computation where that saves passes over memory, with
/// broadcasts, slices and reshapes that only they use. The values of the others are then never
/// made: not for a run that shows every value. Takes time linear in the operands.
///
/// Where rows, which run along the last dimension, are reduced by an ordinary reducer, that joins
/// the loop too, with what is computed of the results, row by row, and spread over the rows again:
/// a softmax or a norm is one loop, which takes whole rows at a time.
///
/// An instruction joins those of its operands, and runs when the last of them does. So nothing may
/// use their values before: whatever else uses one closes the loop.
void JoinLoops(ComputationPlan& plan, const CustomCallTargets* custom_calls);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_JOINED_LOOP_H_
