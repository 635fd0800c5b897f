// Putting the elements that a literal's text has to where they are in the array.
#ifndef HLO_ENGINE_TYPES_LITERAL_PLACEMENT_H_
#define HLO_ENGINE_TYPES_LITERAL_PLACEMENT_H_

#include "engine/types/tensor.h"

namespace hlo {

/// Makes every element of `to` the first one of `element`, which has the same type.
void FillWith(const Tensor& element, Tensor* to);

/// Moves the elements of an array of sizes `live`, dense at the start of `from`, to their places in
/// the array `to` of the same type and rank (at least 1) and larger sizes; the rest becomes zero.
void SpreadElements(const Tensor& from, const Dims& live, Tensor* to);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_LITERAL_PLACEMENT_H_
