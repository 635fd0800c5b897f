// The operation of a step of a region program as code.
#ifndef HLO_ENGINE_CODEGEN_STEP_LOWERING_H_
#define HLO_ENGINE_CODEGEN_STEP_LOWERING_H_

#include <span>

#include "engine/codegen/lane_code.h"
#include "engine/plan/region_steps.h"

namespace hlo {

class FunctionPool;

/// Writes what the step computes from `args`, and gives its result: the same bits as its
/// ElementLoop. What has no instructions for several lanes goes lane by lane. `code` has failed
/// afterwards if there is no code for it. The step starts no loop.
LaneValue LowerStep(const RegionStep& step, std::span<const LaneValue> args, LaneCode* code);

/// Whether the step has code for so many lanes together; otherwise they go one by one.
bool HasVectorCode(const RegionStep& step, int lanes);
/// Whether there is code for the step, where it may call these functions; null: none.
bool CanLower(const RegionStep& step, const FunctionPool* functions = nullptr);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_STEP_LOWERING_H_
