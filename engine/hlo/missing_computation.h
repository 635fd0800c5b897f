// Stand-ins for computations that an instruction pasted alone names and its text does not have.
#ifndef HLO_ENGINE_HLO_MISSING_COMPUTATION_H_
#define HLO_ENGINE_HLO_MISSING_COMPUTATION_H_

#include <optional>

#include "engine/hlo/ir.h"

namespace hlo {

/// Gives an empty computation the parameters, and as its root a custom-call that says, when it is
/// run, that the computation is missing.
void MakeStandIn(ModuleEditor& editor, Computation* computation, const ProgramShape& signature);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_MISSING_COMPUTATION_H_
