// Steps of a region program as code, for the lanes of one pass.
#ifndef HLO_ENGINE_CODEGEN_STEPS_CODE_H_
#define HLO_ENGINE_CODEGEN_STEPS_CODE_H_

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "engine/codegen/complex_code.h"
#include "engine/codegen/lane_code.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// Operations that loops have executed and not reported yet.
struct StepCounter {
  uint32_t budget = 0;  ///< the parameter that is the budget
  uint32_t steps = 0;   ///< an i32 local
};
/// Reports them, which may end the run (ImportedFunction::kReport).
void WriteReport(const StepCounter& counter, FunctionWriter* writer);

/// Writes steps. Whoever uses it gives the values that they read first.
class StepsCode {
 public:
  /// The pointers must outlive it. `code` writes the lanes of a pass.
  StepsCode(const RegionSteps* program, StepCounter counter, LaneCode* code);

  /// The value of a scalar, which no loop changes.
  void Give(int32_t scalar, LaneValue value) { values_.emplace(scalar, value); }
  /// The value of a scalar, which may be complex, in locals of its own: it may be the state of a
  /// loop.
  void GiveCopy(int32_t scalar, const LanePair& from);
  LaneValue At(int32_t scalar) const { return values_.at(scalar); }
  /// Give of a scalar that may be complex.
  void GivePair(int32_t scalar, const LanePair& value);
  LanePair PairAt(int32_t scalar) const;

  /// The steps [from, to), with loops in one lane only.
  void Write(size_t from, size_t to);
  /// One step, which starts no loop.
  void WriteStep(const RegionStep& step);

 private:
  using Values = std::unordered_map<int32_t, LaneValue>;
  void Set(int32_t scalar, LaneValue from, Values* values);
  void WriteComplexStep(const RegionStep& step);
  void WriteLoop(const RegionLoop& loop);

  const RegionSteps& program_;
  const StepCounter counter_;
  LaneCode& code_;
  Values values_;
  Values imaginary_;                             // parts of those that are complex
  std::unordered_map<int32_t, double> numbers_;  // that scalars are known to be
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_STEPS_CODE_H_
