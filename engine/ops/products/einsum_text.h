// Parser of einsum equations: "ab,bc->ac".
#ifndef HLO_ENGINE_OPS_PRODUCTS_EINSUM_TEXT_H_
#define HLO_ENGINE_OPS_PRODUCTS_EINSUM_TEXT_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/types/shape.h"

namespace hlo {

/// One label per dimension: its letter, or -1, -2, ... for those that "..." stands for, counted
/// from the last. Dimensions with equal labels are the same dimension.
using EinsumLabels = std::vector<int>;

struct EinsumText {
  std::vector<EinsumLabels> operands;
  EinsumLabels result;
};

/// Reads a term for each operand, with commas between them, then "->" and the term of the result,
/// which without "->" is the dots and the letters that occur once, in alphabetical order. Blanks
/// are ignored. If the equation does not fit the arrays there is no result, and `fault` is the
/// reason, in XLA's words if it has some.
/// Source: XLA, matrix.cc, ParseEinsumString.
std::optional<EinsumText> ReadEinsum(std::string_view text, std::span<const Shape* const> operands,
                                     std::string* fault);

inline bool HasLabel(const EinsumLabels& labels, int label) {
  for (int other : labels) {
    if (other == label) return true;
  }
  return false;
}

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_EINSUM_TEXT_H_
