// One number as the bits of an element type: its parts, its neighbours, and what rounding cost.
#ifndef HLO_ENGINE_TYPES_NUMBER_PARTS_H_
#define HLO_ENGINE_TYPES_NUMBER_PARTS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/types/element_type.h"

namespace hlo {

/// A number of a float type. Bits are texts of 0 and 1, the most significant first.
struct NumberParts {
  ElementType type = ElementType::kF32;
  uint64_t code = 0;  ///< its bits
  std::string sign, exponent, mantissa;
  std::string_view kind;        ///< "zero", "subnormal", "normal", "infinity", "NaN"
  double value = 0;             ///< exactly, for every type has fewer bits than f64
  double below = 0, above = 0;  ///< the neighbours; NaN where there is none
  double relative_error = 0;    ///< (value - given) / given; 0 for equal ones, NaN where not finite
};

/// `given` converted to a float type as XLA's convert and constants are: to f16 and bf16 by way of
/// f32, which near a tie is not the nearest number.
NumberParts PartsOfNumber(double given, ElementType type);

/// A finite f64 with all of its decimal digits, which are never more than 1,100.
std::string ExactDecimal(double value);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_NUMBER_PARTS_H_
