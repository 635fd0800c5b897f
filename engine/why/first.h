// The first element of a run that is a NaN, an infinity, an overflow or an underflow, and the one
// that lost most of its precision.
#ifndef HLO_ENGINE_WHY_FIRST_H_
#define HLO_ENGINE_WHY_FIRST_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/timeline/timeline.h"
#include "engine/why/origin.h"

namespace hlo {

/// What a run is searched for.
enum class FirstKind : uint8_t {
  kNan,
  kInfinity,
  kNonFinite,  ///< a NaN or an infinity
  /// An infinity made of finite numbers, because the type has none so large. Where the exact result
  /// is infinite, as of 1 / 0 or log(0), nothing overflows.
  kOverflow,
  /// A zero made of numbers whose exact result is none, because the type has none so small.
  kUnderflow,
  /// Sums and differences in which leading digits cancel, and conversions that round, by how many
  /// bits of the operands no longer count. A difference of equal numbers is exact, and is none.
  kLoss,
};

/// By the word for it: nan, inf, nonfinite, overflow, underflow, loss.
std::optional<FirstKind> FirstKindFromText(std::string_view word);

/// An operand's element, beside the one that was found.
struct OperandElement {
  int operand = 0;
  Dims path = {};
  Dims index = {};
  std::string value;
};

/// An element that is what was searched for.
struct FoundElement {
  PlaceInRun place;
  std::string value;
  /// Of operations on single elements; of others that make sums and products, none.
  std::vector<OperandElement> operands;
  /// What happened: "0 / 0", "3e+38 * 10 is larger than any f32".
  std::string words;
  double lost_bits = 0;  ///< of kLoss
};

/// Searches the steps of a run that was recorded, in order of execution; of kLoss all of them, for
/// the largest. Nothing when there is none. Throws RunError when the budget is cancelled or has no
/// memory. `steps`: how many to look at, from the first.
std::optional<FoundElement> FindFirst(Timeline& timeline, FirstKind wanted, int64_t steps);

/// An element of an array as text; of a complex one both parts.
std::string ElementText(const Tensor& array, const Dims& index);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_FIRST_H_
