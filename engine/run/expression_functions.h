// The functions and operators of input expressions (expression.h): one row each.
#ifndef HLO_ENGINE_RUN_EXPRESSION_FUNCTIONS_H_
#define HLO_ENGINE_RUN_EXPRESSION_FUNCTIONS_H_

#include <complex>
#include <string_view>

#include "engine/run/random.h"

namespace hlo {

/// A row. Exactly one of `real` and `draw` is set. Missing arguments take their defaults.
struct ExpressionFunction {
  using Complex = std::complex<double>;
  static constexpr int kMostArguments = 3;

  std::string_view name;  ///< operators have the name that they are written with; `neg`: unary `-`
  int least, most;        ///< numbers of arguments
  std::string_view meaning;                          ///< a few words for people; "" for operators
  double (*real)(const double* arguments);           ///< of real arguments
  Complex (*complex)(const Complex* arguments);      ///< null: there is none of complex arguments
  double (*draw)(Random&, const double* arguments);  ///< a random number for every element
  bool makes_real = false;  ///< the result is real, whatever the arguments are
  double defaults[kMostArguments] = {};
  /// Where a draw has a meaning, in words and as a test; null: everywhere. It is asked of arguments
  /// that are numbers, not of those that differ from element to element.
  std::string_view domain = {};
  bool (*is_in_domain)(const double* arguments) = nullptr;
};

/// The row of this name, null for none.
const ExpressionFunction* FindExpressionFunction(std::string_view name);

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_EXPRESSION_FUNCTIONS_H_
