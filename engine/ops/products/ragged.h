// ragged-dot on values, and what its shape rule shares with that.
#ifndef HLO_ENGINE_OPS_PRODUCTS_RAGGED_H_
#define HLO_ENGINE_OPS_PRODUCTS_RAGGED_H_

#include <cstdint>

#include "engine/base/budget.h"
#include "engine/ops/products/contraction.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Which dimension of the lhs is ragged decides what a group is.
enum class RaggedMode : uint8_t { kFree, kContracting, kBatch };
RaggedMode RaggedModeOf(const DotDims& dims, int64_t ragged);

/// The dimensions of the lhs for each position of which there may be group sizes of their own: the
/// batch dimensions and the free or contracting ones before the ragged one, or only the batch
/// dimensions before it.
Dims RaggedPrefix(const DotDims& dims, int lhs_rank, int64_t ragged);

/// Dimensions of a ragged product: `group` is the dimension of the rhs with one entry per group,
/// for a free ragged dimension.
struct RaggedDims {
  DotDims dot;
  int64_t ragged = 0;
  int64_t group = -1;
};

/// The product, of shape `shape`, whose element type decides as for Contract. Group i takes the
/// next sizes[i] indices of the ragged dimension: with a free one they meet entry i of the rhs,
/// with a contracting one they are summed into entry i of the result's first dimension, with a
/// batch one they are computed. Results of indices in no group are zero. Negative sizes count as
/// zero, and sizes end with the dimension. Source: XLA, shape_inference.cc,
/// InferRaggedDotOpShape.
Tensor RaggedContract(const Tensor& lhs, const Tensor& rhs, const Tensor& group_sizes,
                      const RaggedDims& dims, const Shape& shape, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_RAGGED_H_
