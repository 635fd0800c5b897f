// Reducers that find where an extreme is: what a compiled region reveals to reduce about itself.
#ifndef HLO_ENGINE_OPS_PRODUCTS_PAIR_REDUCER_H_
#define HLO_ENGINE_OPS_PRODUCTS_PAIR_REDUCER_H_

#include "engine/kernels/arg_extreme.h"
#include "engine/ops/eval.h"

namespace hlo {

/// A reducer of two arrays, one of values and one of indices.
struct PairReducer {
  int values = 0;  ///< which of the two is the values: 0 or 1
  ExtremeRule rule;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_PAIR_REDUCER_H_
