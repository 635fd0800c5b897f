#include "engine/run/finiteness.h"

#include <cmath>

#include "engine/types/doubles.h"

namespace hlo {

NonFinite NonFiniteIn(const Tensor& tensor) {
  NonFinite found;
  const ElementType type = tensor.element_type();
  if (!IsFloat(type) && !IsComplex(type)) return found;
  EachBlockOfDoubles(tensor, [&](std::span<const double> numbers) {
    for (double number : numbers) {
      if (std::isfinite(number)) continue;
      (std::isnan(number) ? found.nan : found.infinity) = true;
    }
    return !(found.nan && found.infinity);
  });
  return found;
}

}  // namespace hlo
