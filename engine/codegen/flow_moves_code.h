// The moves and sums of products of flows as code.
#ifndef HLO_ENGINE_CODEGEN_FLOW_MOVES_CODE_H_
#define HLO_ENGINE_CODEGEN_FLOW_MOVES_CODE_H_

#include <vector>

#include "engine/codegen/flow_arrays.h"
#include "engine/codegen/lane_code.h"
#include "engine/plan/flow.h"

namespace hlo {

/// What the steps of a flow read and write.
struct FlowStorage {
  const std::vector<FlowValue>& values;
  FunctionWriter& writer;
  LaneCode& one;  ///< code on one lane
  FlowArrays& arrays;
  std::vector<LaneValue>& scalars;  ///< by value
};

/// Writes a kMove. Its output gets a buffer, that of the first input where it is an update of what
/// nothing else needs.
void WriteMove(const FlowStep& step, FlowStorage* storage);

/// Writes kSums.
void WriteSums(const FlowStep& step, FlowStorage* storage);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_FLOW_MOVES_CODE_H_
