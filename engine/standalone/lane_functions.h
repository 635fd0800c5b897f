// The functions of f32 that generated code calls for single numbers, as generated code.
#ifndef HLO_ENGINE_STANDALONE_LANE_FUNCTIONS_H_
#define HLO_ENGINE_STANDALONE_LANE_FUNCTIONS_H_

#include "engine/codegen/function_writer.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// FunctionOfLane (codegen/function_lowering.h) as a function of a module.
CodeBytes WriteFunctionOfLane();
/// The same for modules that do not call it.
CodeBytes WriteNoFunctionOfLane();

/// What the code of a program calls of it.
struct LaneFunctions {
  bool are_called = false;
  bool are_known = true;  ///< none that stand-alone modules do not have
};
LaneFunctions LaneFunctionsOf(const RegionSteps& steps);

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_LANE_FUNCTIONS_H_
