// What of an array is not a finite number.
#ifndef HLO_ENGINE_RUN_FINITENESS_H_
#define HLO_ENGINE_RUN_FINITENESS_H_

#include "engine/types/tensor.h"

namespace hlo {

/// What an array, or the arrays of a tuple, hold that is not finite.
struct NonFinite {
  bool nan = false;
  bool infinity = false;
  bool any() const { return nan || infinity; }
};

/// Reads the elements of an array until it has seen both.
NonFinite NonFiniteIn(const Tensor& tensor);

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_FINITENESS_H_
