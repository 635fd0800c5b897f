// Where a run differs from another one: of another program, other settings or other inputs.
#ifndef HLO_ENGINE_TIMELINE_DIFFERING_STEPS_H_
#define HLO_ENGINE_TIMELINE_DIFFERING_STEPS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/timeline/timeline.h"

namespace hlo {

/// Some steps of a run.
class StepSet {
 public:
  explicit StepSet(int64_t length) : bits_(static_cast<size_t>(length / 64 + 1)) {}
  void Add(int64_t step) { bits_[static_cast<size_t>(step / 64)] |= uint64_t{1} << (step % 64); }
  bool Has(int64_t step) const {
    return ((bits_[static_cast<size_t>(step / 64)] >> (step % 64)) & 1) != 0;
  }
  /// Whether it has one of the steps from `begin` up to `end`.
  bool HasAny(int64_t begin, int64_t end) const;

 private:
  std::vector<uint64_t> bits_;
};

/// The steps of a recorded run that give an instruction another value, bit for bit, than the other
/// recorded run did: instructions are paired by their names and those of their computations (by the
/// former alone where they are unique), executions by their number on the device. An execution that
/// the other run did not have differs; an instruction that the other program does not have does
/// not. Throws RunError when the budget of `timeline` is cancelled or has no memory for it.
StepSet DifferingSteps(Timeline& timeline, Timeline& other);

}  // namespace hlo

#endif  // HLO_ENGINE_TIMELINE_DIFFERING_STEPS_H_
