// A `while` of an island with all that it calls, as one structure: what machine code of a whole
// loop is made of. Tuples, parameters and calls are resolved; a value is an array or a scalar.
#ifndef HLO_ENGINE_PLAN_FLOW_H_
#define HLO_ENGINE_PLAN_FLOW_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "engine/kernels/move_view.h"
#include "engine/plan/island.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// Computed in one place; of the states of loops, in every iteration anew.
struct FlowValue {
  ElementType type = {};
  int64_t count = 0;  ///< elements

  bool is_scalar() const { return count == 1; }
};

/// A value that follows from constants: what is in this slot once constants are kept.
struct FlowConstant {
  int32_t value = 0;
  const Island* island = nullptr;
  int32_t slot = 0;
};

/// A computation that is executed in one or more places.
struct FlowIsland {
  const Island* island = nullptr;
  /// What counts as executed each time: at first, and once constants are kept.
  uint32_t instructions = 0, instructions_kept = 0;
};

struct FlowBlock;

/// Elements of an input of a move that become elements of its output.
struct FlowCopy {
  int32_t input = 0;  ///< number of the input
  StridedView from, to;
};

/// A scalar that says where a move begins along a dimension.
struct FlowIndex {
  int32_t input = 0;  ///< number of the input
  ElementType type = {};
  int64_t last = 0;    ///< it is brought into [0, last]
  int64_t stride = 0;  ///< elements that it counts
};

/// What a block executes.
struct FlowStep {
  enum class Kind : uint8_t {
    kPass,   ///< `program` on `count` elements; scalars among its inputs are the same for all
    kMove,   ///< `copies` of `count` elements in all, one after the other, into its one output
    kSums,   ///< sums of `count` products in all
    kWhile,  ///< blocks[0] is the condition, blocks[1] the body
    kConditional,  ///< inputs[0] chooses one of the blocks
  };
  Kind kind = Kind::kPass;
  const RegionSteps* program = nullptr;
  int64_t count = 0;
  /// Values that it reads: of a loop the initial state.
  std::vector<int32_t> inputs;
  std::vector<int32_t> outputs;
  std::vector<FlowCopy> copies;
  /// Of a move: where all copies begin in their inputs; or, where it `updates`, in the output.
  std::vector<FlowIndex> indices;
  /// Of a move: the output begins as the first input is.
  bool updates = false;
  /// Of an update: it does nothing where its only index is not in its range.
  bool skips = false;
  /// Of sums: the two inputs, laid over the dimensions of the output and then those that are summed
  /// over, of which there are so many. The sums start at zero and take one rounded product after
  /// the other.
  std::vector<StridedView> factors;
  int summed_dims = 0;
  std::vector<FlowBlock> blocks;
  /// Arrays of the block that nothing needs after this step.
  std::vector<int32_t> last;
};

/// Steps in a row. Blocks of a loop read its state and constants; those of a conditional also what
/// is around it.
struct FlowBlock {
  std::vector<int32_t> parameters;  ///< the state, if it is the condition or body of a loop
  std::vector<int32_t> unused;      ///< those parameters of a body that it does not need
  std::vector<int32_t> islands;     ///< by number: those that are executed with it
  std::vector<FlowStep> steps;
  std::vector<int32_t> results;
};

struct Flow {
  /// Elements that one step goes through at most: well below a millisecond. More gain nothing.
  static constexpr int64_t kMostElements = int64_t{1} << 16;

  std::vector<FlowValue> values;
  std::vector<FlowConstant> constants;
  std::vector<FlowIsland> islands;
  std::deque<RegionSteps> programs;  ///< those of single instructions
  FlowStep loop;                     ///< its inputs are not values of the flow, but arguments
  bool has_sums = false;             ///< of products, in any step

  /// Whether the body leaves part i of the loop's state as it is.
  bool IsUnchanged(size_t i) const { return loop.blocks[1].results[i] == loop.outputs[i]; }
};

/// The constants of all passes, none twice in the same type.
std::vector<RegionConstant> NumbersOf(const Flow& flow);

/// What keeps a loop from being a flow.
struct FlowObstacle {
  enum class Why : uint8_t {
    kNone,
    kStep,   ///< the instruction is no pass over elements, move, sum of products, loop or
             ///< conditional
    kSize,   ///< one of its arrays is empty, or it goes through too many elements to gain anything
    kShape,  ///< its loop takes rows
    kLarge,  ///< there are too many operations
  };
  Why why = Why::kNone;
  const Instruction* instruction = nullptr;  ///< null: the loop itself
};

/// The flow of a kWhile step; null if anything in it is no pass over elements, move, sum of
/// products, loop or conditional, or if it is too large. A pass takes arrays of one size, element
/// after element, and scalars; what it reads in another order is moved first. The state of a loop
/// inside that its body leaves as it is has no values of its own. `obstacle`, which may be null,
/// gets the reason.
std::unique_ptr<const Flow> FlowOf(const Island& island, const IslandStep& loop, Islands* islands,
                                   FlowObstacle* obstacle = nullptr);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_FLOW_H_
