// Programs with rows (softmax, norms) as one function, which goes through each row a few times
// while it is in the nearest cache (plan/row_passes.h).
#ifndef HLO_ENGINE_CODEGEN_ROW_CODE_H_
#define HLO_ENGINE_CODEGEN_ROW_CODE_H_

#include <cstddef>
#include <optional>

#include "engine/codegen/code_function.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// Whether the program has rows, and all of its steps have code.
bool HasRowCode(const RegionSteps& program);

/// The function of all of its steps, a CodeFunction that takes whole rows. Nothing where it is
/// larger than engines of WebAssembly allow. `vectors`: as a FunctionWriter takes it.
std::optional<WrittenFunction> WriteRowCode(const RegionSteps& program, VectorPool* vectors);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_ROW_CODE_H_
