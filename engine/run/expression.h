// Expressions for the elements of an array, as inputs are written with them: `sin(i0) + 0.1*i1`.
//
//   i0, i1, ...   the element's index in each dimension; n0, n1, ... the sizes
//   k, n          its number in row-major order, from 0; how many there are
//   pi, e, inf, nan, true, false; numbers (2, .5, 1e-3, 0x1f); 2i or i: imaginary
//   c ? a : b     then || && (== != < <= > >=) (+ -) (* / // %) (- !) **, each binding tighter
//   f(x, ...)     a row of expression_functions.h
//   iota, iota(d) k; the index in dimension d
//   linspace(a, b), linspace(a, b, d)   from a to b, over all elements or along a dimension
//   logspace(a, b), logspace(a, b, d)   10 to the power of that
//   arange(a, step), arange(a, step, d) a, a + step, ...
//   eye           1 where the last two indices are the same
//   permutation   0 ... n - 1 in random order
//
// Everything is computed in f64 (complex where something is complex) and converted to the element
// type as XLA's convert does: floats round to nearest even, integers truncate toward zero and
// saturate, pred is whether it is not zero. (A number alone is a literal instead: inputs.h.)
// Comparisons are 1 or 0. `//` and `%` are those of Python. Every function that draws random
// numbers has a stream of its own.
#ifndef HLO_ENGINE_RUN_EXPRESSION_H_
#define HLO_ENGINE_RUN_EXPRESSION_H_

#include <complex>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/run/expression_functions.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// An expression for one array, in postfix order.
class Expression {
 public:
  /// A step: takes its operands from the stack and pushes one value.
  struct Step {
    enum class Kind : uint8_t {
      kNumber,  ///< `number`, imaginary where `is_complex`
      kIndex,   ///< the index in dimension `dim`; -1: in row-major order
      kApply,   ///< `function` of its `operands` operands
      kSpace,   ///< from the first operand to the second along `dim` (as kIndex)
      kEye,
      kPermutation,
    };
    Kind kind = Kind::kNumber;
    int dim = -1;
    int operands = 0;
    bool is_complex = false;  ///< the value may have an imaginary part
    double number = 0;
    const ExpressionFunction* function = nullptr;
  };

  /// Reads an expression for an array of this shape. A fault has its place, from `offset` on.
  static std::optional<Expression> Parse(std::string_view text, uint32_t offset, const Shape& array,
                                         Diagnostics& diagnostics);

  /// The array; random numbers depend on `seed` alone. Throws RunError when a limit is reached.
  Tensor Evaluate(const Shape& array, uint64_t seed, Budget* budget) const;

 private:
  template <typename T>
  void Fill(Tensor& tensor, uint64_t seed, Budget* budget) const;

  std::vector<Step> steps_;
  bool is_complex_ = false;  // some step is
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_EXPRESSION_H_
