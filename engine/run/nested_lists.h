// Arrays as Python, NumPy, JAX, PyTorch, MLIR, C and tables of numbers have them.
#ifndef HLO_ENGINE_RUN_NESTED_LISTS_H_
#define HLO_ENGINE_RUN_NESTED_LISTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hlo {

/// A literal of HLO that a list means. Every character of it is where it was in the text, for the
/// places of faults, but for one before and one after those of a list without brackets.
struct ListLiteral {
  std::string text;
  bool is_flat = false;    ///< one list of numbers, in row-major order, whatever the dimensions are
  bool is_framed = false;  ///< brackets have been put around it
  std::vector<int64_t> rows;  ///< of a list that is flat: how many numbers each line has
};

/// The literal that a text means which is an array in brackets, `[[1, 2], [3, 4]]`, with commas or,
/// as NumPy prints it, with spaces; also in `array(...)` and its like, where a dtype may follow,
/// and in `dense<...>`; which is an initializer of C, `{{1.0f, 2.0f}}`; or which is two numbers or
/// more without brackets, separated by spaces, tabs, commas or ends of lines. Nothing for other
/// texts. What is between brackets is not looked at. `rank`: of the array, which has one list of
/// numbers for more than one dimension only where that is flat.
std::optional<ListLiteral> LiteralOfList(std::string_view text, int rank);

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_NESTED_LISTS_H_
