// Arrays as programs of Python make them, `np.random.uniform(-1, 1, size=(2, 3))`, as input
// expressions (expression.h).
#ifndef HLO_ENGINE_RUN_ARRAY_FUNCTIONS_H_
#define HLO_ENGINE_RUN_ARRAY_FUNCTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/types/shape.h"

namespace hlo {

/// Whether the text begins with a name of NumPy, JAX or PyTorch, `np.`, or with a call of a
/// function that makes arrays, `ones(`: it is no literal then, whatever brackets it has.
bool StartsAsArrayFunction(std::string_view text);

/// The expression that a text means in which functions of NumPy, JAX and PyTorch are called: names
/// of modules, sizes, types and keys are left out. What is left stands where it was, so that faults
/// have their place. The sizes that are written have to be those of the array, or of as many
/// elements where `.reshape` follows. Nothing, with a fault (from `offset` on), where they are not.
std::optional<std::string> WithoutArrayFunctions(std::string_view text, uint32_t offset,
                                                 const Shape& array, Diagnostics& diagnostics);

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_ARRAY_FUNCTIONS_H_
