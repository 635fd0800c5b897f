// Functions of f32 (engine/lanes) as code.
#ifndef HLO_ENGINE_CODEGEN_FUNCTION_LOWERING_H_
#define HLO_ENGINE_CODEGEN_FUNCTION_LOWERING_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/codegen/lane_code.h"
#include "engine/ops/opcode.h"

namespace hlo {

/// What code calls (ImportedFunction) for a lane that is rare, or for a function that has no
/// vectors: one of one f32 or two, by a number that LowerFunction has given it.
float FunctionOfLane(float a, float b, int32_t function);
/// What it computes, by `function`.
std::vector<Opcode> FunctionsOfLanes();

/// The op of f32 operands, one or two: the same bits as its ElementLoop. `code` has failed
/// afterwards if there is no code for it.
LaneValue LowerFunction(Opcode opcode, std::span<const LaneValue> args, LaneCode* code);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_FUNCTION_LOWERING_H_
