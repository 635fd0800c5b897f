// The functions of f32 that generated code calls for single numbers, as generated code.
#ifndef HLO_ENGINE_STANDALONE_LANE_FUNCTIONS_H_
#define HLO_ENGINE_STANDALONE_LANE_FUNCTIONS_H_

#include "engine/codegen/function_writer.h"
#include "engine/plan/region_steps.h"
#include "engine/standalone/scalar_functions.h"

namespace hlo {

/// FunctionOfLane (codegen/function_lowering.h) as a function of a module, which calls others.
CodeBytes WriteFunctionOfLane(ScalarFunctions* functions);
/// The same for modules that do not call it.
CodeBytes WriteNoFunctionOfLane();

/// Whether the code of a program calls it.
bool CallsFunctionOfLane(const RegionSteps& steps);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_LANE_FUNCTIONS_H_
