// How values go from step to step of a recorded run without being computed: into computations and
// out of them, around loops, through asynchronous pairs and from device to device.
#ifndef HLO_ENGINE_WHY_FLOW_H_
#define HLO_ENGINE_WHY_FLOW_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/run/step_log.h"

namespace hlo {

/// Part `from` of the value that `step` gave is part `to` of the value that is asked about. Paths
/// into tuples; empty: all of it.
struct PassedPart {
  int64_t step = kNoStep;
  Dims from = {};
  Dims to = {};
};

/// What is looked up in a run on the way.
class StepSource {
 public:
  virtual ~StepSource() = default;
  /// The step that entered a computation; its value may be missing. Without an instruction where it
  /// is not known.
  virtual const StepFacts& EnteredAt(int64_t step) = 0;
  virtual Value ValueOf(int64_t step) = 0;
  /// The step that sent what a recv got by this receipt; kNoStep: none is known.
  virtual int64_t SentAt(uint32_t receipt) = 0;
};

/// The parts that the step's value is made of, when it only passes on what others gave: a
/// parameter, a call, loop or branch that returns, the halves of what is asynchronous, recv-done.
/// Nothing when the instruction computes its value, or exchanges data with other devices. A
/// parameter of the program is made of no parts. Which branch is taken, and how often a loop runs,
/// is not counted.
std::optional<std::vector<PassedPart>> PassedParts(const StepFacts& facts, StepSource& run);

/// What gave a parameter of the computation that was entered then its value; no step where that is
/// not known. Of a loop: what its condition or body was given.
PassedPart ArgumentAt(int64_t entered_at, int64_t parameter, StepSource& run);

/// The part of these whose `to` begins the path, or is the path's beginning; null when none is.
const PassedPart* PartAt(const std::vector<PassedPart>& parts, const Dims& path);
/// A path without its first `count` numbers.
Dims Rest(const Dims& path, size_t count);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_FLOW_H_
