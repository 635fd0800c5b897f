// Puts the steps of a region together. Used by region_compiler.cc.
#ifndef HLO_ENGINE_PLAN_REGION_BUILDER_H_
#define HLO_ENGINE_PLAN_REGION_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/kernels/reduce_fold.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// What a step says of the op whose loop it is (RegionStep::opcode).
std::optional<Opcode> OpcodeOf(const ElementLoop& loop, Opcode opcode);

class RegionBuilder {
 public:
  /// What is emitted from now on is a part of this instruction.
  void set_source(const Instruction* source) { source_ = source; }

  /// All parameters before anything else.
  RegionScalar Parameter(ElementType type);
  /// `value` points to one element.
  RegionScalar Constant(ElementType type, const std::byte* value);
  RegionScalar Truth();
  RegionScalar Number(int32_t value);

  /// A step; `args` are of the loop's operand types. `opcode`: see RegionStep.
  RegionScalar Emit(const ElementLoop& loop, const RegionScalar* args,
                    std::optional<Opcode> opcode = std::nullopt);
  RegionScalar Copy(RegionScalar scalar);
  RegionScalar Converted(RegionScalar scalar, ElementType type);
  RegionScalar And(RegionScalar a, RegionScalar b);
  RegionScalar Not(RegionScalar a);
  RegionScalar Equal(RegionScalar a, RegionScalar b);
  RegionScalar Select(RegionScalar pred, RegionScalar on_true, RegionScalar on_false);

  /// What follows is in rows of so many elements.
  void SetRowLength(int64_t length) { steps_.row_length = length; }
  /// What is emitted while it is true computes one element for every row.
  void set_on_rows(bool on_rows) { on_rows_ = on_rows; }
  /// An array with one element for every row.
  RegionScalar RowParameter(ElementType type);
  /// Of the elements of every row, from an initial value, which is the same everywhere.
  RegionScalar FoldRows(Reducer reducer, RegionScalar elements, RegionScalar init);
  /// The scalar of a row, for each of its elements.
  RegionScalar SpreadRow(RegionScalar row);

  /// Begins a loop over the lanes that `active`, a scalar of its own, has; its condition follows.
  void BeginLoop(RegionScalar active);
  /// The condition is complete; the body follows.
  void BeginBody(RegionScalar condition);
  /// state = next, for the lanes that are active.
  void Advance(RegionScalar state, RegionScalar next);
  void EndLoop();

  size_t step_count() const { return steps_.steps.size(); }
  /// The program with these results.
  RegionSteps Finish(const std::vector<RegionScalar>& results);

 private:
  RegionScalar NewScalar(ElementType type) {
    steps_.is_row.push_back(on_rows_);
    return {steps_.scalar_count++, type};
  }
  bool IsParameter(RegionScalar scalar) const {
    return scalar.id < static_cast<int32_t>(steps_.parameters.size());
  }
  void EmitInto(const ElementLoop& loop, const RegionScalar* args, int32_t result,
                std::optional<Opcode> opcode);
  std::vector<bool> FindUsed() const;
  void DropUnused();

  RegionSteps steps_;
  bool on_rows_ = false;
  const Instruction* source_ = nullptr;
  std::vector<size_t> open_;  // the loops that are being built, outermost first
};

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_BUILDER_H_
