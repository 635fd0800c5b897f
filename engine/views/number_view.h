// How a number looks in the float types: its bits, its neighbours, what rounding cost.
#ifndef HLO_ENGINE_VIEWS_NUMBER_VIEW_H_
#define HLO_ENGINE_VIEWS_NUMBER_VIEW_H_

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/types/integer_parts.h"
#include "engine/types/number_parts.h"
#include "engine/views/json_parts.h"

namespace hlo {

/// A number written as in literals: 0.1, 1e-3, -inf, nan. Nothing for any other text.
std::optional<double> ParseNumber(std::string_view text);
/// The number in every float type, the widest first.
std::vector<NumberParts> PartsInFloatTypes(double given);
/// A whole number in every integer type, the widest first, signed ones before the others. None for
/// any other text, or a number of more than 64 bits.
std::vector<IntegerParts> PartsInIntegerTypes(std::string_view text);

/// The shortest text that reads back as the number, and all of its decimal digits.
std::string ShownNumber(double value);
std::string ExactNumber(double value);
/// "0 01111011 1001100": what there is of sign, exponent and mantissa.
std::string BitsOfNumber(const NumberParts& parts);
/// "0x3dcc"
std::string HexOfNumber(const NumberParts& parts);
std::string HexOfNumber(const IntegerParts& parts);
/// NumberTable of wasm/figure_types.ts.
Json NumberPartsJson(double given, const std::vector<NumberParts>& types,
                     const std::vector<IntegerParts>& integers);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_NUMBER_VIEW_H_
