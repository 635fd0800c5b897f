// A whole number as the bits of the integer types: in two's complement, with its neighbours, and
// what is left of it where a type is too narrow.
#ifndef HLO_ENGINE_TYPES_INTEGER_PARTS_H_
#define HLO_ENGINE_TYPES_INTEGER_PARTS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/types/element_type.h"

namespace hlo {

/// A whole number with a sign, of at most 64 bits.
struct WholeNumber {
  bool is_negative = false;
  uint64_t magnitude = 0;
};
/// "-5", "17"; nothing for any other text, or a larger number.
std::optional<WholeNumber> ParseWholeNumber(std::string_view text);

/// A number of an integer type. Texts are decimal.
struct IntegerParts {
  ElementType type = ElementType::kS32;
  uint64_t code = 0;  ///< its bits
  std::string bits;   ///< the same as 0 and 1, the most significant first
  std::string value;
  std::string otherwise;     ///< what the bits are as unsigned, or, of an unsigned type, as signed
  std::string below, above;  ///< the neighbours; "" beyond the ends of the type
  bool is_exact = true;      ///< the value is the given one
};
/// `given` in an integer type: its low bits, which is how XLA converts between integers.
IntegerParts PartsOfInteger(WholeNumber given, ElementType type);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_INTEGER_PARTS_H_
