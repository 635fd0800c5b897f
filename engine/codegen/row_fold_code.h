// Reductions of rows in code: several elements at a time, in the order that
// engine/kernels/README.md gives sums, and then one by one.
#ifndef HLO_ENGINE_CODEGEN_ROW_FOLD_CODE_H_
#define HLO_ENGINE_CODEGEN_ROW_FOLD_CODE_H_

#include "engine/codegen/lane_code.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// A sum of f32 is that of so many sums: element i is in sum i % kSumParts.
inline constexpr int kSumParts = 8;

/// Whether the reduction of a step has code: sums and extremes of f32.
bool CanFoldInCode(const RegionStep& fold);

/// One reduction, in locals. Its parts are called for in this order: Begin; AddLanes in a loop;
/// Join; where an extreme IsOdd, Begin again and AddOne for all of those elements; AddOne for the
/// elements that are left; Result.
class RowFoldCode {
 public:
  /// `code` has a multiple of kSumParts lanes, `one` has one; both write the same function, and
  /// outlive it.
  RowFoldCode(const RegionStep& fold, LaneCode* code, LaneCode* one);

  /// From the initial value, of one lane.
  void Begin(LaneValue init);
  void AddLanes(LaneValue elements);
  /// The same with elements of f32 from the address in a local, for a sum.
  void AddStored(uint32_t address);
  void AddOne(LaneValue element);
  void Join();
  /// Whether a NaN or a zero may be the result: which of several it is depends on their order.
  bool CanBeOdd() const { return !is_sum_; }
  bool is_sum() const { return is_sum_; }
  /// A predicate of one lane, after Join.
  LaneValue IsOdd();
  LaneValue Result();

 private:
  LaneValue Better(LaneValue x, LaneValue y);
  void AddWide(LaneValue elements);

  LaneCode& code_;
  LaneCode parts_;  // those of a sum, side by side
  LaneCode& one_;
  bool is_sum_, is_maximum_;
  LaneValue lanes_, odd_, acc_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_ROW_FOLD_CODE_H_
