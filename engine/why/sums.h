// What happens inside of a sum: of products (dot, convolution), or of the elements that a reduction
// combines.
#ifndef HLO_ENGINE_WHY_SUMS_H_
#define HLO_ENGINE_WHY_SUMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/budget.h"
#include "engine/why/first.h"

namespace hlo {

/// Where a sum left the range of its type.
struct SumFault {
  /// "3e+38 * 10, product 2 of 4": what is too large, or too small.
  std::string words;
  /// The element of each operand in the product; none where the sum itself is at fault.
  std::vector<OperandElement> operands = {};
};

/// Whether an element of the result is a sum that can be followed term by term: dot, plain
/// convolution, and reduce, reduce-window and scan of one array by add or multiply, of real floats.
bool IsSum(const OpCall& call);

/// The first term, or partial sum in the order of evaluation, that is infinite though all elements
/// are finite. Nothing when there is none. The budget is polled.
std::optional<SumFault> OverflowInside(const Executed& at, const Dims& path, const Dims& index,
                                       Budget* budget);

/// Of a sum that is 0: the first product of two numbers that are not 0, but whose product is, as
/// the type has none so small; or the sum itself, when it is lost in the type of the result.
std::optional<SumFault> UnderflowInside(const Executed& at, const Dims& path, const Dims& index,
                                        Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_SUMS_H_
