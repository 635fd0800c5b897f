// Arrays as Python, NumPy, JAX, PyTorch and MLIR print them.
#ifndef HLO_ENGINE_RUN_NESTED_LISTS_H_
#define HLO_ENGINE_RUN_NESTED_LISTS_H_

#include <optional>
#include <string>
#include <string_view>

namespace hlo {

/// The literal of HLO that an array in brackets means: `[[1, 2], [3, 4]]`, with commas or, as NumPy
/// prints it, with spaces; also in `array(...)` and its like, where a dtype may follow, and in
/// `dense<...>`. Every character of it is where it was in the text, for the places of faults.
/// Nothing for other texts. What is between the brackets is not looked at.
std::optional<std::string> LiteralOfNestedList(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_NESTED_LISTS_H_
