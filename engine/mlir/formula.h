// Functions that StableHLO text has as one op, and HLO as a formula of many. The formulas are text
// (chlo_formulas.cc), which is read while it is emitted.
#ifndef HLO_ENGINE_MLIR_FORMULA_H_
#define HLO_ENGINE_MLIR_FORMULA_H_

#include <string_view>

#include "engine/mlir/op_import.h"

namespace hlo::mlir {

/// One function: `text` is statements `name = expression;` and at the end the expression that is
/// the value.
///
/// Expressions have numbers (which take the type and shape of what they are combined with), `inf`,
/// `nan`, names, `c ? a : b`, `|`, `&`, comparisons, `+ - * /`, unary `-` (of numbers: their sign),
/// and calls: of opcodes (`exp`, `log1p`, ...), of other formulas, `poly(x; c0 c1 ...)` (Horner's
/// rule, the highest power first) and `cheb(x; ...)` (Clenshaw's, of Chebyshev polynomials).
struct Formula {
  std::string_view name;
  std::string_view parameters;  ///< one letter each
  bool widens;                  ///< types narrower than f32 are computed in f32
  std::string_view text;
};
/// The formula of this name, or null.
const Formula* FindFormula(std::string_view name);

/// Emits a formula on arrays of one shape; null after a fault.
Instruction* EmitFormula(OpImport& op, const Formula& formula, const Values& operands);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_FORMULA_H_
