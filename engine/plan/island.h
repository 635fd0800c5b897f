// Computations that run straight through: no other device, no host, no sizes that are known at run
// time only. Everything about such a computation is worked out once: steps in a row, arrays in
// numbered slots.
#ifndef HLO_ENGINE_PLAN_ISLAND_H_
#define HLO_ENGINE_PLAN_ISLAND_H_

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/kernels/element_loop.h"
#include "engine/plan/epilogues.h"
#include "engine/plan/plan.h"

namespace hlo {

/// Where an array of the computation is.
struct IslandSlot {
  ElementType type = {};
  Dims dims;
  int64_t count = 0;  ///< elements
  int64_t bytes = 0;
  /// Kept from the second execution on (Fold::kKept).
  bool is_kept = false;
  /// Small enough for its buffer to wait for the next execution.
  bool is_reused = false;
};

/// A slot that a step reads.
struct SlotUse {
  int32_t slot = 0;
  /// Nothing reads it later, and this step only once.
  bool is_last = false;
};

/// One thing to execute. Tuples, their elements and parameters are none: they only say in which
/// slot an array is.
struct IslandStep {
  enum class Kind : uint8_t {
    kOperation,    ///< OpDef::eval
    kElements,     ///< `elements`, over all elements of operands and result
    kShare,        ///< the result is the operand's array with other dimensions
    kLoop,         ///< a joined loop
    kScalars,      ///< a `while` over scalars
    kWhile,        ///< calls[0] is the condition, calls[1] the body
    kConditional,  ///< the first operand chooses one of `calls`, each of the operands from
                   ///< firsts[i]
    kCall,         ///< calls[0]
  };
  Kind kind = Kind::kOperation;
  const PlannedInstruction* planned = nullptr;
  std::vector<SlotUse> operands;  ///< the arrays of all operands in order
  std::vector<int32_t> results;   ///< those of the result
  std::vector<int32_t> unused;    ///< those that nothing reads
  ElementLoop elements;
  int64_t count = 0;  ///< elements of the result
  /// Which operands a result may be written over, in the order of preference.
  std::vector<int32_t> writable;
  std::vector<const Region*> calls;
  std::vector<int32_t> firsts;
  /// The next step is a loop over the result, which an OpDef with `result_unit` can run part by
  /// part (epilogues.h).
  bool has_epilogue = false;
  /// The instructions [begin, end) of the computation count as executed when this one is: itself,
  /// and before it those that no step stands for. How many of them do.
  int32_t begin = 0, end = 0;
  uint32_t instructions = 0;
  /// The same once the steps of constants are left out.
  int32_t begin_kept = 0;
  uint32_t instructions_kept = 0;
};

/// A computation, or one instruction of it, as steps.
struct Island {
  const ComputationPlan* plan = nullptr;
  std::vector<IslandSlot> slots;
  std::vector<IslandStep> steps;
  std::vector<int32_t> varying;  ///< the steps that are left once constants are kept
  /// By array of the parameters: its slot; -1 when nothing reads it.
  std::vector<int32_t> parameters;
  std::vector<SlotUse> results;  ///< by array of the result
  int64_t kept_bytes = 0;
  /// What counts as executed after the last step, as in a step.
  IslandStep rest;
  std::vector<SeparateLoop> separate;  ///< loops that might be epilogues, but are not
};

/// Whether the instruction has to be executed one by one when its computation is executed again.
bool IsCounted(const PlannedInstruction& planned, bool constants_are_kept);

/// Finds the islands of a plan, each when it is first asked for. The plan must outlive it.
class Islands {
 public:
  explicit Islands(Plan* plan) : plan_(*plan) {}

  /// Null for a computation that is none.
  const Island* Of(const Region& region) { return Of(region, kMostLevels); }
  /// The instruction alone, its operands as parameters; null for all but such as call islands.
  const Island* OfInstruction(const ComputationPlan& plan, const PlannedInstruction& planned);

 private:
  friend class IslandBuilder;
  /// Levels of calls: each is one of the C++ stack.
  static constexpr int kMostLevels = 32;

  const Island* Of(const Region& region, int levels);

  struct Entry {
    bool is_known = false;
    std::unique_ptr<const Island> island;
  };
  Plan& plan_;
  std::vector<Entry> entries_;  // by index of the computation
  std::unordered_map<const PlannedInstruction*, std::unique_ptr<const Island>> instructions_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_ISLAND_H_
