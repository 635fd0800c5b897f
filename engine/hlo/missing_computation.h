// Stand-ins for computations that a single instruction names and its text does not define.
#ifndef HLO_ENGINE_HLO_MISSING_COMPUTATION_H_
#define HLO_ENGINE_HLO_MISSING_COMPUTATION_H_

#include <optional>

#include "engine/hlo/ir.h"

namespace hlo {

/// Gives an empty computation the parameters, and as its root a custom-call that fails, when it is
/// run, with a message that the computation is missing.
void MakeStandIn(ModuleEditor& editor, Computation* computation, const ProgramShape& signature);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_MISSING_COMPUTATION_H_
