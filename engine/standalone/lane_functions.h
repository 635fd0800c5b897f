// The functions of f32 that generated code calls for single numbers, as generated code.
#ifndef HLO_ENGINE_STANDALONE_LANE_FUNCTIONS_H_
#define HLO_ENGINE_STANDALONE_LANE_FUNCTIONS_H_

#include "engine/codegen/function_writer.h"

namespace hlo {

/// FunctionOfLane (codegen/function_lowering.h) as a function of a module.
CodeBytes WriteFunctionOfLane();

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_LANE_FUNCTIONS_H_
